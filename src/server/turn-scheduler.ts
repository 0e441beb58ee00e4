import { Scheduler } from "effect"

/** How long fibers may keep one round of the event loop, in milliseconds. */
const ROUND_MILLIS = 10

/** What the scheduler stands on; tests bring their own. */
export interface Loop {
  /** Milliseconds since any moment. */
  readonly now: () => number
  /** Calls back before anything else happens. */
  readonly soon: (step: () => void) => void
  /** Calls back when the event loop has gone round. */
  readonly later: (step: () => void) => void
  /** Hears when a round with fibers in it has ended. */
  readonly ended: () => void
}

const SETTLED = Promise.resolve()

const NODE: Loop = {
  now: () => performance.now(),
  // A third of what `queueMicrotask` costs, which keeps track of who asked.
  soon: (step) => void SETTLED.then(step),
  later: setImmediate,
  ended: () => {}
}

/** The process's own event loop, and who hears of its rounds. */
export const nodeLoop = (ended: Loop["ended"]): Loop => ({ ...NODE, ended })

/**
 * Runs fibers in rounds of the event loop that end. The library's own scheduler runs everything that is ready, and
 * everything that becomes ready by it, before the loop goes on: sixty requests that arrive together are served to their
 * end in one go, and nobody else is heard meanwhile. Here fibers go on for ten milliseconds, counted from the first of
 * a round so that what promises do between them counts too, and the others wait for the next round, in the order in
 * which they came. Priorities, which nothing here uses, make no difference.
 */
export const makeTurnScheduler = ({ ended, later, now, soon }: Loop = NODE): Scheduler.Scheduler => {
  let ready: Array<Scheduler.Task> = []
  let taken = 0
  /** When the first fiber of this round went on; `undefined` where none has. */
  let began: number | undefined
  let isRunning = false

  const begin = (): number => {
    later(endRound)
    return (began = now())
  }

  /**
   * The first in line. The list is moved only when half of it is done: moving it for each would cost more than running
   * it.
   */
  const take = (): Scheduler.Task | undefined => {
    const task = ready[taken]
    taken += 1
    if (taken * 2 < ready.length) return task
    ready = ready.slice(taken)
    taken = 0
    return task
  }

  const run = (): void => {
    const hasRoom = now() - (began ?? begin()) < ROUND_MILLIS
    const task = hasRoom ? take() : undefined
    isRunning = hasRoom && ready.length > 0
    if (isRunning) soon(run)
    task?.()
  }

  const endRound = (): void => {
    began = undefined
    if (!isRunning && ready.length > 0) run()
    ended()
  }

  return {
    shouldYield: (fiber) => Scheduler.defaultScheduler.shouldYield(fiber),
    scheduleTask: (task) => {
      ready.push(task)
      if (isRunning || (began !== undefined && now() - began >= ROUND_MILLIS)) return
      isRunning = true
      soon(run)
    }
  }
}
