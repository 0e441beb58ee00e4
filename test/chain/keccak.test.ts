import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import fc from "fast-check"
import { bytesToHex, keccak256 } from "viem"
import { hashesFast, keccakHex } from "../../src/chain/keccak.ts"

describe("Keccak of hexadecimal digits", () => {
  it.effect("is the library's for bytes of any length, one after another", () =>
    Effect.map(hashesFast, () =>
      fc.assert(
        fc.property(fc.array(fc.uint8Array({ maxLength: 600 }), { maxLength: 6 }), (all) => {
          const hashes = all.map((bytes) => keccakHex(bytesToHex(bytes)))
          expect(hashes).toEqual(all.map((bytes) => keccak256(bytes)))
        }),
        { examples: [[[new Uint8Array(256).fill(1), new Uint8Array(257).fill(2), new Uint8Array(0)]]] }
      )
    )
  )
})
