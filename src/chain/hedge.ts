import { Clock, Effect, Fiber } from "effect"

/**
 * Of the calls of a pool, one in so many may go to a second endpoint: where every node is slow, doubling the load does
 * not help.
 */
const ONE_OF = 10
/** Second calls that may be saved up. */
const MOST_SAVED = 5
/** How many times longer than usual a call takes that goes to a second endpoint. */
const TIMES_LONGER = 4
const LEAST_MILLIS = 100
/** Weight of the newest call in what is usual. */
const WEIGHT = 1 / 8

/** Methods that must not run twice without need. Nodes take the same transaction once, and count it twice. */
const SENDS: ReadonlySet<string> = new Set(["eth_sendRawTransaction", "sendTransaction"])

/** Asking a second endpoint for what the first one is slow to answer. */
export interface Hedge {
  /**
   * Runs `first`; when it takes much longer than similar calls do, `second` runs beside it. As soon as `isDone` holds
   * after one of them, the other is ended; else both run to their end. Answers whether `second` ran.
   */
  readonly race: (parts: {
    readonly methods: ReadonlyArray<string>
    readonly first: Effect.Effect<void>
    readonly second: Effect.Effect<void>
    readonly isDone: () => boolean
  }) => Effect.Effect<boolean>
}

/**
 * A hedge for one pool. What is usual is learned from calls that were answered; until then a call is long after half of
 * its time-out.
 * @param attemptMillis time-out of one exchange
 */
export const makeHedge = (attemptMillis: number): Hedge => {
  let usual: number | undefined
  let saved = 1

  const learn = (millis: number): void => {
    usual = usual === undefined ? millis : usual + (millis - usual) * WEIGHT
    saved = Math.min(MOST_SAVED, saved + 1 / ONE_OF)
  }
  const patience = (): number =>
    usual === undefined
      ? attemptMillis / 2
      : Math.min(attemptMillis / 2, Math.max(LEAST_MILLIS, usual * TIMES_LONGER))

  const mayAsk = (): boolean => {
    if (saved < 1) return false
    saved -= 1
    return true
  }

  return {
    race: ({ first, isDone, methods, second }) => {
      const timed = Effect.flatMap(Clock.currentTimeMillis, (started) =>
        Effect.zipLeft(
          first,
          Effect.map(Clock.currentTimeMillis, (ended) => (isDone() ? learn(ended - started) : undefined))
        )
      )
      if (methods.some((method) => SENDS.has(method))) return Effect.as(timed, false)
      return Effect.gen(function* () {
        let isAsked = false
        const beside = Effect.suspend(() => {
          if (!mayAsk()) return Effect.void
          isAsked = true
          return second
        })
        const fiber = yield* Effect.fork(Effect.delay(beside, patience()))
        const won = Effect.flatMap(Fiber.join(fiber), () => (isDone() ? Effect.void : Effect.never))
        yield* Effect.raceFirst(timed, won)
        // The second may be about to answer what the first could not.
        yield* isAsked && !isDone() ? Fiber.join(fiber) : Fiber.interrupt(fiber)
        return isAsked
      })
    }
  }
}
