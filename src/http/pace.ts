import { Effect } from "effect"
import { LinkedList } from "../domain/linked-list.ts"

/**
 * Lets so many callers go on in one round of the event loop; the others wait for a later round, in order. For
 * promise-based work of libraries, which would all be done before the loop goes on, however many begin it together.
 */
export const makePace = (perRound: number): Effect.Effect<void> => {
  const waiting = new LinkedList<() => void>()
  let begun = 0

  const go = (next: () => void): void => {
    if (begun === 0) setImmediate(endRound)
    begun += 1
    next()
  }

  const endRound = (): void => {
    begun = 0
    for (let next = waiting.first(); next !== undefined; next = waiting.first()) {
      if (begun === perRound) return
      waiting.remove(next)
      go(next.value)
    }
  }

  return Effect.async<void>((resume) => {
    const next = () => resume(Effect.void)
    if (waiting.first() === undefined && begun < perRound) return go(next)
    const node = waiting.add(next)
    return Effect.sync(() => waiting.remove(node))
  })
}
