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
      answer = "first"
      yield* TestClock.adjust("6 seconds")
      expect(extra()).toEqual({ feePayer: "first" })
      const before = extra()
      yield* TestClock.adjust("6 minutes")
      expect(extra()).toBe(before)
      answer = "second"
      yield* TestClock.adjust("6 minutes")
      expect(extra()).toEqual({ feePayer: "second" })
      answer = undefined
      yield* TestClock.adjust("6 minutes")
      expect(extra()).toEqual({ feePayer: "second" })
    })
  )
})
