import { describe, expect, it } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { keccak256 } from "viem"
import { EMPTY_ROOT, storageRoot } from "../../../../src/screening/base/holders/storage-root.ts"

const word = (slot: bigint, value: bigint) => ({ slot, value })

describe("storageRoot", () => {
  it.effect("of nothing, or of zeros only, is the empty tree's", () =>
    Effect.gen(function* () {
      expect(yield* storageRoot([])).toBe(EMPTY_ROOT)
      expect(yield* storageRoot([word(1n, 0n), word(2n, 0n)])).toBe(EMPTY_ROOT)
      expect(EMPTY_ROOT).toBe("0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421")
    })
  )

  it.effect("does not depend on order or repetition, and changes with every word", () =>
    Effect.gen(function* () {
      const words = Array.from({ length: 40 }, (_, index) => word(BigInt(index * 7), BigInt(index + 1)))
      const root = yield* storageRoot(words)
      expect(yield* storageRoot(words.toReversed())).toBe(root)
      expect(yield* storageRoot([...words, ...words])).toBe(root)
      for (const at of [0, 13, 39]) expect(yield* storageRoot(words.toSpliced(at, 1))).not.toBe(root)
      expect(yield* storageRoot([...words, word(BigInt(keccak256("0x01")), 1n)])).not.toBe(root)
    })
  )

  it.effect("of many words is the same, built in turns", () =>
    Effect.gen(function* () {
      const words = Array.from({ length: 1_000 }, (_, index) =>
        word(BigInt(index * 7919 + 1), BigInt(index) ** 5n + 1n)
      )
      const pending = yield* Effect.fork(storageRoot(words))
      yield* TestClock.adjust("1 second")
      expect(yield* pending).toBe("0xc42f384c150a5661f0b5b350945cd7018a6c64c6d7f228709b20372ac024de27")
    })
  )
})
