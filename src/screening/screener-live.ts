import { Deferred, Effect, Layer } from "effect"
import { UnknownToken } from "../domain/errors.ts"
import type { TokenRef } from "../domain/token.ts"
import type { ChainPlans } from "./flights.ts"
import { makeFlights } from "./flights.ts"
import { BasePlan, Screener, SolanaPlan } from "./screener.ts"
import type { ScreenerSettings } from "./screener-config.ts"
import { screenerConfig } from "./screener-config.ts"
import { makeScreeningCache } from "./screening-cache.ts"
import { span } from "../domain/span.ts"

/** A `Screener` over the two plans; its running screenings end with the scope. */
export const makeScreener = Effect.fnUntraced(function* (plans: ChainPlans, settings: ScreenerSettings) {
  const scope = yield* Effect.scope
  const cache = makeScreeningCache({ ttl: settings.cacheTtl, capacity: settings.cacheCapacity })
  const flights = makeFlights(plans, cache, settings, scope)

  const board = Effect.fnUntraced(function* (token: TokenRef) {
    const boarding = yield* flights.enter(token)
    if (boarding._tag === "Unknown") return yield* new UnknownToken({ token })
    return boarding._tag === "Cached"
      ? { screening: boarding.screening, cacheHit: true }
      : { screening: yield* Deferred.await(boarding.flight), cacheHit: false }
  })

  const screen = (token: TokenRef) =>
    board(token).pipe(span("Screener.screen", { attributes: { chain: token.chain, token: token.address } }))
  return Screener.of({ screen, known: cache.peek })
})

export const ScreenerLive = Layer.scoped(
  Screener,
  Effect.gen(function* () {
    const plans = { base: yield* BasePlan, solana: yield* SolanaPlan }
    return yield* makeScreener(plans, yield* screenerConfig)
  })
)
