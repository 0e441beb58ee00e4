import type { SolanaTokenBalance } from "../../../chain/chain-rpc.ts"
import type { SolanaAddress } from "../../../domain/address.ts"
import { isSolanaAddress } from "../../../domain/address.ts"
import type { RugCheckReport } from "../../../market/market-data.ts"
import type { AccountBook } from "../reads/account-book.ts"
import {
  BURN_ADDRESSES,
  LOCKER_PROGRAMS,
  POOL_AUTHORITIES,
  POOL_PROGRAMS,
  SYSTEM_PROGRAM
} from "../addresses.ts"
import { isWallet } from "../pools/lp-lock.ts"
import { decodeTokenAccount } from "../reads/token-account.ts"

/** Who holds the supply, pools, lockers, curves and burned tokens left out. Shares are of the unburned supply, 0 to 1. */
export interface HolderFacts {
  readonly source: "solana-rpc" | "rugcheck"
  readonly largest: number
  readonly topTen: number
  /** Held under addresses of programs we do not know: counted above, and said. */
  readonly unknownPrograms: number
  /** Held by accounts RugCheck ties to insiders; null where it did not say. */
  readonly insiders: number | null
}

interface Holding {
  readonly owner: string
  readonly amount: number
  readonly isUnknownProgram: boolean
}

/** Accounts whose tokens are a pool's, by token account or by owner. */
export interface PoolAccounts {
  readonly vaults: ReadonlySet<string>
  readonly owners: ReadonlySet<string>
}

const summarize = (
  holdings: ReadonlyArray<Holding>,
  supply: number,
  source: HolderFacts["source"]
): HolderFacts => {
  const byOwner = new Map<string, number>()
  for (const { amount, owner } of holdings) byOwner.set(owner, (byOwner.get(owner) ?? 0) + amount)
  const shares = [...byOwner.values()].map((amount) => Math.min(1, amount / supply)).toSorted((a, b) => b - a)
  const unknown = holdings.filter(({ isUnknownProgram }) => isUnknownProgram)
  return {
    source,
    largest: shares[0] ?? 0,
    topTen: Math.min(
      1,
      shares.slice(0, 10).reduce((sum, share) => sum + share, 0)
    ),
    unknownPrograms: Math.min(1, unknown.reduce((sum, { amount }) => sum + amount, 0) / supply),
    insiders: null
  }
}

/** Owners of the largest token accounts, to be read next: their owning program tells people from programs. */
export const ownersOf = (
  largest: ReadonlyArray<SolanaTokenBalance>,
  book: AccountBook
): ReadonlyArray<SolanaAddress> =>
  largest.flatMap(({ address }) => {
    const account = decodeTokenAccount(book.get(address) ?? null)
    return account === null ? [] : [account.owner]
  })

const isExcludedProgram = (program: string): boolean =>
  POOL_PROGRAMS.has(program) || LOCKER_PROGRAMS.has(program)

/**
 * The chain's own reading (facts/risk.md D5). A token account whose owner could not be read counts as a holder of its
 * own: what cannot be explained away stays.
 */
export const chainHolders = (
  largest: ReadonlyArray<SolanaTokenBalance>,
  supply: bigint,
  book: AccountBook,
  pools: PoolAccounts
): HolderFacts | null => {
  let burned = 0n
  const holdings: Array<Holding> = []
  for (const { address, amount } of largest) {
    const owner = decodeTokenAccount(book.get(address) ?? null)?.owner
    if (owner === undefined) {
      if (!pools.vaults.has(address))
        holdings.push({ owner: address, amount: Number(amount), isUnknownProgram: false })
      continue
    }
    if (BURN_ADDRESSES.has(owner)) {
      burned += amount
      continue
    }
    const program = book.get(owner)?.owner ?? SYSTEM_PROGRAM
    if (pools.vaults.has(address) || pools.owners.has(owner) || POOL_AUTHORITIES.has(owner)) continue
    if (isExcludedProgram(program)) continue
    const isUnknownProgram = program !== SYSTEM_PROGRAM || !isWallet(owner)
    holdings.push({ owner, amount: Number(amount), isUnknownProgram })
  }
  const unburned = Number(supply - burned)
  return unburned > 0 ? summarize(holdings, unburned, "solana-rpc") : null
}

/** RugCheck's top holders, without the accounts it knows as pools and those we know. Null where it lists none. */
export const rugCheckHolders = (report: RugCheckReport, pools: PoolAccounts): HolderFacts | null => {
  if (report.topHolders === null || report.topHolders.length === 0) return null
  const people = report.topHolders.filter(({ address, owner }) => {
    const who = owner ?? address
    const isPool = (account: string) => report.knownAccounts[account]?.type === "AMM"
    return !(
      isPool(who) ||
      isPool(address) ||
      pools.vaults.has(address) ||
      pools.owners.has(who) ||
      POOL_AUTHORITIES.has(who) ||
      BURN_ADDRESSES.has(who)
    )
  })
  const holdings = people.map(({ address, owner, pct }) => {
    const who = owner ?? address
    const isUnknownProgram = owner !== null && isSolanaAddress(owner) && !isWallet(owner)
    return { owner: who, amount: Math.max(0, pct), isUnknownProgram }
  })
  const insiders = people.filter(({ insider }) => insider).reduce((sum, { pct }) => sum + Math.max(0, pct), 0)
  return { ...summarize(holdings, 100, "rugcheck"), insiders: Math.min(1, insiders / 100) }
}
