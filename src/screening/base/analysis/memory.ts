import { getHeapStatistics, setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

/** The part of what V8 grants a thread that its analyses may hold together; the median contract needs a tenth of it. */
const PART = 1 / 3
/** The part of that which must be free after a collection: else every step would need another one. */
const ROOM = 1 / 4

/** V8 gives the function that collects to new contexts alone. */
const collectNow = (): void => {
  setFlagsFromString("--expose-gc")
  const collect: unknown = runInNewContext("globalThis.gc")
  setFlagsFromString("--no-expose-gc")
  if (typeof collect === "function") collect()
}

/**
 * Whether the memory of this thread is full: garbage does not count. Hostile code is written to fill memory, and V8 ends a
 * thread at its limit only where the last step was a small one: a table or a list that grows by more than sixteen megabytes
 * past it ends the whole process.
 */
export const makeIsFull = (
  heap: () => { readonly used_heap_size: number; readonly heap_size_limit: number } = getHeapStatistics,
  collect: () => void = collectNow
): (() => boolean) => {
  const full = heap().heap_size_limit * PART
  return () => {
    if (heap().used_heap_size < full) return false
    collect()
    return heap().used_heap_size > full * (1 - ROOM)
  }
}

/** The memory of this thread. */
export const isMemoryFull = makeIsFull()
