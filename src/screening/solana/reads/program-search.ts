import { Effect } from "effect"
import type { SolanaAddress } from "../../../domain/address.ts"
import { RAYDIUM_BURN_AND_EARN, TIME_LOCKERS, TOKEN_PROGRAM } from "../addresses.ts"
import type { DecodedPool } from "../pools/decoded-pool.ts"
import { mayHaveGained } from "../pools/harvest.ts"
import type { LpAccounts } from "../pools/lp-reading.ts"
import { associatedTokenAccount, isWallet } from "../../../chain/program-address.ts"
import type { StreamTerms } from "../power/lockers.ts"
import {
  decodeLpLock,
  decodeStream,
  EARNING_LOCKERS,
  LP_LOCK_LENGTH,
  LP_LOCK_POOL_OFFSET,
  STREAM_LENGTH,
  STREAM_MINT_OFFSET
} from "../power/lockers.ts"
import {
  isStakePoolOf,
  STAKE_POOL_MINT_OFFSET,
  STAKE_POOL_PROGRAMS,
  STAKE_POOL_SLICE,
  stakePoolOf
} from "../power/stake-pool.ts"
import { TRUSTED_MINTS } from "../power/trusted-mints.ts"
import type { AccountBook } from "./account-book.ts"
import { factOf } from "./fetch.ts"
import type { ToldOwners } from "./guesses.ts"
import type { LargestByMint, Traced } from "./liquidity-owners.ts"
import { lpMintOf } from "./liquidity-owners.ts"
import type { Reads, Upstreams } from "./reads.ts"
import { decodeTokenAccount } from "./token-account.ts"

/** What a program keeps about a mint or a pool: the first bytes of its accounts. None where the node does not list them. */
const accountsOf = (
  up: Upstreams,
  program: SolanaAddress,
  query: Parameters<Upstreams["rpc"]["getProgramAccounts"]>[1],
  length: number
) =>
  Effect.map(
    factOf(up.rpc.getProgramAccounts(program, query, { offset: 0, length }), "the node does not list them"),
    (found) => (found.known ? found.value.accounts : [])
  )

/** The stake pool whose authority the mint's is, for mints that a program may mint and no list names. */
export const findStakePool = Effect.fn("SolanaPlan.findStakePool")(function* (
  up: Upstreams,
  mint: SolanaAddress,
  { reading }: Reads
) {
  if (reading.kind !== "mint" || TRUSTED_MINTS.has(mint)) return null
  const authority = reading.mint.mintAuthority
  if (authority === null || isWallet(authority)) return null
  const found = yield* Effect.forEach(
    STAKE_POOL_PROGRAMS,
    (program) => accountsOf(up, program, { offset: STAKE_POOL_MINT_OFFSET, holds: mint }, STAKE_POOL_SLICE),
    { concurrency: "unbounded" }
  )
  const pool = found.flat().find((one) => isStakePoolOf(one, mint, reading.mint))
  return pool === undefined ? null : stakePoolOf(pool)
})

/** The locks behind the vaults of lockers that hold LP tokens of these pools. */
export const findLpLocks = Effect.fn("SolanaPlan.findLpLocks")(function* (
  up: Upstreams,
  book: AccountBook,
  pools: ReadonlyArray<Traced>,
  accounts: ReadonlyMap<SolanaAddress, LpAccounts>
) {
  const vaults = pools.flatMap((traced) => {
    const lpMint = lpMintOf(traced)
    const timed = accounts.get(traced.address)?.timed ?? []
    return lpMint === null ? [] : timed.map((one) => ({ ...one, lpMint, pool: traced.address }))
  })
  const entries = yield* Effect.forEach(
    vaults.filter(({ vault }) => (decodeTokenAccount(book.get(vault) ?? null)?.amount ?? 0n) > 0n),
    ({ locker, lpMint, pool, vault }) =>
      Effect.map(
        accountsOf(up, locker, { offset: LP_LOCK_POOL_OFFSET, holds: pool }, LP_LOCK_LENGTH),
        (found) => {
          const locks = found.map(({ data }) => decodeLpLock(data, lpMint))
          return [vault, locks.filter((lock) => lock !== null)] as const
        }
      ),
    { concurrency: "unbounded" }
  )
  return new Map(entries)
})

/** LP tokens of a pool that are locked where their gains can be harvested. */
const lockedToEarn = ({ claim }: DecodedPool, book: AccountBook): bigint => {
  if (claim.kind !== "lp-tokens") return 0n
  if (claim.locked > 0n) return claim.locked
  const there = book.get(associatedTokenAccount(RAYDIUM_BURN_AND_EARN, claim.lpMint, TOKEN_PROGRAM))
  return decodeTokenAccount(there ?? null)?.amount ?? 0n
}

/** Such locks of pools that have gained much, by the pool. */
export const findEarningLocks = Effect.fn("SolanaPlan.findEarningLocks")(function* (
  up: Upstreams,
  mint: SolanaAddress,
  book: AccountBook,
  pools: ReadonlyArray<Traced>
) {
  const gained = pools.flatMap((traced) => {
    const [lpMint, locker] = [lpMintOf(traced), EARNING_LOCKERS[traced.pool.kind]]
    if (lpMint === null || locker === undefined) return []
    const isAsked = lockedToEarn(traced.pool, book) > 0n && mayHaveGained({ ...traced, token: mint }, book)
    return isAsked ? [{ pool: traced.address, lpMint, locker }] : []
  })
  const entries = yield* Effect.forEach(
    gained,
    ({ locker: { length, offset, program, read }, lpMint, pool }) =>
      Effect.map(accountsOf(up, program, { offset, holds: pool }, length), (found) => {
        const locks = found.map(({ data }) => read(data, lpMint))
        return [pool, locks.filter((lock) => lock !== null)] as const
      }),
    { concurrency: "unbounded" }
  )
  return new Map(entries)
})

/** Streamflow keeps a balance in an account that owns itself. */
const hasEscrows = (list: Reads["largest"], book: AccountBook, told: ToldOwners): boolean =>
  list.known &&
  list.value.some(({ address }) => {
    const owner = decodeTokenAccount(book.get(address) ?? null)?.owner ?? told.get(address)
    return owner === address
  })

export const hasStreams = ({ book, largest }: Reads, told: ToldOwners): boolean =>
  hasEscrows(largest, book, told)

/** Streamflow's contracts of a mint. */
export const findStreams = Effect.fn("SolanaPlan.findStreams")(function* (
  up: Upstreams,
  mint: SolanaAddress
) {
  const query = { offset: STREAM_MINT_OFFSET, holds: mint }
  const found = yield* accountsOf(up, TIME_LOCKERS.streamflow, query, STREAM_LENGTH)
  return new Map<string, StreamTerms>(
    found.flatMap(({ data, owner }) => {
      const terms = decodeStream({ owner, data, lamports: 0n, space: data.length })
      return terms === null ? [] : [[terms.escrow, terms] as const]
    })
  )
})

/** Streamflow's contracts of LP mints of which an escrow is listed. */
export const findLpStreams = Effect.fn("SolanaPlan.findLpStreams")(function* (
  up: Upstreams,
  book: AccountBook,
  largest: LargestByMint
) {
  const mints = [...largest].filter(([, list]) => hasEscrows(list, book, new Map()))
  const found = yield* Effect.forEach(mints, ([lpMint]) => findStreams(up, lpMint), {
    concurrency: "unbounded"
  })
  return new Map(found.flatMap((streams) => [...streams]))
})
