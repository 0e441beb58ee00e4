import { describe, expect, it } from "@effect/vitest"
import { address, getProgramDerivedAddress } from "@solana/kit"
import * as fc from "fast-check"
import { findProgramAddress, seedOf } from "../../src/chain/program-address.ts"
import { SolanaAddress } from "../../src/domain/address.ts"
import * as at from "../../src/screening/solana/addresses.ts"
import { meteoraVaultLpMint } from "../../src/screening/solana/reads/pdas.ts"
import { wallet } from "../support/solana/encode.ts"

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

  it("finds it for any bytes, spaces too, cut into seeds one way and another", async () => {
    const bytes = fc.uint8Array({ minLength: 2, maxLength: 32 })
    await fc.assert(
      fc.asyncProperty(bytes, fc.nat(), async (data, place) => {
        const spaced = data.map((byte, index) => (index % 3 === 1 ? 32 : byte))
        const cut = place % spaced.length
        const single = Array.from(spaced.subarray(0, 12), (byte) => Uint8Array.of(byte))
        for (const seeds of [[spaced], [spaced.subarray(0, cut), spaced.subarray(cut)], single]) {
          const [expected] = await getProgramDerivedAddress({
            programAddress: address(at.ATA_PROGRAM),
            seeds
          })
          expect(findProgramAddress(at.ATA_PROGRAM, seeds)).toBe(expected)
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

  it.each([
    [at.WSOL, "FZN7QZ8ZUUAxMPfxYEYkH3cXUASzH8EqA6B4tyCL8f1j"],
    [at.USDC, "3RpEekjLE5cdcG15YcXJUpxSepemvq2FpmMcgo342BwC"],
    [at.USDT, "EZun6G5514FeqYtUv26cBHWLqXjAEdjGuoX6ThBpBtKj"]
  ])("finds the vault of lent %s, whose own token's mint is older than the seeds", (mint, lpMint) => {
    const base = SolanaAddress.make("HWzXGcGHy4tcpYfaRDCyLNzXqBTv3E6BttpCH2vJxArv")
    const seeds = [new TextEncoder().encode("vault"), seedOf(mint), seedOf(base)]
    expect(meteoraVaultLpMint(findProgramAddress(at.program.meteoraVault, seeds))).toBe(lpMint)
  })
})
