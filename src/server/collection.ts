import { Effect, Layer, Schedule } from "effect"
import { getHeapSpaceStatistics } from "node:v8"

/** How often the heap is looked at. */
const INTERVAL = "2 seconds"

/** So many bytes more than the last full collection left are taken for garbage. */
const GATHERED_BYTES = 8 * 1_048_576

/**
 * V8 begins a full collection when buffers have grown by 64 MB since the last one. It marks in small steps, beside and
 * between what the process does; a collection that is asked for outright would stop everything until it is done.
 */
const NUDGE_BYTES = 65 * 1_048_576

/** Bytes that only a full collection gives back: what is young is collected by and by in any case. */
const oldBytes = (): number =>
  getHeapSpaceStatistics()
    .filter(({ space_name }) => !space_name.startsWith("new_"))
    .reduce((sum, space) => sum + space.space_used_size, process.memoryUsage().arrayBuffers)

/** A collection that was under way already has kept what died meanwhile. What two have kept is alive. */
const ENOUGH = 2

/**
 * Tells whether garbage has gathered. Left alone, V8 begins when its heap has grown by a share or its buffers by those
 * 64 MB: after a burst of requests that is when the next burst comes.
 */
const makeLook = (): (() => boolean) => {
  let left = oldBytes()
  let collections = 0
  return () => {
    const now = oldBytes()
    const hasGathered = now > left + GATHERED_BYTES && collections < ENOUGH
    left = collections === ENOUGH ? now : Math.min(left, now)
    collections = hasGathered ? collections + 1 : 0
    return hasGathered
  }
}

/**
 * Memory that is forgotten at once. The system gives none before a byte of it is touched, and none is. Where not even
 * the room for it may be set aside, V8 collects for want of memory.
 */
const nudge = Effect.ignore(Effect.try(() => new ArrayBuffer(NUDGE_BYTES).byteLength))

/** What nobody uses any more is given back within seconds, also where nothing more is asked of the process. */
export const CollectionLive = Layer.scopedDiscard(
  Effect.suspend(() =>
    Effect.whenEffect(nudge, Effect.sync(makeLook())).pipe(
      Effect.repeat(Schedule.spaced(INTERVAL)),
      Effect.forkScoped
    )
  )
)
