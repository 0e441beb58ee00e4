import { Clock, Duration, Effect, Logger, LogLevel, RuntimeFlags, RuntimeFlagsPatch, Scheduler } from "effect"

interface Timer {
  readonly at: number
  readonly order: number
  readonly fire: () => void
}

const isBefore = (a: Timer, b: Timer): boolean => a.at < b.at || (a.at === b.at && a.order < b.order)

/** Fibers run on until they wait: there is nobody else whom a long one would keep. */
class Unhurried extends Scheduler.MixedScheduler {
  constructor() {
    super(Number.MAX_SAFE_INTEGER)
  }
  override shouldYield(): false {
    return false
  }
}

/** Nobody looks at the spans of a thousand stories, nor counts their fibers. */
const unwatched = RuntimeFlagsPatch.disable(RuntimeFlags.RuntimeMetrics)

/**
 * Time that passes only when nothing else can happen. Everything in a simulation waits by it, so an hour takes as long
 * as what happens in it, and the same seed gives the same order of events.
 */
export class VirtualTime {
  private readonly heap: Array<Timer> = []
  private readonly cancelled = new Set<Timer>()
  private order = 0

  /** Unix milliseconds. */
  now: number

  private readonly level: LogLevel.LogLevel

  constructor(now: number, level: LogLevel.LogLevel = LogLevel.None) {
    this.now = now
    this.level = level
  }

  /** Calls back after some milliseconds; the result takes it back. */
  after(millis: number, fire: () => void): () => void {
    const timer = { at: this.now + Math.max(0, millis), order: (this.order += 1), fire }
    this.push(timer)
    return () => void this.cancelled.add(timer)
  }

  wait(millis: number): Promise<void> {
    return new Promise((resolve) => this.after(millis, resolve))
  }

  /** Lets everything run until `isOver`, or until nothing is left to wait for. */
  async run(isOver: () => boolean): Promise<void> {
    for (;;) {
      // Promises and fibers go first: they run in microtasks, which all end before the next macrotask.
      await new Promise((next) => setImmediate(next))
      if (isOver()) return
      const timer = this.pop()
      if (timer === undefined) return
      this.now = Math.max(this.now, timer.at)
      timer.fire()
    }
  }

  readonly clock: Clock.Clock = {
    [Clock.ClockTypeId]: Clock.ClockTypeId,
    unsafeCurrentTimeMillis: () => this.now,
    unsafeCurrentTimeNanos: () => BigInt(this.now) * 1_000_000n,
    currentTimeMillis: Effect.sync(() => this.now),
    currentTimeNanos: Effect.sync(() => BigInt(this.now) * 1_000_000n),
    sleep: (duration) =>
      Effect.async((resume) => {
        const cancel = this.after(Duration.toMillis(duration), () => resume(Effect.void))
        return Effect.sync(cancel)
      })
  }

  /** Runs an effect on this time, in microtasks only. */
  readonly on = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    effect.pipe(
      Effect.withClock(this.clock),
      Effect.withScheduler(new Unhurried()),
      Logger.withMinimumLogLevel(this.level),
      Effect.withTracerEnabled(false),
      Effect.withRuntimeFlagsPatch(unwatched)
    )

  private push(timer: Timer): void {
    const { heap } = this
    let at = heap.push(timer) - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      const above = heap[parent]
      if (above === undefined || !isBefore(timer, above)) break
      heap[at] = above
      heap[parent] = timer
      at = parent
    }
  }

  private pop(): Timer | undefined {
    for (;;) {
      const [top] = this.heap
      const last = this.heap.pop()
      if (top === undefined || last === undefined) return undefined
      if (this.heap.length > 0) this.sink(last)
      if (!this.cancelled.delete(top)) return top
    }
  }

  private sink(timer: Timer): void {
    const { heap } = this
    let at = 0
    for (;;) {
      const [left, right] = [heap[2 * at + 1], heap[2 * at + 2]]
      if (left === undefined) break
      const takesRight = right !== undefined && isBefore(right, left)
      const child = takesRight ? right : left
      if (!isBefore(child, timer)) break
      heap[at] = child
      at = 2 * at + (takesRight ? 2 : 1)
    }
    heap[at] = timer
  }
}
