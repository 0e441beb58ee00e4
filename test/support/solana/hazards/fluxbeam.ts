/** Pools of FluxBeam, whose LP tokens are a Token-2022 mint that their maker brings along. */
import type { SolanaAddress } from "../../../../src/domain/address.ts"
import * as at from "../../../../src/screening/solana/addresses.ts"
import { emptyReport, SUPPLY } from "../clean-token.ts"
import type { MintOptions } from "../encode.ts"
import { encodeMint, encodeTokenAccount, extended, laidOut, programAddress, wallet } from "../encode.ts"
import { fluxBeamPool } from "../fluxbeam-pool.ts"
import { placeToken } from "../launches.ts"
import type { Scenario } from "../scenarios.ts"
import { LP, sync, withLpHolders } from "../scenarios.ts"

/** A vesting contract for all LP tokens, which lets go of nothing for years. */
const contractFor = (lpMint: SolanaAddress) =>
  laidOut(at.TIME_LOCKERS.streamflow, 1104, [
    [33, 4_000_000_000n],
    [113, wallet("maker")],
    [177, lpMint],
    [417, LP],
    [425, 1n],
    [441, 3_900_000_000n]
  ])

/**
 * A pool of 200 SOL whose LP tokens are locked for years. `fee` and `owners`, which its owner gets, in ten-thousandths;
 * `lp`: what somebody made of their mint; `holders`: in whose hands they are instead, in parts of a thousand; `guards`: the
 * extensions that the token's vault was given before it became the pool's.
 */
export const fluxBeam = (
  label: string,
  {
    fee = 30n,
    guards,
    holders,
    lp,
    owners = 0n
  }: {
    readonly fee?: bigint
    readonly guards?: Parameters<typeof extended>[1]
    readonly holders?: ReadonlyArray<readonly [owner: SolanaAddress, perMille: number]>
    readonly lp?: MintOptions
    readonly owners?: bigint
  }
): Scenario =>
  sync((world) => {
    const lpMint = wallet(`${label} lp`)
    const placed = placeToken(
      world,
      { label, tokens: SUPPLY / 5n, quoteAmount: 200_000_000_000n },
      ({ mint, quote, quoteVault, tokenVault }) =>
        fluxBeamPool({ mint, quote, tokenVault, quoteVault, lpMint, fee, owners })
    )
    // RugCheck names the LP tokens' mint, so that there is time to find out what program stands behind their holder.
    const named = {
      pubkey: placed.pool,
      marketType: "fluxbeam",
      lpMint,
      vaults: [placed.tokenVault, placed.quoteVault]
    }
    const unsaid = { lpLockedPct: null, quoteUsd: null, baseUsd: null }
    world.reports.set(placed.mint, { ...emptyReport, markets: [{ ...named, ...unsaid }] })
    const contract = programAddress(`${label} contract`)
    world.accounts.set(contract, contractFor(lpMint))
    withLpHolders(world, { ...placed, lpMint }, holders ?? [[contract, 1000]])
    if (lp !== undefined) world.accounts.set(lpMint, encodeMint({ supply: LP, decimals: 9, ...lp }))
    if (guards !== undefined) {
      const vault = encodeTokenAccount(placed.mint, placed.pool, SUPPLY / 5n)
      world.accounts.set(placed.mint, encodeMint({ supply: SUPPLY, extensions: [] }))
      world.accounts.set(placed.tokenVault, extended(vault, guards))
    }
    return placed.mint
  })
