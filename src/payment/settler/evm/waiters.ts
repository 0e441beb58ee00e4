import { Duration, Effect, type Option } from "effect"
import { setAlarm } from "../../../domain/alarm.ts"
import type { JobResult } from "./job.ts"
import type { Recorded } from "./recorder.ts"

/** Who waits for one payment, and what became of it once that is known. `hearers`: who registered and has not given up. */
interface Waiter {
  hearers: number
  readonly listeners: Set<(result: JobResult) => void>
  result: JobResult | undefined
}

/** The result, where it comes in time. Without a fiber of its own, as every sale waits here. */
const hear = (waiter: Waiter, patience: Duration.DurationInput): Effect.Effect<Option.Option<JobResult>> =>
  Effect.withFiberRuntime((fiber) =>
    waiter.result !== undefined
      ? Effect.succeedSome(waiter.result)
      : Effect.async((resume) => {
          let callOff = (): void => {}
          const leave = (): void => {
            callOff()
            waiter.listeners.delete(listener)
          }
          const listener = (result: JobResult): void => {
            leave()
            resume(Effect.succeedSome(result))
          }
          waiter.listeners.add(listener)
          callOff = setAlarm(fiber, Duration.toMillis(patience), () => {
            leave()
            resume(Effect.succeedNone)
          })
          return Effect.sync(leave)
        })
  )

/** Who waits in this process for what becomes of a payment. */
export const makeWaiters = () => {
  const waiters = new Map<string, Waiter>()

  /** The waiter of a payment; made when nobody waits yet. */
  const waiterOf = (authorizationKey: string): Waiter => {
    const known = waiters.get(authorizationKey)
    if (known !== undefined) return known
    const waiter: Waiter = { hearers: 0, listeners: new Set(), result: undefined }
    waiters.set(authorizationKey, waiter)
    return waiter
  }

  const tell = (authorizationKey: string, result: JobResult): void => {
    const waiter = waiters.get(authorizationKey)
    waiters.delete(authorizationKey)
    if (waiter === undefined) return
    waiter.result = result
    for (const listener of waiter.listeners) listener(result)
  }

  const giveUp = (authorizationKey: string): void => {
    const waiter = waiters.get(authorizationKey)
    if (waiter === undefined) return
    waiter.hearers -= 1
    if (waiter.hearers === 0) waiters.delete(authorizationKey)
  }

  return {
    /**
     * Registers at the waiter of a payment. Every wait of what it gives lasts for so long at most; what the waiter is told
     * before the first one or between two is heard too.
     */
    hearing: (authorizationKey: string) =>
      Effect.sync(() => {
        const waiter = waiterOf(authorizationKey)
        waiter.hearers += 1
        return (patience: Duration.DurationInput) => hear(waiter, patience)
      }),
    keys: (): ReadonlyArray<string> => [...waiters.keys()],
    /** Of somebody who gives up. Others may still wait, and hear of it. */
    forget: (authorizationKey: string) => Effect.sync(() => giveUp(authorizationKey)),
    publish: (authorizationKey: string, result: JobResult) =>
      Effect.sync(() => tell(authorizationKey, result)),
    announce: (results: ReadonlyArray<Recorded>) =>
      Effect.sync(() => {
        for (const { authorizationKey, result } of results)
          if (result.state !== "waiting") tell(authorizationKey, result)
      })
  }
}

/** Waits for what a payment's waiter is told, for so long at most. */
export type Hear = Effect.Effect.Success<ReturnType<Waiters["hearing"]>>

export type Waiters = ReturnType<typeof makeWaiters>
