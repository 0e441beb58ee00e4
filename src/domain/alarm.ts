import { Clock, Context, Duration, Effect, type Fiber } from "effect"
import { LinkedList } from "./linked-list.ts"

/** Whose clock it is, and what its fibers run on: a fiber, which sees to both. */
export type Surroundings = Pick<
  Fiber.RuntimeFiber<unknown, unknown>,
  "currentDefaultServices" | "currentScheduler"
>

interface Entry {
  /** Milliseconds by the clock that is never set back. */
  readonly at: number
  readonly ring: () => void
}

/** What is due after the same time, and so in the order in which it was set. */
interface Watch {
  readonly entries: LinkedList<Entry>
  readonly sleeper: Fiber.RuntimeFiber<void>
}

/** By clock, because a test has its own, and by milliseconds. */
const watches = new WeakMap<Clock.Clock, Map<number, Watch>>()

const watchesOf = (clock: Clock.Clock): Map<number, Watch> => {
  const known = watches.get(clock)
  if (known !== undefined) return known
  const made = new Map<number, Watch>()
  watches.set(clock, made)
  return made
}

const now = (clock: Clock.Clock): number => Number(clock.unsafeCurrentTimeNanos() / 1_000n) / 1_000

/** Rings what is due, in its turn, until nothing is left; then it is `over`, in the same step. */
const attend = (clock: Clock.Clock, entries: LinkedList<Entry>, over: () => void): Effect.Effect<void> =>
  Effect.suspend(() => {
    for (let node = entries.first(); node !== undefined; node = entries.first()) {
      const left = Math.ceil(node.value.at - now(clock))
      if (left > 0) return Effect.zipRight(clock.sleep(Duration.millis(left)), attend(clock, entries, over))
      entries.remove(node)
      node.value.ring()
    }
    over()
    return Effect.void
  })

const open = (
  { currentScheduler: scheduler }: Surroundings,
  clock: Clock.Clock,
  millis: number,
  entries: LinkedList<Entry>
): Watch => {
  const known = watchesOf(clock)
  const attended = attend(clock, entries, () => void known.delete(millis))
  const sleeper = Effect.runFork(attended, { scheduler })
  const watch = { entries, sleeper }
  // Due at once, it has rung already.
  if (entries.first() !== undefined) known.set(millis, watch)
  return watch
}

/**
 * Calls `ring` after so many milliseconds unless it is called off before, by what is returned. All that wait equally long
 * share one fiber: a sale sets half a dozen time limits, none of which is reached, and a fiber for each took a tenth of
 * its steps. `ring` must not throw.
 */
export const setAlarm = (around: Surroundings, millis: number, ring: () => void): (() => void) => {
  const clock = Context.get(around.currentDefaultServices, Clock.Clock)
  const before = watchesOf(clock).get(millis)
  const entries = before?.entries ?? new LinkedList<Entry>()
  const node = entries.add({ at: now(clock) + millis, ring })
  const { sleeper } = before ?? open(around, clock, millis, entries)
  return () => {
    if (!entries.remove(node) || entries.first() !== undefined) return
    // Nobody waits: its timer must not keep a process alive that is done.
    watchesOf(clock).delete(millis)
    sleeper.unsafeInterruptAsFork(sleeper.id())
  }
}
