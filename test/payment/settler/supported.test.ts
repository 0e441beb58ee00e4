import { describe, expect, it } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { BASE_NETWORK, SOLANA_NETWORK } from "../../../src/domain/chain.ts"
import { UpstreamError } from "../../../src/domain/errors.ts"
import { watchBase, watchFeePayer } from "../../../src/payment/settler/remote/supported.ts"

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

  it.scoped("that is no address is named in no challenge: no wallet could pay it", () =>
    Effect.gen(function* () {
      for (const text of ["", "ours", `0x${"11".repeat(20)}`, `${FIRST}2`]) {
        const extra = yield* watchFeePayer({ supported: Effect.succeed({ kinds: [kind(text)] }) })
        expect([text, extra()]).toEqual([text, undefined])
      }
    })
  )
})

describe("a facilitator's word on Base", () => {
  const of = (network: string, scheme = "exact") => ({ ...kind(FIRST), network, scheme })

  it.scoped("ends the sale there only where it names other networks, until it names Base", () =>
    Effect.gen(function* () {
      let answer: ReadonlyArray<ReturnType<typeof of>> | undefined = [kind(FIRST)]
      const supported = Effect.suspend(() =>
        answer === undefined ? Effect.fail(outage) : Effect.succeed({ kinds: answer })
      )
      const settles = yield* watchBase({ supported })
      expect(settles()).toBe(false)
      answer = undefined
      yield* TestClock.adjust("6 seconds")
      expect(settles()).toBe(false)
      answer = [kind(FIRST), of(BASE_NETWORK)]
      yield* TestClock.adjust("6 seconds")
      expect(settles()).toBe(true)
      answer = [of("eip155:84532"), of(BASE_NETWORK, "upto")]
      yield* TestClock.adjust("6 minutes")
      expect(settles()).toBe(false)
    })
  )

  it.scoped("is not waited for, and is understood however it names Base", () =>
    Effect.gen(function* () {
      expect((yield* watchBase({ supported: Effect.fail(outage) }))()).toBe(true)
      expect((yield* watchBase({ supported: Effect.succeed({ kinds: [] }) }))()).toBe(true)
      for (const name of [BASE_NETWORK, "eip155:*", "base"])
        expect((yield* watchBase({ supported: Effect.succeed({ kinds: [of(name)] }) }))()).toBe(true)
    })
  )
})
