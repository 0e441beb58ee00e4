/** Real time with one thing changed, for tests that talk over real sockets: what a test clock does not move. */
import { Clock, Duration, Effect, Layer } from "effect"

/** What a clock says that always shows this moment, Unix milliseconds. */
export const stopped = (millis: number) => ({
  currentTimeMillis: Effect.succeed(millis),
  unsafeCurrentTimeMillis: () => millis
})

const changed = (change: (real: Clock.Clock) => Partial<Clock.Clock>) => {
  const real = Clock.make()
  return Layer.setClock(Object.assign(Object.create(real), change(real)))
}

/** The time stands still, so that no bucket fills up again however slow the machine is. Timers go on. */
export const standing = changed(() => stopped(1_800_000_000_000))

/** Pauses before something is tried again, all of them shorter than three seconds, are left out. Time-outs stay. */
export const withoutPauses = changed((real) => ({
  sleep: (duration) =>
    Duration.lessThan(duration, Duration.seconds(3)) ? Effect.yieldNow() : real.sleep(duration)
}))

/** The time, ahead of what it is by as much as a test says. Timers go on as they are. */
export const ahead = () => {
  let millis = 0
  return {
    move: (more: number) => void (millis += more),
    layer: changed((real) => ({
      currentTimeMillis: Effect.map(real.currentTimeMillis, (now) => now + millis),
      unsafeCurrentTimeMillis: () => real.unsafeCurrentTimeMillis() + millis
    }))
  }
}

/** The time is what a test says, and moves when it says so. Timers go on. */
export const set = (start: number) => {
  let millis = start
  return {
    now: () => millis,
    move: (more: number) => void (millis += more),
    layer: changed(() => ({
      currentTimeMillis: Effect.sync(() => millis),
      unsafeCurrentTimeMillis: () => millis
    }))
  }
}
