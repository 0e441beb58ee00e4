import { Effect } from "effect"

/**
 * Goes on when what was asked of others until now has left. The event loop goes round twice for it: a kept connection is
 * written to when it was looked at once more, and what is asked by then would be put together before.
 */
export const hasLeft: Effect.Effect<void> = Effect.async((resume) => {
  setImmediate(() => setImmediate(() => resume(Effect.void)))
})
