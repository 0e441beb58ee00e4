import { Clock, Duration, Effect } from "effect"
import { withNow } from "./now.ts"

/**
 * Caches a success for a while; a failure is asked again at once, and so is what a clock read that was set back since: it
 * would be taken for fresh until that clock is where it was. What is fresh is handed out without the library's cache,
 * which takes fifty steps for it: every sale looks here several times.
 */
export const cached = <A, E, R>(effect: Effect.Effect<A, E, R>, age: Duration.Duration) => {
  let fresh: { readonly value: A; readonly from: number } | undefined
  const read = Effect.zipWith(effect, Clock.currentTimeMillis, (value, now) => {
    fresh = { value, from: now }
    return value
  })
  return Effect.map(Effect.cachedInvalidateWithTTL(read, age), ([get, invalidate]) => {
    const shared = Effect.tapErrorCause(get, () => invalidate)
    return withNow((now) => {
      if (fresh === undefined || now >= fresh.from + Duration.toMillis(age)) return shared
      if (now >= fresh.from) return Effect.succeed(fresh.value)
      fresh = undefined
      return Effect.zipRight(invalidate, shared)
    })
  })
}
