import { Clock, Context, Duration, Effect, type Fiber } from "effect"

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
interface Line {
  readonly entries: Set<Entry>
  sleeper: Fiber.RuntimeFiber<void>
}

/** By clock, because a test has its own, and by milliseconds. */
const lines = new WeakMap<Clock.Clock, Map<number, Line>>()

const linesOf = (clock: Clock.Clock): Map<number, Line> => {
  const known = lines.get(clock) ?? new Map<number, Line>()
  lines.set(clock, known)
  return known
}

const now = (clock: Clock.Clock): number => Number(clock.unsafeCurrentTimeNanos() / 1_000n) / 1_000

/** Rings what is due, in its turn, until nothing is left; then it is `over`, in the same step. */
const attend = (clock: Clock.Clock, entries: Set<Entry>, over: () => void): Effect.Effect<void> =>
  Effect.suspend(() => {
    for (const entry of entries) {
      const left = Math.ceil(entry.at - now(clock))
      if (left > 0) return Effect.zipRight(clock.sleep(Duration.millis(left)), attend(clock, entries, over))
      entries.delete(entry)
      entry.ring()
    }
    over()
    return Effect.void
  })

const open = (
  { currentScheduler: scheduler }: Surroundings,
  clock: Clock.Clock,
  millis: number,
  first: Entry
): Line => {
  const known = linesOf(clock)
  const entries = new Set([first])
  const attended = attend(clock, entries, () => void known.delete(millis))
  const sleeper = Effect.runFork(attended, { scheduler })
  const line = { entries, sleeper }
  // Due at once, it has rung already.
  if (entries.size > 0) known.set(millis, line)
  return line
}

/**
 * Calls `ring` after so many milliseconds unless it is called off before, by what is returned. All that wait equally long
 * share one fiber: a sale sets half a dozen time limits, none of which is reached, and a fiber for each took a tenth of
 * its steps. `ring` must not throw.
 */
export const setAlarm = (around: Surroundings, millis: number, ring: () => void): (() => void) => {
  const clock = Context.get(around.currentDefaultServices, Clock.Clock)
  const known = linesOf(clock)
  const entry: Entry = { at: now(clock) + millis, ring }
  const before = known.get(millis)
  before?.entries.add(entry)
  const line = before ?? open(around, clock, millis, entry)
  return () => {
    if (!line.entries.delete(entry) || line.entries.size > 0) return
    // Nobody waits: its timer must not keep a process alive that is done.
    known.delete(millis)
    line.sleeper.unsafeInterruptAsFork(line.sleeper.id())
  }
}
