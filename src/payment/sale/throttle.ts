import { Clock, Effect } from "effect"
import { BASE_NETWORK, type Network, SOLANA_NETWORK } from "../../domain/chain.ts"
import { PayerMustWait, PaymentUnresolved } from "../../domain/errors.ts"
import { withNow } from "../../domain/now.ts"

/** Paid requests of one network that may be verified and worked for at once, in one process. */
const MAX_CONCURRENT_WORK = 64

/** Payments that failed after work was done for them, before a payer has to wait. */
const FREE_FAILURES = 3
const FIRST_WAIT_MILLIS = 5_000
const LONGEST_WAIT_MILLIS = 600_000
/** Payers, and payments, remembered; the least recently failing is forgotten first. */
const MAX_NAMES = 10_000

interface Failures {
  readonly count: number
  /** How long the wait is that the last one brought, and until when it lasts; milliseconds. */
  readonly wait: number
  readonly until: number
}

/**
 * Bounds the work that nobody pays for: a payer whose payments were verified here and then failed on chain waits longer
 * each time, and the whole process works on a bounded number of payments at once.
 */
export const makeThrottle = Effect.sync(() => {
  const working: Record<Network, number> = { [BASE_NETWORK]: 0, [SOLANA_NETWORK]: 0 }
  const failures = new Map<string, Failures>()

  /** Milliseconds left of a wait. One that began before the clock was set back begins anew: it is as long as it is. */
  const leftOf = (name: string, now: number): number => {
    const known = failures.get(name)
    if (known === undefined) return 0
    if (known.until - now > known.wait) failures.set(name, { ...known, until: now + known.wait })
    return Math.min(known.until - now, known.wait)
  }

  /**
   * Refuses a payer who has to wait. Call it only for a payer whose signature was verified.
   * @param name who or what has failed: one of his payments, where not he has to wait but that one
   */
  const admit = (payer: string, name = payer) =>
    withNow((now) => {
      const wait = leftOf(name, now)
      return wait > 0
        ? Effect.fail(new PayerMustWait({ payer, retryAfterSeconds: Math.ceil(wait / 1_000) }))
        : Effect.void
    })

  const failed = (name: string) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      const previous = failures.get(name)
      const isRecent = previous !== undefined && previous.until + LONGEST_WAIT_MILLIS > now
      const count = (isRecent ? previous.count : 0) + 1
      const wait =
        count < FREE_FAILURES
          ? 0
          : Math.min(FIRST_WAIT_MILLIS * 2 ** (count - FREE_FAILURES), LONGEST_WAIT_MILLIS)
      failures.delete(name)
      failures.set(name, { count, wait, until: now + wait })
      const oldest = failures.size > MAX_NAMES ? failures.keys().next().value : undefined
      if (oldest !== undefined) failures.delete(oldest)
    })

  const paid = (payer: string) => Effect.sync(() => failures.delete(payer))

  /** Runs one piece of work, or says "again in a second" at once when the process is full. */
  const bounded = <A, E, R>(network: Network, work: Effect.Effect<A, E, R>) =>
    Effect.uninterruptibleMask((restore): Effect.Effect<A, E | PaymentUnresolved, R> => {
      if (working[network] >= MAX_CONCURRENT_WORK)
        return Effect.fail(new PaymentUnresolved({ retryAfterSeconds: 1 }))
      working[network] += 1
      return Effect.flatMap(Effect.exit(restore(work)), (exit) => {
        working[network] -= 1
        return exit
      })
    })

  return { admit, failed, paid, bounded }
})

export type Throttle = Effect.Effect.Success<typeof makeThrottle>
