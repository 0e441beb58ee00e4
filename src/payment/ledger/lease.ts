import { Duration, Effect, Fiber, Runtime } from "effect"
import { setAlarm } from "../../domain/alarm.ts"
import type { Ledger } from "./ledger.ts"

/** Renewals in the time of a lease: three may fail before another process goes on. */
const RENEWALS = 4

/** Renews every now and then, from now on, until it is told to end: what is under way then is waited for. */
const makeRenewal = Effect.fnUntraced(function* (renew: Effect.Effect<void>, every: number) {
  const clock = yield* Effect.clock
  const runtime = yield* Effect.runtime<never>()
  let current: Fiber.RuntimeFiber<void> | undefined
  let isOver = false
  let callOff = (): void => {}
  const next = (): void => {
    current = undefined
    if (isOver) return
    callOff = setAlarm(clock, every, () => {
      current = Runtime.runFork(runtime)(renew)
      current.addObserver(next)
    })
  }
  next()
  return Effect.suspend(() => {
    isOver = true
    callOff()
    return current === undefined ? Effect.void : Effect.asVoid(Fiber.interrupt(current))
  })
})

/** Renews the lease of a row while `effect` drives it. A renewal that fails lets the lease run out. */
export const keepLease = <A, E, R>(
  ledger: Ledger["Type"],
  authorizationKey: string,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.flatMap(
      makeRenewal(
        Effect.ignoreLogged(ledger.renew(authorizationKey)),
        Duration.toMillis(ledger.lease) / RENEWALS
      ),
      (ended) => Effect.flatMap(Effect.exit(restore(effect)), (exit) => Effect.zipRight(ended, exit))
    )
  )
