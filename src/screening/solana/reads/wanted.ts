/** What a screening wants to read next, by what it has read so far. */
import type { SolanaAddress } from "../../../domain/address.ts"
import { BURN_ADDRESSES, RAYDIUM_BURN_AND_EARN, SYSTEM_PROGRAM, TRUSTED_QUOTES } from "../addresses.ts"
import { poolsOf } from "../pools/found.ts"
import { lpAccountsOf, suspects } from "../pools/lp-accounts.ts"
import type { LpAccounts } from "../pools/lp-reading.ts"
import { noLpAccounts } from "../pools/lp-reading.ts"
import { positionAccounts } from "../pools/positions/owners.ts"
import type { Weighed } from "../pools/positions/reach.ts"
import { quoteAccounts } from "../pools/quote-price.ts"
import { ownersOf } from "../power/parties.ts"
import { isWallet } from "../../../chain/program-address.ts"
import type { LargestByMint, Traced } from "./liquidity-owners.ts"
import { isEmpty, lpMintOf, tracedPools } from "./liquidity-owners.ts"
import type { Reads } from "./reads.ts"

/** Coins as quotes whose own pools are read. */
const MAX_COIN_QUOTES = 4

/** Of these quotes the coins, whose worth their own pools tell. */
export const coinsAmong = (quotes: ReadonlyArray<SolanaAddress>): ReadonlyArray<SolanaAddress> =>
  [...new Set(quotes)].filter((quote) => !TRUSTED_QUOTES.has(quote)).slice(0, MAX_COIN_QUOTES)

const everyAccount = ({ operator, permanent, timed, wallets }: LpAccounts): ReadonlyArray<SolanaAddress> => [
  ...permanent,
  ...operator,
  ...timed.map(({ vault }) => vault),
  ...wallets
]

/** What follows from the pools and holders read so far. */
export interface Wanted {
  readonly traced: ReadonlyArray<Traced>
  /** Where the LP tokens of each traced pool may lie. */
  readonly lpAccounts: ReadonlyMap<SolanaAddress, LpAccounts>
  /** LP mints whose holders are listed. */
  readonly lpMints: ReadonlyArray<SolanaAddress>
  readonly coins: ReadonlyArray<SolanaAddress>
  /** Vaults, LP mints and where LP tokens may lie, owners of the largest accounts. */
  readonly small: ReadonlyArray<SolanaAddress>
  /** What stands beside pools: fee tiers, arrays of bins, lending vaults, pools of coins as quotes. */
  readonly large: ReadonlyArray<SolanaAddress>
}

export const wantedOf = (
  reads: Reads,
  mint: SolanaAddress,
  extraLockers: ReadonlyArray<SolanaAddress>
): Wanted => {
  const pools = poolsOf(reads, mint)
  const traced = tracedPools(reads, mint)
  const lpAccounts = new Map(
    traced.map((one) => {
      const lpMint = lpMintOf(one)
      const place = { address: one.address, kind: one.pool.kind }
      const accounts =
        lpMint === null || isEmpty(reads.book, lpMint)
          ? noLpAccounts
          : lpAccountsOf({ ...place, lpMint }, extraLockers, suspects(reads, one.pool, mint))
      return [one.address, accounts] as const
    })
  )
  const lpMints = traced.flatMap((one) => lpMintOf(one) ?? [])
  const coins = coinsAmong(pools.flatMap(([, { quoteMint }]) => (quoteMint === null ? [] : [quoteMint])))
  return {
    traced,
    lpAccounts,
    lpMints: lpMints.filter((lpMint) => !isEmpty(reads.book, lpMint)),
    coins,
    small: [
      ...pools.flatMap(([, { quoteVault, tokenVault }]) =>
        [quoteVault, tokenVault].filter((vault) => vault !== null)
      ),
      ...lpMints,
      ...(reads.largest.known ? ownersOf(reads.largest.value, reads.book) : []),
      ...[...lpAccounts.values()].flatMap(everyAccount)
    ],
    large: [...pools.flatMap(([, pool]) => pool.companions), ...coins.flatMap(quoteAccounts)]
  }
}

/** Whoever holds LP tokens there, they are locked for good. */
const isForGood = (owner: SolanaAddress): boolean =>
  BURN_ADDRESSES.has(owner) || owner === RAYDIUM_BURN_AND_EARN

/** Listed accounts of LP tokens and coins, and owners of the first that are programs' addresses: they may be locks. */
export const programOwners = (
  traced: ReadonlyArray<Traced>,
  largest: LargestByMint,
  { book, coinHolders }: Reads
): ReadonlyArray<SolanaAddress> => {
  const lists = traced.flatMap((one) => {
    const list = largest.get(lpMintOf(one) ?? SYSTEM_PROGRAM)
    return list?.known === true ? list.value : []
  })
  const owners = ownersOf(lists, book).filter((owner) => !isWallet(owner) && !isForGood(owner))
  const coins = [...coinHolders.values()].flatMap((list) => (list.known ? list.value : []))
  return [...[...lists, ...coins].map(({ address }) => address), ...owners]
}

/** Accounts that tell whose the weighed positions are. */
export const weighedAccounts = (
  traced: ReadonlyArray<Traced>,
  weighed: ReadonlyMap<SolanaAddress, Weighed>
): ReadonlyArray<SolanaAddress> =>
  traced.flatMap(({ address, pool }) => {
    const one = weighed.get(address)
    return one === undefined ? [] : positionAccounts(pool.kind, one)
  })
