/** What is done between two rounds of the event loop at most: steps, and time spent on them. */
const STEPS_PER_TURN = 16
const TURN_MILLIS = 8

type Step = () => void

/** Runs steps in turns: a bounded number for each round of the event loop, peer by peer. */
export const makeTurns = () => {
  const queues = new Map<string, Array<Step>>()
  let steps = 0
  let millis = 0
  let isScheduled = false

  const hasRoom = (): boolean => steps < STEPS_PER_TURN && millis < TURN_MILLIS

  const take = <A>(step: () => A): A => {
    const started = performance.now()
    const result = step()
    steps += 1
    millis += performance.now() - started
    return result
  }

  const takeNext = (peer: string, queue: Array<Step>): void => {
    const step = queue.shift()
    // A peer that has had its turn stands behind all others.
    queues.delete(peer)
    if (queue.length > 0) queues.set(peer, queue)
    if (step !== undefined) take(step)
  }

  const turn = (): void => {
    isScheduled = false
    steps = 0
    millis = 0
    // A map gives what was set while it is walked its turn too, at the end.
    for (const [peer, queue] of queues) {
      if (!hasRoom()) break
      takeNext(peer, queue)
    }
    if (queues.size > 0) schedule()
  }

  const schedule = (): void => {
    if (isScheduled) return
    isScheduled = true
    setImmediate(turn)
  }

  /** Runs a step at once where there is room and nobody waits; `undefined` where not. */
  const takeNow = <A>(step: () => A): A | undefined => {
    schedule()
    return queues.size === 0 && hasRoom() ? take(step) : undefined
  }

  const takeLater = (peer: string, step: Step): void => {
    const queue = queues.get(peer)
    if (queue === undefined) queues.set(peer, [step])
    else queue.push(step)
    schedule()
  }

  return { takeNow, takeLater }
}
