import type { Scope } from "effect"
import {
  Cause,
  Clock,
  Config,
  Deferred,
  Duration,
  Effect,
  Exit,
  FiberId,
  Layer,
  Option,
  Schema
} from "effect"
import { ScreeningUnavailable, UnknownToken } from "../domain/errors.ts"
import type { Depth, Screening } from "../domain/screening.ts"
import type { TokenRef } from "../domain/token.ts"
import type { ChainPlan, ScreeningError } from "./screener.ts"
import { BasePlan, Screener, SolanaPlan } from "./screener.ts"
import type { ScreeningCache } from "./screening-cache.ts"
import { flightKey, makeScreeningCache, makeUnknownTokens } from "./screening-cache.ts"

const count = (name: string) =>
  Schema.Config(name, Schema.NumberFromString.pipe(Schema.int(), Schema.between(1, 1e6)))

/**
 * `CACHE_TTL`: life of a screening in the cache. `CACHE_CAPACITY`: screenings kept. `SCREENING_TIMEOUT`: longest a
 * screening may take, waiting for its turn included. `SCREENING_CONCURRENCY`: screenings that run at once.
 */
export const screenerConfig = Config.all({
  cacheTtl: Config.duration("CACHE_TTL").pipe(Config.withDefault(Duration.seconds(30))),
  cacheCapacity: count("CACHE_CAPACITY").pipe(Config.withDefault(2_000)),
  timeout: Config.duration("SCREENING_TIMEOUT").pipe(Config.withDefault(Duration.seconds(12))),
  concurrency: count("SCREENING_CONCURRENCY").pipe(Config.withDefault(32))
})
export type ScreenerSettings = Config.Config.Success<typeof screenerConfig>

export type ChainPlans = { readonly [C in TokenRef["chain"]]: ChainPlan }

type Flight = Deferred.Deferred<Screening, ScreeningError>

type Boarding =
  | { readonly _tag: "Cached"; readonly screening: Screening }
  | { readonly _tag: "Unknown" }
  | { readonly _tag: "Joined" | "Leading"; readonly flight: Flight }

const isUnknown = (cause: Cause.Cause<ScreeningError>): boolean =>
  Option.exists(Cause.failureOption(cause), (error) => error._tag === "UnknownToken")

const unavailable = (token: TokenRef): ScreeningUnavailable =>
  new ScreeningUnavailable({ upstream: token.chain === "base" ? "base-rpc" : "solana-rpc" })

/**
 * Runs each token's plan once at a time, in the given scope and never in the fiber of whoever asked first: a caller
 * that disconnects leaves without taking the others along, and what it started still ends in the cache.
 */
const makeFlights = (
  plans: ChainPlans,
  cache: ScreeningCache,
  settings: ScreenerSettings,
  scope: Scope.Scope
) => {
  const inFlight = new Map<string, Flight>()
  const unknown = makeUnknownTokens()
  const turns = Effect.unsafeMakeSemaphore(settings.concurrency)

  const run = (token: TokenRef, depth: Depth) =>
    plans[token.chain].screen(token, depth).pipe(
      turns.withPermits(1),
      Effect.timeoutFail({ duration: settings.timeout, onTimeout: () => unavailable(token) }),
      // A fork inherits the caller's uninterruptibility, under which no time-out cuts.
      Effect.interruptible
    )

  const land = (token: TokenRef, key: string, flight: Flight, exit: Exit.Exit<Screening, ScreeningError>) =>
    Effect.gen(function* () {
      inFlight.delete(key)
      const now = yield* Clock.currentTimeMillis
      if (Exit.isSuccess(exit)) cache.put(exit.value, now)
      else if (isUnknown(exit.cause)) {
        // Also where an earlier screening would still answer for a moment: what is gone is not called safe.
        cache.drop(token)
        unknown.add(token, now)
      }
      const isCutByShutdown = Exit.isFailure(exit) && Cause.isInterruptedOnly(exit.cause)
      yield* Deferred.done(flight, isCutByShutdown ? Exit.fail(unavailable(token)) : exit)
    })

  const register = (token: TokenRef, depth: Depth): Flight => {
    const flight = Deferred.unsafeMake<Screening, ScreeningError>(FiberId.none)
    inFlight.set(flightKey(token, depth), flight)
    return flight
  }

  const underWay = (token: TokenRef, depth: Depth): Flight | undefined =>
    inFlight.get(flightKey(token, depth)) ?? inFlight.get(flightKey(token, "deep"))

  /** Looks, and registers a new flight, in one step that no other fiber can enter. */
  const board = (token: TokenRef, depth: Depth, now: number) =>
    Effect.sync((): Boarding => {
      const screening = cache.get(token, depth, now)
      if (screening !== undefined) return { _tag: "Cached", screening }
      if (unknown.has(token, now)) return { _tag: "Unknown" }
      const shared = underWay(token, depth)
      if (shared !== undefined) return { _tag: "Joined", flight: shared }
      return { _tag: "Leading", flight: register(token, depth) }
    })

  const launch = (token: TokenRef, depth: Depth, flight: Flight) =>
    run(token, depth).pipe(
      Effect.onExit((exit) => land(token, flightKey(token, depth), flight, exit)),
      Effect.forkIn(scope)
    )

  /** A token that many ask for is screened anew before its time is over, so that none of them waits. */
  const renew = (screening: Screening, now: number) =>
    Effect.suspend((): Effect.Effect<unknown> => {
      const { depth, token } = screening
      if (underWay(token, depth) !== undefined || !cache.isDue(screening, now)) return Effect.void
      return launch(token, depth, register(token, depth))
    })

  /** Uninterruptible up to the fork: what is registered is also started. */
  const enter = (token: TokenRef, depth: Depth): Effect.Effect<Boarding> =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const boarding = yield* board(token, depth, now)
      if (boarding._tag === "Leading") yield* launch(token, depth, boarding.flight)
      if (boarding._tag === "Cached") yield* renew(boarding.screening, now)
      return boarding
    }).pipe(Effect.uninterruptible)

  return { enter }
}

/** A `Screener` over the two plans; its running screenings end with the scope. */
export const makeScreener = Effect.fnUntraced(function* (plans: ChainPlans, settings: ScreenerSettings) {
  const scope = yield* Effect.scope
  const cache = makeScreeningCache({ ttl: settings.cacheTtl, capacity: settings.cacheCapacity })
  const flights = makeFlights(plans, cache, settings, scope)

  const screen = Effect.fn("Screener.screen")(function* (token: TokenRef, depth: Depth) {
    yield* Effect.annotateCurrentSpan({ chain: token.chain, token: token.address, depth })
    const boarding = yield* flights.enter(token, depth)
    if (boarding._tag === "Unknown") return yield* new UnknownToken({ token })
    return boarding._tag === "Cached"
      ? { screening: boarding.screening, cacheHit: true }
      : { screening: yield* Deferred.await(boarding.flight), cacheHit: false }
  })
  return Screener.of({ screen })
})

export const ScreenerLive = Layer.scoped(
  Screener,
  Effect.gen(function* () {
    const plans = { base: yield* BasePlan, solana: yield* SolanaPlan }
    return yield* makeScreener(plans, yield* screenerConfig)
  })
)
