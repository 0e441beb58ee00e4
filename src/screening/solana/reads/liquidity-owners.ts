import { Effect } from "effect"
import type { SolanaTokenBalance } from "../../../chain/chain-rpc.ts"
import type { SolanaAddress } from "../../../domain/address.ts"
import { isSolanaAddress } from "../../../domain/address.ts"
import type { Fact } from "../../../domain/fact.ts"
import { known, missing } from "../../../domain/fact.ts"
import { SYSTEM_PROGRAM, TRUSTED_QUOTES } from "../addresses.ts"
import type { DecodedPool } from "../pools/decoded-pool.ts"
import { poolsOf } from "../pools/found.ts"
import type { RawPosition } from "../pools/positions/formats.ts"
import { positionQuery, readPositions } from "../pools/positions/formats.ts"
import { positionMints } from "../pools/positions/owners.ts"
import type { Weighed } from "../pools/positions/reach.ts"
import { weigh } from "../pools/positions/reach.ts"
import type { PositionTerms } from "../power/lockers.ts"
import { POSITION_LOCKERS } from "../power/lockers.ts"
import { TRUSTED_MINTS } from "../power/trusted-mints.ts"
import type { AccountBook } from "./account-book.ts"
import { factOf } from "./fetch.ts"
import { cpmmLpMint, pumpSwapLpMint } from "./pdas.ts"
import type { Reads, Upstreams } from "./reads.ts"

/** Pools whose liquidity is traced to its owners; the rest stay open. */
const MAX_TRACED_POOLS = 4

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

/** Positions by pool. */
export type Positions = ReadonlyMap<SolanaAddress, Fact<ReadonlyArray<RawPosition>>>

/** The positions of one pool; a node that lists none for a pool with liquidity has not answered. */
const positionsOf = Effect.fnUntraced(function* (up: Upstreams, { address, pool }: Traced) {
  const query = positionQuery(pool.kind)
  if (query === null || pool.claim.kind !== "positions") return []
  const { offset, program, size, slices } = query
  const wanted = { ...(size === undefined ? {} : { size }), offset, holds: address }
  const answers = yield* Effect.forEach(
    slices,
    (slice) => factOf(up.rpc.getProgramAccounts(program, wanted, slice), "the node lists no positions"),
    { concurrency: "unbounded" }
  )
  const found = readPositions(
    pool.kind,
    answers.flatMap((answer) => (answer.known ? [answer.value] : []))
  )
  const fact = found.length === 0 ? missing("the node lists no positions") : known(found)
  return [[address, fact] as const]
})

export const findPositions = Effect.fn("SolanaPlan.findPositions")(function* (
  up: Upstreams,
  pools: ReadonlyArray<Traced>
) {
  const entries = yield* Effect.forEach(pools, (pool) => positionsOf(up, pool), {
    concurrency: "unbounded"
  })
  const positions: Positions = new Map(entries.flat())
  return positions
})

/** What the owners of positions are told by: their weights, the holders of their tokens, and their locks. */
export interface PositionOwners {
  readonly weighed: ReadonlyMap<SolanaAddress, Weighed>
  readonly holders: LargestByMint
  readonly terms: ReadonlyMap<SolanaAddress, PositionTerms>
}

const termsOf = Effect.fnUntraced(function* (up: Upstreams, { address, pool }: Traced) {
  const locker = POSITION_LOCKERS[pool.kind]
  if (locker === undefined) return []
  const found = yield* factOf(
    up.rpc.getProgramAccounts(
      locker.program,
      { offset: locker.offset, holds: address },
      { offset: 0, length: locker.length }
    ),
    "the node lists no locks"
  )
  return (found.known ? found.value : []).flatMap(({ data }) => {
    const entry = locker.read(data)
    return entry === null ? [] : [entry]
  })
})

/** Weighs the positions that were listed and asks who holds the heaviest. */
export const findOwners = Effect.fn("SolanaPlan.findOwners")(function* (
  up: Upstreams,
  mint: SolanaAddress,
  book: AccountBook,
  pools: ReadonlyArray<Traced>,
  positions: Positions
) {
  const weighed = new Map(
    pools.flatMap(({ address, pool }) => {
      const found = positions.get(address)
      const one = found?.known === true ? weigh({ address, pool, token: mint }, found.value, book) : null
      return one === null ? [] : [[address, one] as const]
    })
  )
  // Nobody asks whose the liquidity of an established issuer's token is.
  const held = TRUSTED_MINTS.has(mint) ? [] : pools.filter(({ address }) => weighed.has(address))
  const mints = held.flatMap(({ address, pool }) => {
    const one = weighed.get(address)
    return one === undefined ? [] : positionMints(pool.kind, one)
  })
  const [holders, terms] = yield* Effect.all(
    [listLargest(up, mints), Effect.forEach(held, (one) => termsOf(up, one), { concurrency: "unbounded" })],
    { concurrency: "unbounded" }
  )
  const owners: PositionOwners = { weighed, holders, terms: new Map(terms.flat()) }
  return owners
})
