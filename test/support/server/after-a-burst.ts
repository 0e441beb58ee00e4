/**
 * A process in which a burst of requests has left 40 MB of buffers that nobody holds. Ends when they are collected.
 * Run with `--expose-gc --no-memory-reducer`: V8 looks again by itself eight seconds after a full collection.
 */
import { Effect, Layer } from "effect"
import { FullCollectionLive } from "../../../src/server/full-collection.ts"

const MEBIBYTE = 2 ** 20

const bufferBytes = (): number => process.memoryUsage().arrayBuffers

/** Held through a full collection, they are too old to go with the young. */
const burst = (): void => {
  const buffers = Array.from({ length: 640 }, () => Buffer.alloc(65_536))
  globalThis.gc?.()
  buffers.length = 0
}

/** Asks seldom: who asks allocates, and whoever allocates enough is collected after. */
const collected = Effect.async<void>((resume) => {
  const timer = setInterval(() => {
    if (bufferBytes() > 8 * MEBIBYTE) return
    clearInterval(timer)
    resume(Effect.void)
  }, 5)
})

Effect.runFork(
  Effect.scoped(
    Effect.gen(function* () {
      yield* Layer.build(FullCollectionLive)
      burst()
      if (bufferBytes() < 32 * MEBIBYTE) yield* Effect.dieMessage("nothing was left behind")
      yield* collected
    })
  )
)
