import { Deferred, Effect, type Either, FiberId } from "effect"

/** How questions are gathered. */
export interface Gathering<Q, A, E> {
  /** Goes on when those that came meanwhile may share the call of the first one. */
  readonly pause: Effect.Effect<void>
  /** Questions of one call. */
  readonly most: number
  /** The answers, in the order of the questions. What it leaves out nobody answers: it must not. */
  readonly answer: (questions: ReadonlyArray<Q>) => Effect.Effect<ReadonlyArray<Either.Either<A, E>>, E>
}

interface Asked<Q, A, E> {
  readonly question: Q
  readonly told: Deferred.Deferred<A, E>
}

const tell = <Q, A, E>(
  asked: ReadonlyArray<Asked<Q, A, E>>,
  of: (at: number) => Effect.Effect<A, E>
): Effect.Effect<void> =>
  Effect.sync(() => {
    for (const [at, { told }] of asked.entries()) Deferred.unsafeDone(told, of(at))
  })

const answerAll = <Q, A, E>(
  { answer }: Gathering<Q, A, E>,
  asked: ReadonlyArray<Asked<Q, A, E>>
): Effect.Effect<void> =>
  Effect.suspend(() => answer(asked.map(({ question }) => question))).pipe(
    // Whoever began this could not be interrupted, and this inherits it: no time limit would end the call.
    Effect.interruptible,
    Effect.matchCauseEffect({
      onFailure: (cause) => tell(asked, () => Effect.failCause(cause)),
      onSuccess: (answers) =>
        tell(asked, (at) => answers[at] ?? Effect.dieMessage("a question was left out of the answers"))
    })
  )

/**
 * `gathering`, for whoever does something else meanwhile: asks at once, and what it gives waits for the answer.
 */
export const gatheringAhead = <Q, A, E>(
  by: Gathering<Q, A, E>
): ((question: Q) => Effect.Effect<Effect.Effect<A, E>>) => {
  let gathered: Array<Asked<Q, A, E>> = []
  /** Asks what is gathered by now; what comes from now on is not of it. */
  const flush = (): Effect.Effect<void> => {
    const asked = gathered
    gathered = []
    // Empty where the questions were so many that they did not wait for the time.
    return asked.length === 0 ? Effect.void : answerAll(by, asked)
  }
  const ask = (question: Q): Effect.Effect<Effect.Effect<A, E>> =>
    Effect.suspend(() => {
      const told = Deferred.unsafeMake<A, E>(FiberId.none)
      gathered.push({ question, told })
      const waiting = Deferred.await(told)
      if (gathered.length >= by.most) return Effect.as(Effect.forkDaemon(flush()), waiting)
      return gathered.length === 1
        ? Effect.as(Effect.forkDaemon(Effect.zipRight(by.pause, Effect.suspend(flush))), waiting)
        : Effect.succeed(waiting)
    })
  // Whoever is interrupted has begun the call, or has not come: nobody would begin it for those who come after.
  return (question) => Effect.uninterruptible(ask(question))
}

/**
 * Asks questions of one moment together: the first waits for others, and all share one call. Every answer is of a call that
 * began after its question, so none is older than it. Whoever goes away leaves the call to the others.
 */
export const gathering = <Q, A, E>(by: Gathering<Q, A, E>): ((question: Q) => Effect.Effect<A, E>) => {
  const ask = gatheringAhead(by)
  return (question) => Effect.flatten(ask(question))
}
