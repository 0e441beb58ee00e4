/** Minor garbage collections, of V8's young generation, while the process is idle. */
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { makeUtilization } from "./utilization.ts"

/** Milliseconds without work after which the process is taken to wait for others. */
const STILL_MILLIS = 10

/** A process that worked for more of these milliseconds than this does not wait. */
const WAITING = 0.2

/**
 * The young generation is collected where a third of its room is taken. V8 does it at four fifths, and what is done
 * between two waits takes up to a half.
 */
const isFilling = (): boolean =>
  getHeapSpaceStatistics().some(
    ({ space_available_size, space_name, space_used_size }) =>
      space_name === "new_space" && space_used_size * 2 > space_available_size
  )

/** V8 gives the function that collects to new contexts alone, and where it gives none, it collects as ever. */
const makeCollect = (): (() => void) => {
  setFlagsFromString("--expose-gc")
  const collect: unknown = runInNewContext("globalThis.gc")
  setFlagsFromString("--no-expose-gc")
  return typeof collect === "function" ? () => void collect({ type: "minor" }) : () => {}
}

/** What watching stands on; tests bring their own. */
export interface Watched {
  /** Milliseconds from now, without keeping the process alive. */
  readonly after: (millis: number, step: () => void) => void
  /** The share of the time since it was last asked in which the event loop had something to do. */
  readonly utilization: () => number
  readonly isFilling: () => boolean
  readonly collect: () => void
}

const makeWatched = (): Watched => ({
  after: (millis, step) => void setTimeout(step, millis).unref(),
  utilization: makeUtilization(),
  isFilling,
  collect: makeCollect()
})

/**
 * To be called whenever work was done. V8 collects the young generation when its room is full, which is in the middle of
 * work: a cold screening, which allocates 12 MB, nearly always paid its 3 to 8 ms between its waves. But for most of its
 * time it waits for its node, as a sale does, and then it costs nobody anything.
 */
export const collectWhenIdle = (watched: Watched = makeWatched()): (() => void) => {
  let isWatching = false
  const watch = (): void => {
    isWatching = true
    watched.utilization()
    watched.after(STILL_MILLIS, look)
  }
  const look = (): void => {
    isWatching = false
    if (watched.utilization() >= WAITING) watch()
    else if (watched.isFilling()) watched.collect()
  }
  return () => {
    if (!isWatching) watch()
  }
}
