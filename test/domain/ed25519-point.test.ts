import { describe, expect, it } from "@effect/vitest"
import { getAddressDecoder, isOffCurveAddress } from "@solana/kit"
import * as fc from "fast-check"
import { isOnCurve } from "../../src/domain/ed25519-point.ts"

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
