import { createHash } from "node:crypto"
import { Clock, Effect, Either, Option } from "effect"
import type { SolanaAddress } from "../../../domain/address.ts"
import { isSolanaAddress } from "../../../domain/address.ts"
import type { UpstreamError } from "../../../domain/errors.ts"
import { ScreeningUnavailable } from "../../../domain/errors.ts"
import type { Fact } from "../../../domain/fact.ts"
import { known, missing } from "../../../domain/fact.ts"
import type { Depth } from "../../../domain/screening.ts"
import type { MarketPair, RugCheckReport } from "../../../market/market-data.ts"
import type { AccountBook } from "./account-book.ts"
import { addRead, unread } from "./account-book.ts"
import { CLOCK_SYSVAR, SOL_USDC_POOLS, TRUSTED_QUOTES } from "../addresses.ts"
import { ownersOf } from "../power/holders.ts"
import { derivedLpAccounts, lpAccountsOf, suspects } from "../pools/lp-accounts.ts"
import { noLpAccounts } from "../pools/lp-lock.ts"
import { readMint } from "../power/mint.ts"
import type { DerivedAddresses } from "./pdas.ts"
import { deriveAddresses } from "./pdas.ts"
import { decodeBondingCurve, decodePool, POOL_SLICE } from "../pools/decode.ts"
import type { DecodedPool } from "../pools/decoded-pool.ts"
import type { Reads, Upstreams } from "./reads.ts"
import { TOKEN_ACCOUNT_LENGTH } from "./token-account.ts"

/** Longest account that is read whole: a mint with more extension bytes than this is not understood. */
const FIRST_SLICE = 16_384
const MAX_READ = 100
/** Pools beyond the deepest of each list are left to market data: one read holds 100 accounts. */
const MAX_POOLS = 24
/** Pools whose lockers are looked up; the rest stay open. */
const MAX_LOCKED_POOLS = 4

const slice = (length: number) => ({ slice: { offset: 0, length } })

const factOf = <A>(effect: Effect.Effect<A, UpstreamError>, why: string): Effect.Effect<Fact<A>> =>
  Effect.either(effect).pipe(
    Effect.tap((outcome) =>
      Either.isLeft(outcome)
        ? Effect.logDebug("source missing").pipe(
            Effect.annotateLogs({
              upstream: outcome.left.upstream,
              kind: outcome.left.kind,
              detail: outcome.left.detail
            })
          )
        : Effect.void
    ),
    Effect.map(Either.match({ onLeft: () => missing(why), onRight: (value) => known(value) }))
  )

const orUnavailable = <A>(effect: Effect.Effect<A, UpstreamError>) =>
  effect.pipe(
    Effect.tapError((error) =>
      Effect.logWarning("solana-rpc failed").pipe(Effect.annotateLogs("detail", error.detail))
    ),
    Effect.mapError(() => new ScreeningUnavailable({ upstream: "solana-rpc" }))
  )

const decodeAll = (
  book: AccountBook,
  mint: SolanaAddress,
  addresses: ReadonlyArray<SolanaAddress>
): ReadonlyMap<SolanaAddress, DecodedPool> =>
  new Map(
    addresses.flatMap((address) => {
      const pool = decodePool(book.get(address) ?? null, mint)
      return pool === null ? [] : [[address, pool] as const]
    })
  )

const curvePool = (
  book: AccountBook,
  derived: DerivedAddresses
): ReadonlyArray<readonly [SolanaAddress, DecodedPool]> => {
  const vault =
    derived.curveVaults.find((address) => book.get(address) != null) ?? derived.curveVaults[0] ?? null
  const pool = decodeBondingCurve(book.get(derived.curve) ?? null, vault)?.pool ?? null
  return pool === null ? [] : [[derived.curve, pool]]
}

const quoteDepth = (pair: MarketPair): number =>
  pair.quoteAddress !== null && TRUSTED_QUOTES.has(pair.quoteAddress) ? (pair.liquidityUsd ?? 0) : -1

/** Pools that market data and RugCheck list, the deepest against trusted quotes first. */
const listedPools = (
  market: Fact<ReadonlyArray<MarketPair>>,
  rugCheck: Fact<RugCheckReport | null>
): ReadonlyArray<SolanaAddress> => {
  const pairs = market.known ? market.value.toSorted((a, b) => quoteDepth(b) - quoteDepth(a)) : []
  const markets = rugCheck.known ? (rugCheck.value?.markets ?? []) : []
  return [...pairs.map(({ pairAddress }) => pairAddress), ...markets.map(({ pubkey }) => pubkey)].filter(
    isSolanaAddress
  )
}

