import { expect, it } from "@effect/vitest"
import type { Address } from "viem"
import { isBearable } from "../../../../src/screening/base/power/bounded.ts"
import { POOL, clean, pool } from "../../../support/base/fixtures.ts"

const addressOf = (at: number): Address => `0x${(0x9000 + at).toString(16).padStart(40, "0")}`

it("a limit on what pools may hold is borne by none that money goes to, into however many it was cut", () => {
  const holding = { of: "holding", millionths: 10_000, from: null, except: [POOL] } as const
  const main = pool({ quoteUsd: 24_000 })
  const cut = (quoteUsd: number) =>
    Array.from({ length: 40 }, (_, at) => pool({ address: addressOf(at), quoteUsd }))
  expect(isBearable({ ...clean, pools: [main] }, holding)).toBe(true)
  expect(isBearable({ ...clean, pools: [main, ...cut(10)] }, holding)).toBe(true)
  expect(isBearable({ ...clean, pools: [main, ...cut(1_000)] }, holding)).toBe(false)
  expect(isBearable({ ...clean, pools: cut(1_000) }, holding)).toBe(false)
})
