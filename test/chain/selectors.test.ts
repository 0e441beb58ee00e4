import { expect, it } from "@effect/vitest"
import { toFunctionSelector } from "viem"
import { SELECTORS } from "../../src/chain/selectors.ts"

it.each(Object.entries(SELECTORS))("%s is called by its own four bytes", (signature, selector) => {
  expect(toFunctionSelector(signature)).toBe(selector)
})
