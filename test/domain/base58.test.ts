import { describe, expect, it } from "@effect/vitest"
import { getAddressDecoder, getAddressEncoder, getBase58Decoder, isAddress } from "@solana/kit"
import * as fc from "fast-check"
import { fromBase58, signatureToBase58, toBase58 } from "../../src/domain/base58.ts"
import { tried } from "../support/properties.ts"

const theirs = getAddressDecoder()
const bytesOf = getAddressEncoder()

/** Random bytes, and ones that begin with zeros or are all alike. */
const key = fc.oneof(
  fc.uint8Array({ minLength: 32, maxLength: 32 }),
  fc.tuple(fc.integer({ min: 0, max: 32 }), fc.nat(255), fc.nat(255)).map(([zeros, first, rest]) => {
    const bytes = new Uint8Array(32).fill(rest)
    bytes.fill(0, 0, zeros)
    if (zeros < 32) bytes[zeros] = first
    return bytes
  })
)

describe("base58 of 32 bytes", () => {
  it("is what @solana/kit writes and reads", () => {
    fc.assert(
      fc.property(key, (bytes) => {
        const text = theirs.decode(bytes)
        expect(toBase58(bytes)).toBe(text)
        expect(fromBase58(text)).toEqual(bytes)
      }),
      tried(2_000, 500)
    )
  })

  it("reads only what @solana/kit takes for an address", () => {
    const alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz0OIl-é"
    const text = fc.oneof(
      fc.string({ unit: fc.constantFrom(...alphabet), minLength: 0, maxLength: 50 }),
      fc.string({ unit: fc.constantFrom("1", "z"), minLength: 30, maxLength: 46 }),
      key.chain((bytes) =>
        fc.tuple(fc.nat(43), fc.constantFrom(...alphabet)).map(([at, character]) => {
          const whole = theirs.decode(bytes)
          return whole.slice(0, at) + character + whole.slice(at + 1)
        })
      )
    )
    fc.assert(
      fc.property(text, (word) => {
        const bytes = fromBase58(word)
        expect(bytes !== undefined).toBe(isAddress(word))
        if (isAddress(word)) expect(bytes).toEqual(new Uint8Array(bytesOf.encode(word)))
      }),
      tried(2_000, 500)
    )
  })

  it("reads from a place within more bytes, and not beyond their end", () => {
    const data = Uint8Array.from({ length: 40 }, (_, i) => i)
    expect(toBase58(data, 8)).toBe(theirs.decode(data.subarray(8)))
    expect(() => toBase58(data, 9)).toThrow(RangeError)
  })
})

describe("base58 of a signature", () => {
  it("is what @solana/kit writes", () => {
    const general = getBase58Decoder()
    const signature = fc.oneof(
      fc.uint8Array({ minLength: 64, maxLength: 64 }),
      fc.tuple(key, key).map(([first, second]) => Uint8Array.of(...first, ...second))
    )
    fc.assert(
      fc.property(signature, (bytes) => {
        expect(signatureToBase58(bytes)).toBe(general.decode(bytes))
      }),
      tried(2_000, 500)
    )
    expect(() => signatureToBase58(new Uint8Array(63))).toThrow(RangeError)
  })
})
