import { Duration, Effect, Fiber, Schedule } from "effect"
import type { Ledger } from "./ledger.ts"

/** How long a row belongs to the process that drives it: the wait after a crash before another may go on. */
export const LEASE = Duration.seconds(20)
const RENEWAL = Duration.seconds(5)

/** Renews the lease of a row while `effect` drives it. A renewal that fails lets the lease run out. */
export const keepLease = <A, E, R>(
  ledger: Ledger["Type"],
  authorizationKey: string,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.acquireUseRelease(
    Effect.ignoreLogged(ledger.renew(authorizationKey)).pipe(
      Effect.schedule(Schedule.spaced(RENEWAL)),
      Effect.interruptible,
      Effect.forkDaemon
    ),
    () => effect,
    Fiber.interrupt
  )
