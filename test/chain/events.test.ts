import { expect, it } from "@effect/vitest"
import { toEventSelector } from "viem"
import { AUTHORIZATION_CANCELED, AUTHORIZATION_USED, TRANSFER } from "../../src/chain/evm-events.ts"

it.each([
  ["event Transfer(address,address,uint256)", TRANSFER],
  ["event AuthorizationUsed(address,bytes32)", AUTHORIZATION_USED],
  ["event AuthorizationCanceled(address,bytes32)", AUTHORIZATION_CANCELED]
])("%s is named by its own hash", (form, topic) => {
  expect(toEventSelector(form)).toBe(topic)
})
