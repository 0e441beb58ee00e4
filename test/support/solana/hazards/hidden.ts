/** Supply that lies where it does not look like a holding. */
import { Effect } from "effect"
import * as at from "../../../../src/screening/solana/addresses.ts"
import type { SolanaAddress } from "../../../../src/domain/address.ts"
import { DEPLOYER, SUPPLY, pairOf, placeCpmm } from "../clean-token.ts"
import { account, anchored, encodeTokenAccount, encodeWhirlpool, u16, wallet } from "../encode.ts"
import type { FakeWorld } from "../fake-world.ts"
import type { Scenario } from "../scenarios.ts"
import { changed, holdersOf, patch, withHolders } from "../scenarios.ts"

/** Nine tenths of the supply in a pool nobody else will ever trade in. */
const hiddenIn = (
  label: string,
  place: (world: FakeWorld, mint: SolanaAddress, vault: SolanaAddress, pool: SolanaAddress) => void
): Scenario =>
  changed((world, placed) => {
    const [vault, pool] = [wallet(`${label} vault`), wallet(`${label} pool`)]
    withHolders(world, placed, holdersOf(10, 2))
    const [poolEntry, ...others] = world.largest.get(placed.mint) ?? []
    if (poolEntry === undefined) throw new Error("no pool")
    const hidden = (SUPPLY * 9n) / 10n
    world.accounts.set(vault, encodeTokenAccount(placed.mint, pool, hidden))
    patch(world, placed.tokenVault, [[64, poolEntry.amount - hidden]])
    world.largest.set(placed.mint, [
      { address: vault, amount: hidden },
      { ...poolEntry, amount: poolEntry.amount - hidden },
      ...others
    ])
    place(world, placed.mint, vault, pool)
    world.pairs.set(placed.mint, [
      ...(world.pairs.get(placed.mint) ?? []),
      pairOf(pool, at.USDC, { liquidityUsd: 10 })
    ])
  })

export const hidden: Readonly<Record<string, Scenario>> = {
  "90 % lie in a CPMM pool against a quote nobody knows": hiddenIn("junk", (world, mint, vault, pool) => {
    Effect.runSync(
      placeCpmm(world, {
        mint,
        pool,
        lpMint: wallet("junk lp"),
        vaults: [vault, wallet("junk quote vault")],
        quote: wallet("junk quote"),
        tokens: (SUPPLY * 9n) / 10n,
        quoteAmount: 10n ** 15n,
        lpLeft: 0n,
        lpOwner: DEPLOYER
      })
    )
  }),
  "90 % lie in an own Whirlpool": hiddenIn("whirlpool", (world, mint, vault, pool) => {
    const quoteVault = wallet("whirlpool quote")
    world.accounts.set(quoteVault, encodeTokenAccount(at.USDC, pool, 1_000_000n))
    world.accounts.set(pool, encodeWhirlpool([mint, vault, at.USDC, quoteVault]))
  }),
  "90 % lie in a one-sided DLMM wall": hiddenIn("wall", (world, mint, vault, pool) => {
    const quoteVault = wallet("wall quote")
    world.accounts.set(quoteVault, encodeTokenAccount(at.USDC, pool, 0n))
    world.accounts.set(
      pool,
      anchored(at.program.meteoraDlmm, "LbPair", 904, [
        [76, u16(500)],
        [80, u16(100)],
        [88, mint],
        [120, at.USDC],
        [152, vault],
        [184, quoteVault],
        [848, DEPLOYER]
      ])
    )
  }),
  "90 % lie in a pool nobody lists": hiddenIn("unlisted", (world, mint, _vault, pool) => {
    world.accounts.set(pool, account(at.program.raydiumClmm, new Uint8Array(1544)))
    world.pairs.set(mint, (world.pairs.get(mint) ?? []).slice(0, 1))
  })
}
