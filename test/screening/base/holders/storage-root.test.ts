import { describe, expect, it } from "@effect/vitest"
import { keccak256 } from "viem"
import { EMPTY_ROOT, storageRoot } from "../../../../src/screening/base/holders/storage-root.ts"

const word = (slot: bigint, value: bigint) => ({ slot, value })

describe("storageRoot", () => {
  it("of nothing, or of zeros only, is the empty tree's", () => {
    expect(storageRoot([])).toBe(EMPTY_ROOT)
    expect(storageRoot([word(1n, 0n), word(2n, 0n)])).toBe(EMPTY_ROOT)
    expect(EMPTY_ROOT).toBe("0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421")
  })

  it("does not depend on order or repetition, and changes with every word", () => {
    const words = Array.from({ length: 40 }, (_, index) => word(BigInt(index * 7), BigInt(index + 1)))
    const root = storageRoot(words)
    expect(storageRoot(words.toReversed())).toBe(root)
    expect(storageRoot([...words, ...words])).toBe(root)
    for (const at of [0, 13, 39]) expect(storageRoot(words.toSpliced(at, 1))).not.toBe(root)
    expect(storageRoot([...words, word(BigInt(keccak256("0x01")), 1n)])).not.toBe(root)
  })
})
