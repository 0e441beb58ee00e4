import { describe, expect, it } from "@effect/vitest"
import { address, getAddressDecoder, getProgramDerivedAddress, isOffCurveAddress } from "@solana/kit"
import * as fc from "fast-check"
import { findProgramAddress, isOnCurve } from "../../../src/screening/solana/reads/program-address.ts"
import * as at from "../../../src/screening/solana/addresses.ts"
import { wallet } from "../../support/solana/encode.ts"

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

describe("findProgramAddress", () => {
  it("finds what the official client finds", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 32 }), { maxLength: 5 }), async (seeds) => {
        for (const program of [at.ATA_PROGRAM, at.program.pumpSwap]) {
          const [expected] = await getProgramDerivedAddress({ programAddress: address(program), seeds })
          expect(findProgramAddress(program, seeds)).toBe(expected)
        }
      }),
      { numRuns: 60 }
    )
  })
  it("derives the authorities that are listed as pools' owners", () => {
    const text = (seed: string) => new TextEncoder().encode(seed)
    expect(at.POOL_AUTHORITIES).toContain(
      findProgramAddress(at.program.raydiumCpmm, [text("vault_and_lp_mint_auth_seed")])
    )
    expect(at.PROTOCOL_AUTHORITIES).toContain(
      findProgramAddress(at.program.raydiumLaunchLab, [text("vault_auth_seed")])
    )
    expect(at.POOL_AUTHORITIES).toContain(
      findProgramAddress(at.program.meteoraDammV2, [text("pool_authority")])
    )
    expect(at.PROTOCOL_AUTHORITIES).toContain(
      findProgramAddress(at.program.meteoraDbc, [text("pool_authority")])
    )
    expect(at.PROTOCOL_AUTHORITIES).toContain(findProgramAddress(at.MAYHEM_PROGRAM, [text("sol-vault")]))
    expect(wallet("a")).not.toBe(wallet("b"))
  })
})
