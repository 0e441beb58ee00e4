import { Clock, Duration, Effect } from "effect"
import { withNow } from "../../domain/now.ts"

/**
 * Caches a success for a while; a failure is asked again at once. What is fresh is handed out without the library's
 * cache, which takes fifty steps for it: every sale looks here several times.
 */
export const cached = <A, E>(effect: Effect.Effect<A, E>, age: Duration.Duration) => {
  let fresh: { readonly value: A; readonly until: number } | undefined
  const read = Effect.zipWith(effect, Clock.currentTimeMillis, (value, now) => {
    fresh = { value, until: now + Duration.toMillis(age) }
    return value
  })
  return Effect.map(Effect.cachedInvalidateWithTTL(read, age), ([get, invalidate]) => {
    const shared = Effect.tapErrorCause(get, () => invalidate)
    return withNow((now) => (fresh !== undefined && now < fresh.until ? Effect.succeed(fresh.value) : shared))
  })
}
