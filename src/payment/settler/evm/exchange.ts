import { Effect } from "effect"
import type { HeldKeys } from "./held-keys.ts"
import type { InLine, SettlementJournal, WaitingJobs } from "./journal.ts"
import type { JobQueue } from "./pump.ts"
import type { Waiters } from "./waiters.ts"

interface ExchangeOptions {
  readonly queue: JobQueue
  readonly journal: SettlementJournal["Type"]
  readonly waiters: Waiters
  readonly held: Pick<HeldKeys, "isAnyHeld" | "wakeAll">
}

const NOBODY: WaitingJobs = { jobs: [], last: undefined }

/** What passes between processes, through the journal: payments to whoever holds a key, and results back. */
export const makeExchange = ({ held, journal, queue, waiters }: ExchangeOptions) => {
  /** Up to where a look has seen those that wait: the next one goes on behind it, so that none hides another. */
  let seen: InLine | undefined

  /** Without a key here, what waits belongs to a process that has one. */
  const handOver = Effect.gen(function* () {
    for (const [authorizationKey, { job }] of queue) {
      yield* journal.offer(job)
      queue.delete(authorizationKey)
    }
  })

  return {
    handOver,
    /** Stores what still waits here, for everyone to see, before its caller is sent away. */
    store: Effect.fnUntraced(function* (authorizationKey: string) {
      const entry = queue.get(authorizationKey)
      if (entry === undefined || entry.stored) return
      yield* journal.offer(entry.job)
      if (queue.has(authorizationKey)) queue.set(authorizationKey, { ...entry, stored: true })
    }),
    /** One look at what other processes hand over, or have settled for this one; whether more is to be expected. */
    exchange: Effect.gen(function* () {
      const isHolder = yield* held.isAnyHeld
      const { jobs: waiting, last } = isHolder ? yield* journal.waiting(seen) : NOBODY
      seen = last
      for (const job of waiting) {
        if (!queue.has(job.authorizationKey)) queue.set(job.authorizationKey, { job, stored: true })
      }
      if (!isHolder && queue.size > 0) yield* handOver
      if (queue.size > 0) yield* held.wakeAll
      const elsewhere = waiters.keys().filter((key) => !queue.has(key))
      const finished = yield* journal.finished(elsewhere)
      for (const { authorizationKey, result } of finished) yield* waiters.publish(authorizationKey, result)
      return waiting.length > 0 || finished.length > 0 || (!isHolder && elsewhere.length > 0)
    })
  }
}

export type Exchange = ReturnType<typeof makeExchange>
