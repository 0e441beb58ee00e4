import { Duration, Effect, Fiber } from "effect"
import type { Ledger } from "./ledger.ts"

/** Renewals in the time of a lease: three may fail before another process goes on. */
const RENEWALS = 4

/** Renews the lease of a row while `effect` drives it. A renewal that fails lets the lease run out. */
export const keepLease = <A, E, R>(
  ledger: Ledger["Type"],
  authorizationKey: string,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.acquireUseRelease(
    Effect.sleep(Duration.times(ledger.lease, 1 / RENEWALS)).pipe(
      Effect.zipRight(Effect.ignoreLogged(ledger.renew(authorizationKey))),
      Effect.forever,
      Effect.interruptible,
      Effect.forkDaemon
    ),
    () => effect,
    Fiber.interrupt
  )
