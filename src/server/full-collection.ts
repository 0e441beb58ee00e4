/** Full garbage collections, of V8's whole heap, while the process is calm. */
import { Effect, Layer, Schedule } from "effect"
import { getHeapSpaceStatistics } from "node:v8"
import { makeUtilization } from "./utilization.ts"

/** How often the heap is looked at. */
const INTERVAL = "2 seconds"

/** Growth over the smallest heap seen that is taken for garbage: after ordinary work, and after an attack. */
const SOME_BYTES = 8 * 1_048_576
const MANY_BYTES = 32 * 1_048_576

/**
 * V8 begins a full collection when buffers have grown by 64 MB since the last one. It marks in small steps, beside and
 * between what the process does; a collection that is asked for outright would stop everything until it is done.
 */
const NUDGE_BYTES = 65 * 1_048_576

/**
 * Bytes that only a full collection gives back: the old generation, for the young one is collected by and by in any case;
 * and pages, which one collection empties and the next gives to the system.
 */
interface Held {
  readonly old: number
  readonly pages: number
}

const heldBytes = (): Held => {
  const { arrayBuffers, heapTotal } = process.memoryUsage()
  const old = getHeapSpaceStatistics().filter(({ space_name }) => !space_name.startsWith("new_"))
  return {
    old: old.reduce((sum, { space_used_size }) => sum + space_used_size, arrayBuffers),
    pages: heapTotal
  }
}

const smallest = (a: Held, b: Held): Held => ({
  old: Math.min(a.old, b.old),
  pages: Math.min(a.pages, b.pages)
})

const gatheredBytes = (now: Held, least: Held): number =>
  Math.max(now.old - least.old, now.pages - least.pages)

/**
 * A process that worked for more of the time than this is not calm. V8 collects by itself while it works, as its heap
 * grows; asked for on top of it, collections took an eighth of a sale's processor time, and where bursts of sales came
 * seconds apart, a fifth.
 */
const CALM = 0.05

/**
 * Looks that must have found it calm, one after another: what comes every few seconds comes again. A full collection takes
 * the compiled code of functions with it of which none lives at that moment, as of most that a sale makes: where bursts of
 * sales came five to eight seconds apart, and a collection between them, a sale took a tenth more processor time.
 */
const calmLooksFor = (gathered: number): number => {
  if (gathered > MANY_BYTES) return 2
  return gathered > SOME_BYTES ? 4 : Infinity
}

/** A burst that has just begun is a small part of the time since the last look, so the last moments are looked at too. */
const MOMENT = "100 millis"

/** What was there all the time for so many looks, a minute, is needed and no garbage. */
const MINUTE = 32

/** Whether V8 shall collect: not now, if nothing much happens at this moment, or whatever happens. */
type Due = "no" | "if-still" | "now"

/**
 * Tells whether V8 shall collect: where garbage has gathered and the process is calm, and once a minute. Left alone, it
 * begins when its heap has grown by a share or its buffers by those 64 MB: after a burst of requests that is when the
 * next comes.
 */
const makeLook = (): (() => Due) => {
  let least = heldBytes()
  let leastOfMinute = least
  let looks = 0
  let calmLooks = 0
  const utilization = makeUtilization()
  return () => {
    calmLooks = utilization() < CALM ? calmLooks + 1 : 0
    const now = heldBytes()
    looks = (looks + 1) % MINUTE
    leastOfMinute = smallest(leastOfMinute, now)
    if (looks === 0) {
      least = leastOfMinute
      leastOfMinute = now
      return "now"
    }
    least = smallest(least, now)
    return calmLooks >= calmLooksFor(gatheredBytes(now, least)) ? "if-still" : "no"
  }
}

/**
 * Memory that is forgotten at once. The system gives none before a byte of it is touched, and none is. Where not even
 * the room for it may be set aside, V8 collects for want of memory.
 */
const nudge = Effect.ignore(Effect.try(() => new ArrayBuffer(NUDGE_BYTES).byteLength))

/** Whether nothing much happens now. */
const isStill = Effect.suspend(() => {
  const utilization = makeUtilization()
  return Effect.sync(() => utilization() < CALM).pipe(Effect.delay(MOMENT))
})

const collect = (due: Due): Effect.Effect<unknown> => {
  switch (due) {
    case "no":
      return Effect.void
    case "if-still":
      return Effect.whenEffect(nudge, isStill)
    case "now":
      return nudge
  }
}

/** What nobody uses any more is given back within seconds, also where nothing more is asked of the process. */
export const FullCollectionLive = Layer.scopedDiscard(
  Effect.suspend(() =>
    Effect.sync(makeLook()).pipe(
      Effect.flatMap(collect),
      Effect.repeat(Schedule.spaced(INTERVAL)),
      Effect.forkScoped
    )
  )
)
