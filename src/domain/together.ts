import { Duration, Effect, Exit, type Fiber } from "effect"
import { setAlarm, type Surroundings } from "./alarm.ts"

type Child<A, E> = Fiber.RuntimeFiber<A, E>

/** Ends fibers that nobody needs any more, and waits until they have ended. */
const end = (fibers: ReadonlyArray<Child<unknown, unknown>>): Effect.Effect<void> =>
  Effect.fiberIdWith((by) => {
    for (const fiber of fibers) fiber.unsafeInterruptAsFork(by)
    return Effect.forEach(fibers, (fiber) => fiber.await, { discard: true })
  })

/** How long something may take, and what it fails with when it takes longer. */
export interface Limit<E> {
  readonly duration: Duration.DurationInput
  readonly late: () => E
}

/** Fails whoever waits when the limit is passed; what is returned calls it off. */
const watch = <E>(
  around: Surroundings,
  { duration, late }: Limit<E>,
  resume: (failed: Effect.Effect<never, E>) => void
): (() => void) => setAlarm(around, Duration.toMillis(duration), () => resume(Effect.failSync(late)))

/** Two fibers, and what they came to as soon as one has failed, both have succeeded, or the limit is passed. */
const meeting = <A, E, B, E2, E3>(
  around: Surroundings,
  one: Child<A, E>,
  other: Child<B, E2>,
  limit: Limit<E3> | undefined
) => {
  let callOff = (): void => {}
  const outcome = Effect.async<readonly [A, B], E | E2 | E3>((resume) => {
    if (limit !== undefined) callOff = watch(around, limit, resume)
    let [first, second]: [Exit.Exit<A, E> | undefined, Exit.Exit<B, E2> | undefined] = [undefined, undefined]
    const look = (): void => {
      if (first !== undefined && Exit.isFailure(first)) resume(Effect.failCause(first.cause))
      else if (second !== undefined && Exit.isFailure(second)) resume(Effect.failCause(second.cause))
      else if (first !== undefined && second !== undefined) {
        callOff()
        resume(Effect.succeed([first.value, second.value] as const))
      }
    }
    one.addObserver((exit) => {
      first = exit
      look()
    })
    other.addObserver((exit) => {
      second = exit
      look()
    })
  })
  const ended = Effect.suspend(() => {
    callOff()
    return end([one, other])
  })
  return { outcome, ended }
}

/**
 * Runs two effects at once, within a limit where one is given; the failure of one interrupts the other. As `Effect.all`
 * does it, at a third of what that takes for lists of any length: it is on the path of every sale. What the effects set in
 * fiber refs is not handed on: that copies every fiber ref three times for each of them, and nobody here sets any for
 * whoever waits.
 */
export const both = <A, E, R, B, E2, R2, E3 = never>(
  first: Effect.Effect<A, E, R>,
  second: Effect.Effect<B, E2, R2>,
  limit?: Limit<E3>
): Effect.Effect<readonly [A, B], E | E2 | E3, R | R2> =>
  Effect.withFiberRuntime((around) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(Effect.fork(restore(first)), (one) =>
        Effect.flatMap(Effect.fork(restore(second)), (other) => {
          const { ended, outcome } = meeting(around, one, other, limit)
          return Effect.onError(restore(outcome), () => ended)
        })
      )
    )
  )

/**
 * Runs an effect for so long at most; then it is interrupted, and once it has ended `late` decides. As
 * `Effect.timeoutFail` does it, at a third of its cost; what the effect sets in fiber refs is not handed on here either.
 */
export const within = <A, E, R, B, E2, R2>(
  effect: Effect.Effect<A, E, R>,
  duration: Duration.DurationInput,
  late: Effect.Effect<B, E2, R2>
): Effect.Effect<A | B, E | E2, R | R2> =>
  Effect.withFiberRuntime((fiber) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(Effect.fork(restore(effect)), (worker) => {
        let callOff = (): void => {}
        /** How the worker ended; nothing when the clock was faster. */
        const raced = Effect.async<Exit.Exit<A, E> | undefined>((resume) => {
          callOff = setAlarm(fiber, Duration.toMillis(duration), () => resume(Effect.succeed(undefined)))
          worker.addObserver((exit) => {
            callOff()
            resume(Effect.succeed(exit))
          })
        })
        const interrupted = Effect.suspend(() => {
          callOff()
          return end([worker])
        })
        return Effect.flatMap(
          Effect.onInterrupt(restore(raced), () => interrupted),
          (exit): Effect.Effect<A | B, E | E2, R2> =>
            exit === undefined ? Effect.zipRight(end([worker]), restore(late)) : exit
        )
      })
    )
  )
