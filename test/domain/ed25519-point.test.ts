import { describe, expect, it } from "@effect/vitest"
import { getAddressDecoder, isOffCurveAddress } from "@solana/kit"
import * as fc from "fast-check"
import { createPublicKey, verify } from "node:crypto"
import { isOfSmallOrder, isOnCurve } from "../../src/domain/ed25519-point.ts"

const key = fc.uint8Array({ minLength: 32, maxLength: 32 })
const kitSaysOnCurve = (bytes: Uint8Array): boolean => !isOffCurveAddress(getAddressDecoder().decode(bytes))

describe("isOnCurve", () => {
  it("agrees with the official client on any 32 bytes", () => {
    fc.assert(
      fc.property(key, (bytes) => {
        expect(isOnCurve(bytes)).toBe(kitSaysOnCurve(bytes))
      }),
      { numRuns: 300 }
    )
  })
  it("agrees with it at the edges of the field", () => {
    // From p on a y is not reduced: read modulo p, as the validator does. The official client is compared below p.
    const p = 2n ** 255n - 19n
    const edges = [0n, 1n, 2n, p - 2n, p - 1n].flatMap((y) => [y, y | (1n << 255n)])
    const encoded = edges.map((edge) =>
      Uint8Array.from(Buffer.from(edge.toString(16).padStart(64, "0"), "hex")).toReversed()
    )
    expect(encoded.map(isOnCurve)).toEqual(encoded.map(kitSaysOnCurve))
  })
})

describe("isOfSmallOrder", () => {
  const p = 2n ** 255n - 19n
  const ofOrder8 = 0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n
  const signs = [0n, 1n << 255n]
  const encode = (number: bigint) =>
    Uint8Array.from(Buffer.from(number.toString(16).padStart(64, "0"), "hex").toReversed())

  /** The base point and 1: a signature of every message whose hash takes the key to nothing, which no other key does. */
  const everybodys = Buffer.concat([Buffer.from(`58${"66".repeat(31)}`, "hex"), encode(1n)])
  const isEverybodys = (bytes: Uint8Array) => {
    const spki = Buffer.concat([Buffer.from("302a300506032b6570032100", "hex"), bytes])
    const key = createPublicKey({ key: spki, format: "der", type: "spki" })
    return Array.from({ length: 200 }, (_, at) => Uint8Array.of(at)).some((message) =>
      verify(null, message, key, everybodys)
    )
  }

  it("knows the points as which everybody signs, in every spelling: past the field, and with the sign that zero has not", () => {
    const spellings = signs.flatMap((sign) =>
      [0n, 1n, p - 1n, ofOrder8, p - ofOrder8].map((y) => encode(y | sign))
    )
    // OpenSSL 3.0 takes a signature of nobody's for each of them, 3.5 for none.
    const taken = spellings.map(isEverybodys)
    expect(new Set(taken).size).toBe(1)
    if (process.versions.openssl.startsWith("3.0.")) expect(taken).not.toContain(false)
    for (const one of spellings) expect(isOfSmallOrder(one)).toBe(true)
    for (const sign of signs) for (const y of [p, p + 1n]) expect(isOfSmallOrder(encode(y | sign))).toBe(true)
  })

  it("takes no other key for one of them", () => {
    fc.assert(fc.property(key, (bytes) => void expect(isOfSmallOrder(bytes)).toBe(false)))
    const others = [2n, 3n, p - 2n, ofOrder8 + 1n, ofOrder8 - 1n].map(encode)
    expect(others.map(isOfSmallOrder)).toEqual(others.map(() => false))
  })
})
