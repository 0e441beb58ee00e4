import type { Effect } from "effect"
import { Context } from "effect"
import type { ScreeningUnavailable, UnknownToken } from "../domain/errors.ts"
import type { Screening } from "../domain/screening.ts"
import type { TokenRef } from "../domain/token.ts"

export type ScreeningError = UnknownToken | ScreeningUnavailable

/** Collects and judges one chain's evidence. */
export interface ChainPlan {
  readonly screen: (token: TokenRef) => Effect.Effect<Screening, ScreeningError>
}

export class BasePlan extends Context.Tag("token-risk/BasePlan")<BasePlan, ChainPlan>() {}
export class SolanaPlan extends Context.Tag("token-risk/SolanaPlan")<SolanaPlan, ChainPlan>() {}

/**
 * Screens a token through its chain's plan: one evidence run at a time per token, shared by everybody who asks
 * meanwhile, and kept for `CACHE_TTL`, shorter where something critical stayed unknown. Pings and deep reports are views of
 * the same one.
 */
export class Screener extends Context.Tag("token-risk/Screener")<
  Screener,
  {
    readonly screen: (
      token: TokenRef
    ) => Effect.Effect<{ readonly screening: Screening; readonly cacheHit: boolean }, ScreeningError>
    /**
     * The screening that `screen` would give at once and without any work, now (Unix milliseconds). `undefined` also for
     * one whose time to be made anew has come: `screen` sees to that.
     */
    readonly known: (token: TokenRef, now: number) => Screening | undefined
  }
>() {}
