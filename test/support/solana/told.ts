/** What RugCheck tells of a token whose accounts it has read: whose the largest are, and where the pools keep what. */
import type { SolanaAddress } from "../../../src/domain/address.ts"
import { isSolanaAddress } from "../../../src/domain/address.ts"
import { decodePool } from "../../../src/screening/solana/pools/decode.ts"
import { decodeTokenAccount } from "../../../src/screening/solana/reads/token-account.ts"
import { emptyReport } from "./clean-token.ts"
import type { FakeWorld } from "./fake-world.ts"

/** Has RugCheck tell what the chain shows. `owner`: who it says owns an account, where it does not tell the truth. */
export const tellAll = (
  world: FakeWorld,
  mint: SolanaAddress,
  owner: (truth: SolanaAddress | null, index: number) => SolanaAddress | null = (truth) => truth
): void => {
  const report = world.reports.get(mint) ?? emptyReport
  const topHolders = (world.largest.get(mint) ?? []).map(({ address }, index) => ({
    address,
    owner: owner(decodeTokenAccount(world.accounts.get(address) ?? null)?.owner ?? null, index),
    pct: 0,
    insider: false
  }))
  const markets = (world.pairs.get(mint) ?? []).flatMap(({ pairAddress }) => {
    if (!isSolanaAddress(pairAddress)) return []
    const pool = decodePool(pairAddress, world.accounts.get(pairAddress) ?? null, mint, world.accounts)
    const told = report.markets.find(({ pubkey }) => pubkey === pairAddress)
    return pool === null
      ? []
      : [
          {
            marketType: "unknown",
            lpLockedPct: null,
            quoteUsd: null,
            baseUsd: null,
            lpMint: pool.claim.kind === "lp-tokens" ? pool.claim.lpMint : null,
            ...told,
            pubkey: pairAddress,
            vaults: [pool.tokenVault, pool.quoteVault].filter((vault) => vault !== null)
          }
        ]
  })
  world.reports.set(mint, { ...report, markets, topHolders })
}
