/** Most that go together: one that comes later waits for at most so many others. */
const MOST_TOGETHER = 64

/**
 * What comes in one round of the event loop, and while those before are under way, is handed over together.
 * @param run ends by calling back; it must always do so
 */
export const inRounds = <A>(
  run: (together: ReadonlyArray<A>, ended: () => void) => void
): ((one: A) => void) => {
  let waiting: Array<A> = []
  let isUnderWay = false

  const go = (): void => {
    const together = waiting.slice(0, MOST_TOGETHER)
    waiting = waiting.slice(MOST_TOGETHER)
    isUnderWay = together.length > 0
    if (isUnderWay) run(together, () => setImmediate(go))
  }

  return (one) => {
    waiting.push(one)
    if (isUnderWay) return
    isUnderWay = true
    setImmediate(go)
  }
}
