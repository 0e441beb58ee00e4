import type { Arrivals, Later } from "./arrivals.ts"

/** What is done between two rounds of the event loop at most: steps, and time spent on them. */
const STEPS_PER_TURN = 16
const TURN_MILLIS = 8

/**
 * How long steps wait at most while connections keep coming, in milliseconds; then there is a turn, also where they still
 * do. Three quarters of the time for connections: five hundred are in after 50 milliseconds.
 */
const PUT_OFF_MILLIS = 24

type Step = () => void

/** What turns stand on; tests bring their own. */
interface Rounds {
  /** Milliseconds since any moment. */
  readonly now: () => number
  readonly later: Later
}

const NODE: Rounds = { now: () => performance.now(), later: setImmediate }

/**
 * Runs steps in turns: a bounded number for each round of the event loop, peer by peer. While connections keep coming,
 * rounds are theirs.
 */
export const makeTurns = (arrivals: Arrivals, { later, now }: Rounds = NODE) => {
  const queues = new Map<string, Array<Step>>()
  let steps = 0
  let millis = 0
  let isScheduled = false
  /** When steps began to be put off; `undefined` where they are not. */
  let putOff: number | undefined

  const isPutOff = (): boolean => {
    if (!arrivals.keepComing() || queues.size === 0) return false
    putOff ??= now()
    return now() - putOff < PUT_OFF_MILLIS
  }

  const hasRoom = (): boolean => steps < STEPS_PER_TURN && millis < TURN_MILLIS

  const take = <A>(step: () => A): A => {
    const started = now()
    const result = step()
    steps += 1
    millis += now() - started
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
    if (isPutOff()) return schedule()
    putOff = undefined
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
    later(turn)
  }

  /** Runs a step at once where there is room and nobody comes or waits; `undefined` where not. */
  const takeNow = <A>(step: () => A): A | undefined => {
    schedule()
    return queues.size === 0 && hasRoom() && !arrivals.keepComing() ? take(step) : undefined
  }

  const takeLater = (peer: string, step: Step): void => {
    const queue = queues.get(peer)
    if (queue === undefined) queues.set(peer, [step])
    else queue.push(step)
    schedule()
  }

  return { takeNow, takeLater }
}
