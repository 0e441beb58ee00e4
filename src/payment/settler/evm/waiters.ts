import { Deferred, Effect } from "effect"
import type { JobResult } from "./job.ts"
import type { Recorded } from "./recorder.ts"

/** Who waits in this process for what becomes of a payment. */
export const makeWaiters = () => {
  const waiters = new Map<string, Deferred.Deferred<JobResult>>()

  const publish = (authorizationKey: string, result: JobResult) =>
    Effect.suspend(() => {
      const waiter = waiters.get(authorizationKey)
      waiters.delete(authorizationKey)
      return waiter === undefined ? Effect.void : Effect.asVoid(Deferred.succeed(waiter, result))
    })

  return {
    /** The waiter of a payment; made when nobody waits yet. */
    of: (authorizationKey: string) =>
      Effect.gen(function* () {
        const known = waiters.get(authorizationKey)
        if (known !== undefined) return known
        const waiter = yield* Deferred.make<JobResult>()
        waiters.set(authorizationKey, waiter)
        return waiter
      }),
    keys: (): ReadonlyArray<string> => [...waiters.keys()],
    forget: (authorizationKey: string) => Effect.sync(() => waiters.delete(authorizationKey)),
    publish,
    announce: (results: ReadonlyArray<Recorded>) =>
      Effect.forEach(
        results,
        ({ authorizationKey, result }) =>
          result.state === "waiting" ? Effect.void : publish(authorizationKey, result),
        { discard: true }
      )
  }
}

export type Waiters = ReturnType<typeof makeWaiters>
