import { randomFillSync } from "node:crypto"
import { Chunk, Effect, Random } from "effect"

/** Bytes taken from the operating system at a time: a screening draws a hundred numbers, and each call costs as much as ten. */
const POOL_BYTES = 4096

const HIGH_BITS = 2 ** 21
const LOW_BITS = 32

/** Numbers from 0 up to 1, 53 bits each, every bit of them the operating system's. */
const makeDraw = (): (() => number) => {
  const pool = Buffer.alloc(POOL_BYTES)
  let taken = POOL_BYTES
  return () => {
    if (taken === POOL_BYTES) {
      randomFillSync(pool)
      taken = 0
    }
    const high = pool.readUInt32LE(taken) % HIGH_BITS
    const low = pool.readUInt32LE(taken + 4)
    // What was drawn is not there for the next one, nor for whoever gets to see the memory.
    pool.fill(0, taken, taken + 8)
    taken += 8
    return (high * 2 ** LOW_BITS + low) / (HIGH_BITS * 2 ** LOW_BITS)
  }
}

/**
 * The library's random numbers, from the operating system's generator. Its own has 2³² beginnings and tells by two or three
 * numbers which of them it had, and reports name numbers that trials were made from: who finds the beginning knows the
 * wallets of every later trial, and writes a token that lets them, and nobody else, sell.
 */
export const makeUnguessable = (): Random.Random => {
  const draw = makeDraw()
  const between = (min: number, max: number): number => min + Math.floor(draw() * (max - min))
  return {
    [Random.RandomTypeId]: Random.RandomTypeId,
    next: Effect.sync(draw),
    nextBoolean: Effect.sync(() => draw() < 0.5),
    nextInt: Effect.sync(() => between(0, Number.MAX_SAFE_INTEGER)),
    nextRange: (min, max) => Effect.sync(() => min + draw() * (max - min)),
    nextIntBetween: (min, max) => Effect.sync(() => between(min, max)),
    shuffle: (elements) =>
      Effect.sync(() => {
        const rest = [...elements]
        const mixed: typeof rest = []
        while (rest.length > 0) mixed.push(...rest.splice(between(0, rest.length), 1))
        return Chunk.unsafeFromArray(mixed)
      })
  }
}
