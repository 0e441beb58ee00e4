import { describe, expect, it } from "@effect/vitest"
import { Effect, Metric, MetricState, Schema } from "effect"
import { PaymentUnresolved, ScreeningUnavailable, UnknownToken } from "../../src/domain/errors.ts"
import { TokenRef } from "../../src/domain/token.ts"
import { countSale } from "../../src/operations/metrics.ts"

/** Sums of the counters' samples with this network, by name and outcome. */
const counted = (network: string) =>
  Effect.map(Metric.snapshot, (pairs) =>
    Object.fromEntries(
      pairs.flatMap(({ metricKey, metricState }) => {
        const labels = Object.fromEntries(metricKey.tags.map(({ key, value }) => [key, value]))
        if (labels["network"] !== network || !MetricState.isCounterState(metricState)) return []
        return [[labels["outcome"] ?? metricKey.name, Number(metricState.count)]]
      })
    )
  )

const saleOf = (network: string, authorizationKey: string) =>
  countSale({ network, authorizationKey, operation: "check_token_safety_ping" })

const TOKEN = Schema.decodeUnknownSync(TokenRef)({ chain: "base", address: `0x${"9".repeat(40)}` })

describe("a sale", () => {
  it.effect("is sold once, however often its answer is delivered", () =>
    Effect.gen(function* () {
      const count = saleOf("net:once", "key")
      yield* count(Effect.succeed({ replayed: false }))
      yield* count(Effect.succeed({ replayed: true }))
      expect(yield* counted("net:once")).toEqual({
        sold: 1,
        replayed: 1
      })
    })
  )

  it.effect("of a token that does not exist is told apart from one that nothing could be read for", () =>
    Effect.gen(function* () {
      const count = saleOf("net:unknown", "key")
      yield* Effect.flip(count(Effect.fail(new UnknownToken({ token: TOKEN }))))
      yield* Effect.flip(count(Effect.fail(new ScreeningUnavailable({ upstream: "base-rpc" }))))
      expect(yield* counted("net:unknown")).toEqual({ unknown_token: 1, no_result: 1 })
    })
  )

  it.effect("whose outcome was not known at first is sold when it is delivered after all", () =>
    Effect.gen(function* () {
      const count = saleOf("net:late", "late")
      yield* Effect.flip(count(Effect.fail(new PaymentUnresolved({ retryAfterSeconds: 1 }))))
      yield* Effect.flip(count(Effect.fail(new PaymentUnresolved({ retryAfterSeconds: 1 }))))
      yield* count(Effect.succeed({ replayed: true }))
      yield* count(Effect.succeed({ replayed: true }))
      expect(yield* counted("net:late")).toEqual({
        unresolved: 2,
        sold: 1,
        replayed: 1
      })
    })
  )

  it.effect("whose caller hung up while it went on is sold when its answer is fetched", () =>
    Effect.gen(function* () {
      const count = saleOf("net:hung-up", "hung-up")
      yield* Effect.exit(count(Effect.interrupt))
      yield* count(Effect.succeed({ replayed: true }))
      yield* Effect.exit(count(Effect.interrupt))
      yield* count(Effect.succeed({ replayed: true }))
      expect(yield* counted("net:hung-up")).toEqual({
        stopped: 2,
        sold: 1,
        replayed: 1
      })
    })
  )
})
