/** A screener over one plan, which the test writes. */
import { Deferred, Duration, Effect } from "effect"
import { ScreeningUnavailable } from "../../../src/domain/errors.ts"
import type { Screening } from "../../../src/domain/screening.ts"
import type { TokenRef } from "../../../src/domain/token.ts"
import type { ScreeningError } from "../../../src/screening/screener.ts"
import type { ScreenerSettings } from "../../../src/screening/screener-config.ts"
import { makeScreener } from "../../../src/screening/screener-live.ts"
import { screeningOf } from "./screenings.ts"

export const settings: ScreenerSettings = {
  cacheTtl: Duration.seconds(60),
  cacheCapacity: 100,
  timeout: Duration.seconds(12),
  concurrency: 4
}

export type Answer = (token: TokenRef) => Effect.Effect<Screening, ScreeningError>

export const answered: Answer = (token) => Effect.succeed(screeningOf({ token }))

/** A screener over one plan for both chains, and the runs the plan was asked for. */
export const withPlan = (answer: Answer, over: Partial<ScreenerSettings> = {}) =>
  Effect.gen(function* () {
    const runs: Array<string> = []
    const plan = {
      screen: (token: TokenRef) =>
        Effect.suspend(() => {
          runs.push(token.chain)
          return answer(token)
        })
    }
    const screener = yield* makeScreener({ base: plan, solana: plan }, { ...settings, ...over })
    return { screener, runs }
  })

/** A plan that answers when the gate opens. */
export const gated = Effect.gen(function* () {
  const gate = yield* Deferred.make<void, ScreeningError>()
  const answer: Answer = (token) => Effect.zipRight(Deferred.await(gate), answered(token))
  return { gate, answer }
})

export const settle = Effect.repeatN(Effect.yieldNow(), 20)
export const down = new ScreeningUnavailable({ upstream: "base-rpc" })

/** A screener whose plan answers once the gate opens. */
export const withGate = Effect.gen(function* () {
  const { gate, answer } = yield* gated
  return { gate, ...(yield* withPlan(answer)) }
})