/** First wave: the mint and everything with a derivable address in one read, market data beside it. */
const firstWave = Effect.fn("SolanaPlan.firstWave")(function* (
  up: Upstreams,
  mint: SolanaAddress,
  depth: Depth
) {
  const fetchedAt = yield* Clock.currentTimeMillis
  const derived = deriveAddresses(mint)
  const lpAccounts = derivedLpAccounts(derived, up.extraLockers)
  const addresses = unread(
    new Map(),
    [
      mint,
      CLOCK_SYSVAR,
      derived.metadata,
      derived.curve,
      ...derived.curveVaults,
      ...SOL_USDC_POOLS,
      ...derived.pools.flatMap(({ lpMint, pool, vaults }) => [pool, lpMint, ...vaults]),
      ...[...lpAccounts.values()].flatMap((accounts) => Object.values(accounts).flat())
    ],
    MAX_READ
  )
  const [read, market, rugCheck, solPairs, largest] = yield* Effect.all(
    [
      orUnavailable(up.rpc.getAccounts(addresses, slice(FIRST_SLICE))),
      factOf(up.pairs(mint), "market data did not answer"),
      factOf(Effect.map(up.rugReport(mint), Option.getOrNull), "RugCheck did not answer"),
      up.solPairs,
      depth === "deep"
        ? factOf(up.rpc.getLargestTokenAccounts(mint), "the node gave no largest holders")
        : Effect.succeed(missing("not read for a ping"))
    ],
    { concurrency: "unbounded" }
  )
  const book = addRead(new Map(), addresses, read.accounts)
  const account = book.get(mint) ?? null
  const pools = decodeAll(
    book,
    mint,
    derived.pools.map(({ pool }) => pool)
  )
  const reads: Reads = {
    fetchedAt,
    slot: read.slot,
    book,
    reading: readMint(account),
    accountHash: account === null ? null : createHash("sha256").update(account.data).digest("hex"),
    derived,
    market,
    solPairs,
    rugCheck,
    largest,
    pools: new Map([...pools, ...curvePool(book, derived)]),
    lpAccounts
  }
  return reads
})

/** Second wave: the pools that others list, and the largest token accounts. */
const secondWave = Effect.fn("SolanaPlan.secondWave")(function* (
  up: Upstreams,
  mint: SolanaAddress,
  reads: Reads
) {
  const listed = listedPools(reads.market, reads.rugCheck).filter(
    (address) => address !== reads.derived.curve
  )
  const pools = unread(reads.book, listed, MAX_POOLS)
  const holders = reads.largest.known ? reads.largest.value.map(({ address }) => address) : []
  const addresses = unread(reads.book, [...pools, ...holders], MAX_READ)
  if (addresses.length === 0) return reads
  const { accounts } = yield* orUnavailable(up.rpc.getAccounts(addresses, slice(POOL_SLICE)))
  const book = addRead(reads.book, addresses, accounts)
  return { ...reads, book, pools: new Map([...reads.pools, ...decodeAll(book, mint, pools)]) }
})

/** Third wave: vaults, LP mints, lockers and suspects' LP accounts, and the programs behind the largest holders. */
const thirdWave = Effect.fn("SolanaPlan.thirdWave")(function* (
  up: Upstreams,
  mint: SolanaAddress,
  reads: Reads
) {
  const vaults = [...reads.pools.values()]
    .filter(({ quoteMint }) => TRUSTED_QUOTES.has(quoteMint))
    .flatMap(({ quoteVault, tokenVault }) => [quoteVault, tokenVault].filter((vault) => vault !== null))
  const withLp = [...reads.pools].flatMap(([address, pool]) =>
    pool.claim.kind === "lp-tokens" && TRUSTED_QUOTES.has(pool.quoteMint)
      ? [{ address, pool, lpMint: pool.claim.lpMint }]
      : []
  )
  const lpAccounts = new Map(reads.lpAccounts)
  for (const { address, lpMint, pool } of withLp.slice(0, MAX_LOCKED_POOLS)) {
    const wallets = suspects(reads, pool, mint)
    lpAccounts.set(address, lpAccountsOf({ address, kind: pool.kind, lpMint }, up.extraLockers, wallets))
  }
  const owners = reads.largest.known ? ownersOf(reads.largest.value, reads.book) : []
  const lpHolders = withLp.flatMap(({ address }) => {
    const { operator, permanent, timed, wallets } = lpAccounts.get(address) ?? noLpAccounts
    return [...permanent, ...operator, ...wallets, ...timed]
  })
  const addresses = unread(
    reads.book,
    [...vaults, ...withLp.map(({ lpMint }) => lpMint), ...owners, ...lpHolders],
    MAX_READ
  )
  if (addresses.length === 0) return { ...reads, lpAccounts }
  const { accounts } = yield* orUnavailable(up.rpc.getAccounts(addresses, slice(TOKEN_ACCOUNT_LENGTH)))
  return { ...reads, lpAccounts, book: addRead(reads.book, addresses, accounts) }
})

/**
 * Reads everything one screening needs: one RPC round trip for a ping, at most four for a deep report (the largest
 * holders beside the first), market data beside the first. Fails only where the Solana node did not answer; every
 * other missing source stays a missing fact.
 */
export const collect = Effect.fn("SolanaPlan.collect")(function* (
  up: Upstreams,
  mint: SolanaAddress,
  depth: Depth
) {
  const first = yield* firstWave(up, mint, depth)
  if (depth === "ping" || first.reading.kind !== "mint") return first
  const second = yield* secondWave(up, mint, first)
  return yield* thirdWave(up, mint, second)
})
