import { Effect } from "effect"

/**
 * Lets so many callers go on in one round of the event loop; the others wait for a later round, in order. For
 * promise-based work of libraries, which would all be done before the loop goes on, however many begin it together.
 */
export const makePace = (perRound: number): Effect.Effect<void> => {
  const waiting = new Set<() => void>()
  let begun = 0

  const go = (next: () => void): void => {
    if (begun === 0) setImmediate(endRound)
    begun += 1
    next()
  }

  const endRound = (): void => {
    begun = 0
    for (const next of waiting) {
      if (begun === perRound) return
      waiting.delete(next)
      go(next)
    }
  }

  return Effect.async<void>((resume) => {
    const next = () => resume(Effect.void)
    if (waiting.size === 0 && begun < perRound) return go(next)
    waiting.add(next)
    return Effect.sync(() => waiting.delete(next))
  })
}
