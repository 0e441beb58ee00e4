import { Cause, Deferred, Duration, Effect, Exit, Fiber, FiberId, FiberSet, Option } from "effect"
import type { SaleError } from "../../domain/errors.ts"
import { again, alreadyUsed, isSame, isSaleError, type Presented } from "./attempt.ts"
import type { Sold } from "./sale.ts"

/** How long a repeated payment waits for the request that is being served with it. */
const WAIT = Duration.seconds(25)
/** How long a stopping process waits for sales it has begun. */
const DRAIN = Duration.seconds(20)

/** What a request that is being served tells those that wait for it; `None` when it gave its payment back. */
type Shared = Option.Option<Effect.Effect<Sold, SaleError>>

/** A request of this process that is being served with a payment. */
export interface InFlight {
  readonly fingerprint: string
  readonly payload: string
  readonly done: Deferred.Deferred<Shared>
}

/** Payment failures hold for everyone with the same payment; failed or stopped work may succeed for the next. */
const shareable = (exit: Exit.Exit<Option.Option<Sold>, unknown>): Shared => {
  if (Exit.isSuccess(exit)) return Option.map(exit.value, Effect.succeed)
  return Option.map(Option.filter(Cause.failureOption(exit.cause), isSaleError), Effect.fail)
}

/** A sold answer as everyone but the first gets it. */
export const replayed = (sold: Sold): Sold => ({ ...sold, replayed: true })

/** What a sale came to. `Fiber.join` would also copy every fiber ref, and a sale sets none for whoever waits. */
const outcomeOf = <A, E>(fiber: Fiber.RuntimeFiber<A, E>): Effect.Effect<A, E> => Effect.flatten(fiber.await)

/** Between a caller who may still stop the work and the point of no return: whoever comes first decides. */
const makePhase = () => {
  let phase: "working" | "settling" | "cancelled" = "working"
  const enter = (next: "settling" | "cancelled"): boolean => {
    if (phase === "working") phase = next
    return phase === next
  }
  return {
    begin: Effect.suspend(() => (enter("settling") ? Effect.void : Effect.interrupt)),
    isCancelled: (): boolean => enter("cancelled")
  }
}

/**
 * At most one request of this process works with one payment; the others wait for its outcome. Requests run in fibers
 * of the application, so that no caller's disconnect cuts a settlement off.
 */
export const makeSingleFlight = Effect.gen(function* () {
  const inFlight = new Map<string, InFlight>()
  const fibers = yield* FiberSet.make<unknown, unknown>()
  yield* Effect.addFinalizer(() =>
    FiberSet.awaitEmpty(fibers).pipe(Effect.interruptible, Effect.timeoutOption(DRAIN))
  )

  const launch = <A extends Option.Option<Sold>, E, R>(
    attempt: Presented,
    served: Effect.Effect<A, E, R>
  ) => {
    const { fingerprint, key, payload } = attempt
    const entry: InFlight = { fingerprint, payload, done: Deferred.unsafeMake(FiberId.none) }
    inFlight.set(key, entry)
    return FiberSet.run(
      fibers,
      Effect.onExit(Effect.interruptible(served), (exit) =>
        Effect.zipRight(
          Effect.sync(() => inFlight.delete(key)),
          Deferred.succeed(entry.done, shareable(exit))
        )
      )
    )
  }

  return {
    /** The request of this process that works with this payment. */
    find: (key: string): InFlight | undefined => inFlight.get(key),
    /** Its outcome; `None` when it gave the payment back. */
    follow: (attempt: Presented, leader: InFlight): Effect.Effect<Option.Option<Sold>, SaleError> =>
      isSame(attempt, leader)
        ? Deferred.await(leader.done).pipe(
            Effect.flatMap(Effect.transposeOption),
            Effect.map(Option.map(replayed)),
            Effect.timeoutFail({ duration: WAIT, onTimeout: again })
          )
        : Effect.fail(alreadyUsed(attempt)),
    /** Works with this payment to the end, even when the caller hangs up. */
    run: <A extends Option.Option<Sold>, E, R>(attempt: Presented, served: Effect.Effect<A, E, R>) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.flatMap(launch(attempt, served), (fiber) => restore(outcomeOf(fiber)))
      ),
    /**
     * The same for work the caller may still stop: until `served` runs the effect it is given, the point of no return.
     */
    runUntil: <A extends Option.Option<Sold>, E, R>(
      attempt: Presented,
      served: (begin: Effect.Effect<void>) => Effect.Effect<A, E, R>
    ) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.suspend(() => {
          const { begin, isCancelled } = makePhase()
          return Effect.flatMap(launch(attempt, served(begin)), (fiber) =>
            Effect.onInterrupt(restore(outcomeOf(fiber)), () =>
              isCancelled() ? Fiber.interruptFork(fiber) : Effect.void
            )
          )
        })
      )
  }
})

export type SingleFlight = Effect.Effect.Success<typeof makeSingleFlight>
