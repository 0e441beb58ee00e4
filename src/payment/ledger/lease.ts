import { Duration, Effect, Fiber, Runtime } from "effect"
import { setAlarm, type Surroundings } from "../../domain/alarm.ts"
import type { Ledger } from "./ledger.ts"

/** Renewals in the time of a lease: three may fail before another process goes on. */
const RENEWALS = 4

/** Renews every now and then, from now on, until it is told to end: what is under way then is waited for. */
const makeRenewal = (
  around: Surroundings,
  runtime: Runtime.Runtime<never>,
  renew: Effect.Effect<void>,
  every: number
) => {
  let current: Fiber.RuntimeFiber<void> | undefined
  let isOver = false
  let callOff = (): void => {}
  const next = (): void => {
    current = undefined
    if (isOver) return
    callOff = setAlarm(around, every, () => {
      current = Runtime.runFork(runtime)(renew, { scheduler: around.currentScheduler })
      current.addObserver(next)
    })
  }
  next()
  return Effect.suspend(() => {
    isOver = true
    callOff()
    return current === undefined ? Effect.void : Effect.asVoid(Fiber.interrupt(current))
  })
}

/** Renews the lease of a row while `effect` drives it. A renewal that fails lets the lease run out. */
export const keepLease = <A, E, R>(
  ledger: Ledger["Type"],
  authorizationKey: string,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.flatMap(Effect.runtime<never>(), (runtime) =>
      Effect.withFiberRuntime((fiber) => {
        // Made when it is due: hardly any sale takes so long.
        const renew = Effect.ignoreLogged(Effect.suspend(() => ledger.renew(authorizationKey)))
        const ended = makeRenewal(fiber, runtime, renew, Duration.toMillis(ledger.lease) / RENEWALS)
        return Effect.flatMap(Effect.exit(restore(effect)), (exit) => Effect.zipRight(ended, exit))
      })
    )
  )
