import { describe, expect, it } from "@effect/vitest"
import { Chunk, Effect, FastCheck as fc } from "effect"
import { makeUnguessable } from "../../src/server/unguessable.ts"

const random = makeUnguessable()
const many = <A>(one: Effect.Effect<A>) => Effect.runSync(Effect.replicateEffect(one, 2_000))

describe("numbers from the operating system", () => {
  it("lie where they were asked for", () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.integer({ min: 1, max: 2 ** 31 }), (min, size) => {
        const max = Math.min(Number.MAX_SAFE_INTEGER, min + size)
        fc.pre(min < max)
        for (const drawn of Effect.runSync(Effect.replicateEffect(random.nextIntBetween(min, max), 20))) {
          expect(Number.isSafeInteger(drawn)).toBe(true)
          expect(drawn).toBeGreaterThanOrEqual(min)
          expect(drawn).toBeLessThan(max)
        }
      })
    )
    for (const drawn of many(random.next)) expect(drawn >= 0 && drawn < 1).toBe(true)
    for (const drawn of many(random.nextInt)) expect(Number.isSafeInteger(drawn) && drawn >= 0).toBe(true)
    for (const drawn of many(random.nextRange(-3, -1))) expect(drawn >= -3 && drawn < -1).toBe(true)
  })

  it("reach every value", () => {
    expect(new Set(many(random.nextIntBetween(7, 17))).size).toBe(10)
    expect(new Set(many(random.nextBoolean)).size).toBe(2)
  })

  it("are new each time, in each of two generators", () => {
    const other = makeUnguessable()
    expect(new Set([...many(random.next), ...many(other.next)]).size).toBe(4_000)
  })

  it("mix what they are given, and lose nothing of it", () => {
    const items = Array.from({ length: 50 }, (_, index) => index)
    const mixed = Chunk.toReadonlyArray(Effect.runSync(random.shuffle(items)))
    expect(mixed.toSorted((a, b) => a - b)).toEqual(items)
    expect(mixed).not.toEqual(items)
  })
})
