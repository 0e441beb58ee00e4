import { Effect } from "effect"
import type { SolanaTokenBalance } from "../../../chain/chain-rpc.ts"
import type { SolanaAddress } from "../../../domain/address.ts"
import { isSolanaAddress } from "../../../domain/address.ts"
import type { Fact } from "../../../domain/fact.ts"
import { SYSTEM_PROGRAM, TRUSTED_QUOTES } from "../addresses.ts"
import type { DecodedPool } from "../pools/decoded-pool.ts"
import { poolsOf } from "../pools/found.ts"
import { saidUsd } from "../pools/said.ts"
import { readMint } from "../power/mint.ts"
import type { AccountBook } from "./account-book.ts"
import { factOf } from "./fetch.ts"
import { cpmmLpMint, pumpSwapLpMint } from "./pdas.ts"
import type { Reads, Upstreams } from "./reads.ts"

/** Pools whose liquidity is traced to its owners; the rest stay open. */
export const MAX_TRACED_POOLS = 6

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
  const mints = new Set([...derived, ...named, ...guessed])
  return [...mints].filter((lpMint) => !isEmpty(reads.book, lpMint)).slice(0, 2 * MAX_TRACED_POOLS)
}

/** The mint's own account says that none of its tokens exist: nobody holds any, and nobody is looked for. */
export const isEmpty = (book: AccountBook, lpMint: SolanaAddress): boolean => {
  const reading = readMint(book.get(lpMint) ?? null)
  return reading.kind === "mint" && reading.mint.supply === 0n
}

export type LargestByMint = ReadonlyMap<SolanaAddress, Fact<ReadonlyArray<SolanaTokenBalance>>>

/** The largest accounts of each of these mints. */
export const listLargest = (up: Upstreams, mints: Iterable<SolanaAddress>): Effect.Effect<LargestByMint> =>
  Effect.map(
    Effect.forEach(
      mints,
      (mint) =>
        Effect.map(
          factOf(
            Effect.map(up.rpc.getLargestTokenAccounts(mint), ({ balances }) => balances),
            "the node gave no largest LP holders"
          ),
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

/** Pools whose owners of liquidity are looked up: against quotes that may count, those said to be deepest first. */
export const tracedPools = (reads: Reads, mint: SolanaAddress): ReadonlyArray<Traced> => {
  const said = saidUsd(reads)
  const counts = ({ pool }: Traced): number => Number(TRUSTED_QUOTES.has(pool.quoteMint ?? ""))
  const depth = ({ address }: Traced): number => said.get(address) ?? 0
  return poolsOf(reads, mint)
    .filter(([, { claim, quoteMint }]) => claim.kind !== "curve" && quoteMint !== null)
    .map(([address, pool]) => ({ address, pool }))
    .toSorted((a, b) => counts(b) - counts(a) || depth(b) - depth(a))
    .slice(0, MAX_TRACED_POOLS)
}

export const lpMintOf = ({ pool }: Traced): SolanaAddress | null =>
  pool.claim.kind === "lp-tokens" ? pool.claim.lpMint : null
