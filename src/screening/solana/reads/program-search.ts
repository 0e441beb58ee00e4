import { Effect } from "effect"
import type { SolanaAddress } from "../../../domain/address.ts"
import { TIME_LOCKERS } from "../addresses.ts"
import type { LpAccounts } from "../pools/lp-reading.ts"
import { isWallet } from "./program-address.ts"
import type { StreamTerms } from "../power/lockers.ts"
import {
  decodeLpLock,
  decodeStream,
  LP_LOCK_LENGTH,
  LP_LOCK_POOL_OFFSET,
  STREAM_LENGTH,
  STREAM_MINT_OFFSET
} from "../power/lockers.ts"
import {
  isStakePoolOf,
  STAKE_POOL_MINT_OFFSET,
  STAKE_POOL_PROGRAMS,
  STAKE_POOL_SLICE
} from "../power/stake-pool.ts"
import { TRUSTED_MINTS } from "../power/trusted-mints.ts"
import type { AccountBook } from "./account-book.ts"
import { factOf } from "./fetch.ts"
import type { Traced } from "./liquidity-owners.ts"
import { lpMintOf } from "./liquidity-owners.ts"
import type { Reads, Upstreams } from "./reads.ts"
import { decodeTokenAccount } from "./token-account.ts"

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
    (program) =>
      factOf(
        up.rpc.getProgramAccounts(
          program,
          { offset: STAKE_POOL_MINT_OFFSET, holds: mint },
          { offset: 0, length: STAKE_POOL_SLICE }
        ),
        "the node lists no stake pools"
      ),
    { concurrency: "unbounded" }
  )
  const pools = found.flatMap((answer) => (answer.known ? answer.value : []))
  return pools.find((pool) => isStakePoolOf(pool, mint, reading.mint))?.address ?? null
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
        factOf(
          up.rpc.getProgramAccounts(
            locker,
            { offset: LP_LOCK_POOL_OFFSET, holds: pool },
            { offset: 0, length: LP_LOCK_LENGTH }
          ),
          "the node lists no locks"
        ),
        (found) => {
          const locks = (found.known ? found.value : []).map(({ data }) => decodeLpLock(data, lpMint))
          return [vault, locks.filter((lock) => lock !== null)] as const
        }
      ),
    { concurrency: "unbounded" }
  )
  return new Map(entries)
})

/** Streamflow keeps a balance in an account that owns itself; the contract that governs it is found by its mint. */
export const findStreams = Effect.fn("SolanaPlan.findStreams")(function* (
  up: Upstreams,
  mint: SolanaAddress,
  { book, largest }: Reads
) {
  const holders = largest.known ? largest.value.map(({ address }) => address) : []
  const ownThemselves = holders.some(
    (address) => decodeTokenAccount(book.get(address) ?? null)?.owner === address
  )
  if (!ownThemselves) return new Map<string, StreamTerms>()
  const slice = { offset: 0, length: STREAM_LENGTH }
  const query = { offset: STREAM_MINT_OFFSET, holds: mint }
  const found = yield* factOf(
    up.rpc.getProgramAccounts(TIME_LOCKERS.streamflow, query, slice),
    "the node lists no locks"
  )
  return new Map<string, StreamTerms>(
    (found.known ? found.value : []).flatMap(({ data, owner }) => {
      const terms = decodeStream({ owner, data, lamports: 0n, space: data.length })
      return terms === null ? [] : [[terms.escrow, terms] as const]
    })
  )
})
