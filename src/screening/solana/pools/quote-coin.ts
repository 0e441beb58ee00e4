/**
 * A coin as a quote is worth what its own pool pays for it: but only until somebody who holds much of the coin sells
 * there first, or takes what he has put into that pool.
 */
import type { SolanaTokenBalance } from "../../../chain/chain-rpc.ts"
import type { SolanaAddress } from "../../../domain/address.ts"
import type { Fact } from "../../../domain/fact.ts"
import { known, missing } from "../../../domain/fact.ts"
import { BURN_ADDRESSES, PROTOCOL_AUTHORITIES } from "../addresses.ts"
import { isConcealed } from "../power/concealed.ts"
import type { Mint } from "../power/mint.ts"
import { readMint } from "../power/mint.ts"
import type { AccountBook } from "../reads/account-book.ts"
import { deriveAddresses } from "../reads/pdas.ts"
import type { Listed } from "../reads/token-account.ts"
import { withAccounts } from "../reads/token-account.ts"
import type { DecodedPool } from "./decoded-pool.ts"
import { coinPool } from "./quote-price.ts"
import type { PoolDepth } from "./reserves.ts"
import { depthOf, priceAfterSale } from "./reserves.ts"

/** The largest holders of the coins that pools are quoted in. */
export type CoinHolders = ReadonlyMap<SolanaAddress, Fact<ReadonlyArray<SolanaTokenBalance>>>

/** Accounts in which the coin's own curve and pool keep what they trade, and `own`: those of the screened token. */
const vaultsOf = (coin: SolanaAddress, own: ReadonlyArray<SolanaAddress>): ReadonlySet<SolanaAddress> => {
  const { curveVaults, mayhemVaults, pools } = deriveAddresses(coin)
  return new Set([...own, ...curveVaults, ...mayhemVaults, ...pools.flatMap(({ vaults }) => vaults)])
}

/** Smallest units that parties could sell, those of unknown owners included. */
interface Holdings {
  readonly largest: number
  readonly listed: number
}

/** What a list leaves of the coin's supply, where one party may have it: as of the screened token itself. */
const unlistedOf = (token: Mint, list: ReadonlyArray<Listed>, named: number): number => {
  const balances = list.map(({ listed }) => Number(listed.amount))
  const unlisted = Math.max(
    0,
    balances.reduce((rest, balance) => rest - balance, Number(token.supply))
  )
  return isConcealed(token, { balances, named }, unlisted) ? unlisted : 0
}

const holdingsOf = (
  token: Mint,
  list: ReadonlyArray<Listed>,
  vaults: ReadonlySet<SolanaAddress>
): Holdings => {
  const byOwner = new Map<string, number>()
  const named = new Set<string>()
  let untold = 0
  for (const { account, listed } of list) {
    const { address, amount } = listed
    const owner = vaults.has(address) ? address : account?.owner
    named.add(owner !== undefined && BURN_ADDRESSES.has(owner) ? "burned" : (owner ?? address))
    if (vaults.has(address)) continue
    if (owner === undefined) untold += Number(amount)
    else if (!BURN_ADDRESSES.has(owner) && !PROTOCOL_AUTHORITIES.has(owner))
      byOwner.set(owner, (byOwner.get(owner) ?? 0) + Number(amount))
  }
  untold += unlistedOf(token, list, named.size)
  const held = [...byOwner.values()]
  return {
    largest: untold + Math.max(0, ...held),
    listed: untold + held.reduce((sum, amount) => sum + amount, 0)
  }
}

/** Share of a coin's own pool that somebody could withdraw: all but the burned LP tokens; null where nobody shows how many are left. */
const withdrawableOf = ({ claim }: DecodedPool, book: AccountBook): number | null => {
  if (claim.kind !== "lp-tokens") return 0
  const reading = readMint(book.get(claim.lpMint) ?? null)
  if (reading.kind !== "mint") return null
  const left = Number(reading.mint.supply)
  return left === 0 ? 0 : left / Math.max(left, Number(claim.issued ?? 0n))
}

/** Price after a sale of this much, once so much of the pool has been withdrawn and its part of the coin sold too. */
const afterWithdrawal = ({ quote, real, token }: PoolDepth, part: number, amount: number): number | null => {
  const left = 1 - part
  const rest = { token: token * left, quote: quote * left, real: real * left }
  return left === 0 ? 0 : priceAfterSale([rest], amount + token * part)
}

/** Where the listed holders' sale leaves less than this, they are a circle of their own and count as one. */
const ENDED = 0.1

/** A quote of whose worth one party's sale leaves less than this is none to rely on. */
export const LEAST_AFTER_SALE = 0.5

/**
 * What is left of the coin's price, 0 to 1, once its largest holder has sold, or a circle that holds nearly all. Not known
 * where it would matter who can withdraw the coin's own liquidity: that is not looked up.
 */
export const coinAfterSale = (
  coin: SolanaAddress,
  own: ReadonlyArray<SolanaAddress>,
  holders: CoinHolders,
  book: AccountBook
): Fact<number> => {
  const list = holders.get(coin)
  if (list?.known !== true) return missing("the node gave no largest holders of the quote")
  const reading = readMint(book.get(coin) ?? null)
  if (reading.kind !== "mint") return missing("the quote's own mint was not read")
  const pool = coinPool(coin, book)
  const depth = pool === null ? null : depthOf(pool, coin, book, 0)
  if (pool === null || depth === null) return missing("no pool of the quote was read")
  const { largest, listed } = holdingsOf(
    reading.mint,
    withAccounts(list.value, coin, book),
    vaultsOf(coin, own)
  )
  const [one, all] = [priceAfterSale([depth], largest), priceAfterSale([depth], listed)]
  if (one === null || all === null) return missing("no pool of the quote was read")
  const after = all < ENDED ? all : one
  const part = withdrawableOf(pool, book)
  const least = part === null ? null : afterWithdrawal(depth, part, largest)
  return after >= LEAST_AFTER_SALE && (least === null || least < LEAST_AFTER_SALE)
    ? missing("who can withdraw the quote's own liquidity is not known")
    : known(after)
}
