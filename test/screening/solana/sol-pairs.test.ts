import { describe, expect, it } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { UpstreamError } from "../../../src/domain/errors.ts"
import { USDC, WSOL } from "../../../src/screening/solana/addresses.ts"
import { makeSolPairs } from "../../../src/screening/solana/reads/sol-pairs.ts"
import { pairOf } from "../../support/solana/clean-token.ts"
import { wallet } from "../../support/solana/encode.ts"

/** SOL's pairs of a source that says another price each time it is asked, and whether it answers. */
const makeSource = () => {
  const source = { asked: 0, isUp: true }
  const pairs = ({ address }: { readonly address: string }) =>
    Effect.suspend(() => {
      expect(address).toBe(WSOL)
      source.asked += 1
      return source.isUp
        ? Effect.succeed([pairOf(wallet("sol pool"), USDC, { priceUsd: source.asked })])
        : new UpstreamError({ upstream: "dexscreener", kind: "timeout", detail: "down" })
    })
  return { source, pairs }
}

describe("what market data says of SOL", () => {
  it.effect("serves for a minute, and is then asked for again", () =>
    Effect.gen(function* () {
      const { pairs, source } = makeSource()
      const solPairs = yield* makeSolPairs({ pairs })
      const first = yield* solPairs
      yield* TestClock.adjust("59 seconds")
      expect(yield* solPairs).toBe(first)
      yield* TestClock.adjust("1 second")
      expect(yield* solPairs).not.toEqual(first)
      expect(source.asked).toBe(2)
    })
  )

  it.effect("is asked for again five seconds after it was not told", () =>
    Effect.gen(function* () {
      const { pairs, source } = makeSource()
      const solPairs = yield* makeSolPairs({ pairs })
      source.isUp = false
      expect((yield* solPairs).known).toBe(false)
      source.isUp = true
      yield* TestClock.adjust("4 seconds")
      expect((yield* solPairs).known).toBe(false)
      yield* TestClock.adjust("1 second")
      expect((yield* solPairs).known).toBe(true)
    })
  )

  it.effect(
    "is asked for again where the clock was set back since: it would last until that is where it was",
    () =>
      Effect.gen(function* () {
        const { pairs, source } = makeSource()
        const solPairs = yield* makeSolPairs({ pairs })
        yield* TestClock.adjust("1 day")
        const first = yield* solPairs
        yield* TestClock.setTime(0)
        expect(yield* solPairs).not.toEqual(first)
        expect(source.asked).toBe(2)
      })
  )
})
