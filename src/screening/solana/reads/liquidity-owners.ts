import { Effect } from "effect"
import type { SolanaTokenBalance } from "../../../chain/chain-rpc.ts"
import type { SolanaAddress } from "../../../domain/address.ts"
import { isSolanaAddress } from "../../../domain/address.ts"
import type { Fact } from "../../../domain/fact.ts"
import { SYSTEM_PROGRAM, TRUSTED_QUOTES } from "../addresses.ts"
import type { DecodedPool } from "../pools/decoded-pool.ts"
import { poolsOf } from "../pools/found.ts"
import { factOf } from "./fetch.ts"
import { cpmmLpMint, pumpSwapLpMint } from "./pdas.ts"
import type { Reads, Upstreams } from "./reads.ts"

/** Pools whose liquidity is traced to its owners; the rest stay open. */
export const MAX_TRACED_POOLS = 4

/**
 * LP mints to list early: those of derived pools that exist, and, of the listed ones, what RugCheck names and what
 * follows from the address, so that the list's owners can be read with the next wave. A wrong guess costs one call.
 */
export const earlyLpMints = (
  reads: Reads,
  listed: ReadonlyArray<SolanaAddress>
): ReadonlyArray<SolanaAddress> => {
  const derived = reads.derived.pools.flatMap(({ lpMint, pool }) =>
    reads.book.get(pool) == null ? [] : [lpMint]
  )
  const markets = reads.rugCheck.known ? (reads.rugCheck.value?.markets ?? []) : []
  const named = markets.flatMap(({ lpMint }) =>
    lpMint !== null && isSolanaAddress(lpMint) && lpMint !== SYSTEM_PROGRAM ? [lpMint] : []
  )
  const dex = new Map(
    (reads.market.known ? reads.market.value : []).map((pair) => [pair.pairAddress, pair.dexId])
  )
  const guessed = listed.slice(0, MAX_TRACED_POOLS).flatMap((address) => {
    if (dex.get(address) === "pumpswap") return [pumpSwapLpMint(address)]
    return dex.get(address) === "raydium" ? [cpmmLpMint(address)] : []
  })
  return [...new Set([...derived, ...named, ...guessed])].slice(0, 2 * MAX_TRACED_POOLS)
}

export type LargestByMint = ReadonlyMap<SolanaAddress, Fact<ReadonlyArray<SolanaTokenBalance>>>

export const listLargest = (
  up: Upstreams,
  mints: ReadonlyArray<SolanaAddress>
): Effect.Effect<LargestByMint> =>
  Effect.map(
    Effect.forEach(
      mints,
      (mint) =>
        Effect.map(
          factOf(up.rpc.getLargestTokenAccounts(mint), "the node gave no largest LP holders"),
          (largest) => [mint, largest] as const
        ),
      { concurrency: "unbounded" }
    ),
    (entries) => new Map(entries)
  )

/** A pool whose owners of liquidity are looked up. */
export interface Traced {
  readonly address: SolanaAddress
  readonly pool: DecodedPool
}

/** Pools whose owners of liquidity are looked up: against quotes that may count, the ones found first first. */
export const tracedPools = (reads: Reads, mint: SolanaAddress): ReadonlyArray<Traced> =>
  poolsOf(reads, mint)
    .filter(([, { claim, quoteMint }]) => claim.kind !== "curve" && quoteMint !== null)
    .toSorted(
      ([, a], [, b]) =>
        Number(TRUSTED_QUOTES.has(b.quoteMint ?? "")) - Number(TRUSTED_QUOTES.has(a.quoteMint ?? ""))
    )
    .slice(0, MAX_TRACED_POOLS)
    .map(([address, pool]) => ({ address, pool }))

export const lpMintOf = ({ pool }: Traced): SolanaAddress | null =>
  pool.claim.kind === "lp-tokens" ? pool.claim.lpMint : null
