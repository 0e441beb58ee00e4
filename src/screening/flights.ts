import type { Scope } from "effect"
import { Cause, Clock, Deferred, Effect, Exit, FiberId, Option } from "effect"
import { ScreeningUnavailable } from "../domain/errors.ts"
import type { Screening } from "../domain/screening.ts"
import { type TokenRef, tokenKey } from "../domain/token.ts"
import type { ChainPlan, ScreeningError } from "./screener.ts"
import type { ScreenerSettings } from "./screener-config.ts"
import type { ScreeningCache, UnknownTokens } from "./screening-cache.ts"
import { makeUnknownTokens } from "./screening-cache.ts"

export type ChainPlans = { readonly [C in TokenRef["chain"]]: ChainPlan }

/** A screening under way. */
type Flight = Deferred.Deferred<Screening, ScreeningError>

type Boarding =
  | { readonly _tag: "Cached"; readonly screening: Screening }
  | { readonly _tag: "Unknown" }
  | { readonly _tag: "Joined" | "Leading"; readonly flight: Flight }

const isUnknown = (cause: Cause.Cause<ScreeningError>): boolean =>
  Option.exists(Cause.failureOption(cause), (error) => error._tag === "UnknownToken")

const unavailable = (token: TokenRef): ScreeningUnavailable =>
  new ScreeningUnavailable({ upstream: token.chain === "base" ? "base-rpc" : "solana-rpc" })

const makeRegister = () => {
  const inFlight = new Map<string, Flight>()
  return {
    add: (token: TokenRef): Flight => {
      const flight = Deferred.unsafeMake<Screening, ScreeningError>(FiberId.none)
      inFlight.set(tokenKey(token), flight)
      return flight
    },
    remove: (token: TokenRef): void => {
      inFlight.delete(tokenKey(token))
    },
    underWay: (token: TokenRef): Flight | undefined => inFlight.get(tokenKey(token))
  }
}

interface Parts {
  readonly plans: ChainPlans
  readonly cache: ScreeningCache
  readonly settings: ScreenerSettings
  readonly scope: Scope.Scope
  readonly unknown: UnknownTokens
  readonly register: ReturnType<typeof makeRegister>
}

/** Starts a registered flight, and tells everybody in it how it ended. */
const makeLaunch = ({ cache, plans, register, scope, settings, unknown }: Parts) => {
  const turns = Effect.unsafeMakeSemaphore(settings.concurrency)

  const run = (token: TokenRef) =>
    plans[token.chain].screen(token).pipe(
      turns.withPermits(1),
      Effect.timeoutFail({ duration: settings.timeout, onTimeout: () => unavailable(token) }),
      // A fork inherits the caller's uninterruptibility, under which no time-out cuts.
      Effect.interruptible
    )

  const land = Effect.fnUntraced(function* (
    token: TokenRef,
    flight: Flight,
    exit: Exit.Exit<Screening, ScreeningError>
  ) {
    register.remove(token)
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

  return (token: TokenRef, flight: Flight) =>
    run(token).pipe(
      Effect.onExit((exit) => land(token, flight, exit)),
      Effect.forkIn(scope)
    )
}

/**
 * Runs each token's plan once at a time, in the given scope and never in the fiber of whoever asked first: a caller
 * that disconnects leaves without taking the others along, and what it started still ends in the cache.
 */
export const makeFlights = (
  plans: ChainPlans,
  cache: ScreeningCache,
  settings: ScreenerSettings,
  scope: Scope.Scope
) => {
  const unknown = makeUnknownTokens()
  const register = makeRegister()
  const launch = makeLaunch({ plans, cache, settings, scope, unknown, register })

  /** Looks, and registers a new flight, in one step that no other fiber can enter. */
  const board = (token: TokenRef, now: number) =>
    Effect.sync((): Boarding => {
      const screening = cache.get(token, now)
      if (screening !== undefined) return { _tag: "Cached", screening }
      if (unknown.has(token, now)) return { _tag: "Unknown" }
      const shared = register.underWay(token)
      if (shared !== undefined) return { _tag: "Joined", flight: shared }
      return { _tag: "Leading", flight: register.add(token) }
    })

  /** A token that many ask for is screened anew before its time is over, so that none of them waits. */
  const renew = (screening: Screening, now: number) =>
    Effect.suspend((): Effect.Effect<unknown> => {
      const { token } = screening
      if (register.underWay(token) !== undefined || !cache.isDue(screening, now)) return Effect.void
      return launch(token, register.add(token))
    })

  /** Uninterruptible up to the fork: what is registered is also started. */
  const enter: (token: TokenRef) => Effect.Effect<Boarding> = Effect.fnUntraced(function* (token) {
    const now = yield* Clock.currentTimeMillis
    const boarding = yield* board(token, now)
    if (boarding._tag === "Leading") yield* launch(token, boarding.flight)
    if (boarding._tag === "Cached") yield* renew(boarding.screening, now)
    return boarding
  }, Effect.uninterruptible)

  return { enter }
}
