import { Deferred, Duration, Effect, FiberId } from "effect"
import type { UpstreamError } from "../../../domain/errors.ts"
import type { SignatureStatus, SolanaNode } from "./node.ts"

/** How long a question waits for others to be asked with it, and how many share one call. Source of the latter: agave. */
const GATHER = Duration.millis(3)
const MOST = 256

type Answer = Deferred.Deferred<SignatureStatus, UpstreamError>

/** Asks for all that was gathered, and tells everybody what the node said of theirs. */
const answerAll = (node: Pick<SolanaNode, "statuses">, asked: ReadonlyMap<string, Answer>) =>
  node.statuses([...asked.keys()]).pipe(
    Effect.flatMap((statuses) =>
      Effect.forEach(
        [...asked.values()],
        (answer, at) => {
          const status = statuses[at]
          return status === undefined ? Effect.void : Deferred.succeed(answer, status)
        },
        { discard: true }
      )
    ),
    Effect.catchAllCause((cause) =>
      Effect.forEach(asked.values(), (answer) => Deferred.failCause(answer, cause), { discard: true })
    )
  )

/**
 * A node whose statuses are asked for together: a sale asks twice at least, and all that is asked within a few milliseconds
 * shares one call. Every answer is of that call, so none is older than its question.
 */
export const sharingStatuses = <N extends Pick<SolanaNode, "statuses">>(
  node: N
): N & Pick<SolanaNode, "status"> => {
  let gathered = new Map<string, Answer>()
  /** Asks for what is gathered by now; what comes from now on is not of it. */
  const flush = (): Effect.Effect<void> => {
    const asked = gathered
    gathered = new Map()
    // Empty where the questions were so many that they did not wait for the time.
    return asked.size === 0 ? Effect.void : answerAll(node, asked)
  }
  const status = (signature: string): Effect.Effect<SignatureStatus, UpstreamError> =>
    Effect.suspend(() => {
      const known = gathered.get(signature)
      if (known !== undefined) return Deferred.await(known)
      const answer = Deferred.unsafeMake<SignatureStatus, UpstreamError>(FiberId.none)
      gathered.set(signature, answer)
      const waiting = Deferred.await(answer)
      if (gathered.size >= MOST) return Effect.zipRight(Effect.forkDaemon(flush()), waiting)
      return gathered.size === 1
        ? Effect.zipRight(Effect.forkDaemon(Effect.delay(Effect.suspend(flush), GATHER)), waiting)
        : waiting
    })
  return { ...node, status }
}
