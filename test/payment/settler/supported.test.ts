import { describe, expect, it } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { SOLANA_NETWORK } from "../../../src/domain/chain.ts"
import { UpstreamError } from "../../../src/domain/errors.ts"
import { watchFeePayer } from "../../../src/payment/settler/remote/supported.ts"

const kind = (feePayer: string) => ({
  x402Version: 2,
  scheme: "exact",
  network: SOLANA_NETWORK,
  extra: { feePayer }
})
const FIRST = "So11111111111111111111111111111111111111112"
const SECOND = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
const outage = new UpstreamError({ upstream: "facilitator", kind: "transport", detail: "down" })

describe("a facilitator's fee payer", () => {
  it.scoped("is unknown while the facilitator is down, and known when it answers", () =>
    Effect.gen(function* () {
      let answer: string | undefined
      const supported = Effect.suspend(() =>
        answer === undefined ? Effect.fail(outage) : Effect.succeed({ kinds: [kind(answer)] })
      )
      const extra = yield* watchFeePayer({ supported })
      expect(extra()).toBeUndefined()
      answer = FIRST
      yield* TestClock.adjust("6 seconds")
      expect(extra()).toEqual({ feePayer: FIRST })
      const before = extra()
      yield* TestClock.adjust("6 minutes")
      expect(extra()).toBe(before)
      answer = SECOND
      yield* TestClock.adjust("6 minutes")
      expect(extra()).toEqual({ feePayer: SECOND })
      answer = undefined
      yield* TestClock.adjust("6 minutes")
      expect(extra()).toEqual({ feePayer: SECOND })
    })
  )

  it.scoped("is asked for again after the asking broke off in a way that nobody foresaw", () =>
    Effect.gen(function* () {
      let answer: string | undefined
      const supported = Effect.suspend(() =>
        answer === undefined ? Effect.die("a defect") : Effect.succeed({ kinds: [kind(answer)] })
      )
      const extra = yield* watchFeePayer({ supported })
      answer = FIRST
      yield* TestClock.adjust("6 seconds")
      expect(extra()).toEqual({ feePayer: FIRST })
    })
  )

  it.scoped("is that of exact payments of this version on Solana, whatever else it settles", () =>
    Effect.gen(function* () {
      const own = kind(FIRST)
      const others = [
        { x402Version: 1 },
        { scheme: "upto" },
        { network: "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1" }
      ].map((other) => ({ ...kind(SECOND), ...other }))
      const feePayer = (kinds: ReadonlyArray<typeof own>) =>
        Effect.map(watchFeePayer({ supported: Effect.succeed({ kinds }) }), (extra) => extra())
      for (const other of others) {
        expect(yield* feePayer([other])).toBeUndefined()
        expect(yield* feePayer([other, own])).toEqual({ feePayer: FIRST })
      }
    })
  )

  it.scoped("that is no address is named in no challenge: no wallet could pay it", () =>
    Effect.gen(function* () {
      for (const text of ["", "ours", `0x${"11".repeat(20)}`, `${FIRST}2`]) {
        const extra = yield* watchFeePayer({ supported: Effect.succeed({ kinds: [kind(text)] }) })
        expect([text, extra()]).toEqual([text, undefined])
      }
    })
  )
})
