import { Clock, Effect, Schedule, type Scope } from "effect"
import type { RequestClass } from "./classes.ts"

/** Milliseconds without a refusal after which a class is said to have room again. */
const CALM = 10_000

export interface Changes {
  /** Takes note of a request that was refused for want of room or budget. */
  readonly refused: (requestClass: RequestClass, status: number) => Effect.Effect<void>
}

/**
 * Tells the log when a class begins to refuse requests and when it has refused none for a while: a line each, however
 * many are refused in between.
 */
export const makeChanges: Effect.Effect<Changes, never, Scope.Scope> = Effect.gen(function* () {
  const refusing = new Map<RequestClass, { readonly last: number; readonly count: number }>()

  const refused = (requestClass: RequestClass, status: number) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const known = refusing.get(requestClass)
      refusing.set(requestClass, { last: now, count: (known?.count ?? 0) + 1 })
      if (known !== undefined) return Effect.void
      return Effect.logWarning("admission refuses requests").pipe(
        Effect.annotateLogs({ class: requestClass, status })
      )
    })

  const tellCalm = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    for (const [requestClass, { count, last }] of refusing) {
      if (now - last < CALM) continue
      refusing.delete(requestClass)
      yield* Effect.logInfo("admission has room again").pipe(
        Effect.annotateLogs({ class: requestClass, refused: count })
      )
    }
  })
  yield* Effect.forkScoped(Effect.repeat(tellCalm, Schedule.spaced(CALM)))
  return { refused }
})
