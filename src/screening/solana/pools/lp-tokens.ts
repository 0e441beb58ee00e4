import type { SolanaTokenBalance } from "../../../chain/chain-rpc.ts"
import type { SolanaAddress } from "../../../domain/address.ts"
import { atLeastZero, max, sum } from "../../../domain/bigint.ts"
import {
  BURN_ADDRESSES,
  LOCKER_PROGRAMS,
  RAYDIUM_BURN_AND_EARN,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM
} from "../addresses.ts"
import { goesOn } from "../power/concealed.ts"
import type { LpLock } from "../power/lockers.ts"
import { LEAST_LOCK_SECONDS } from "../power/least-lock.ts"
import { decodeVesting, takers } from "../power/lockers.ts"
import type { Mint } from "../power/mint.ts"
import { readMint } from "../power/mint.ts"
import type { PartyName } from "../power/party-names.ts"
import { holdingOf, partyNames } from "../power/party-names.ts"
import type { AccountBook } from "../reads/account-book.ts"
import { associatedTokenAccount, isWallet } from "../../../chain/program-address.ts"
import { decodeTokenAccount } from "../reads/token-account.ts"
import type { LiquidityClaim } from "./decoded-pool.ts"
import type { LpAccounts, LpReading, PoolLock } from "./lp-reading.ts"
import { joinPieces, NOTHING_KNOWN } from "./lp-reading.ts"

type Claim = Extract<LiquidityClaim, { kind: "lp-tokens" }>

interface Tally {
  permanent: number
  operator: number
  timed: number
  readonly parties: Map<string, number>
}

/** Whether an account lies where its owner's would: one that was handed over lies where another's does. */
const isPlaceOf = (owner: SolanaAddress, address: SolanaAddress, mint: SolanaAddress): boolean =>
  [TOKEN_PROGRAM, TOKEN_2022_PROGRAM].some(
    (tokenProgram) => associatedTokenAccount(owner, mint, tokenProgram) === address
  )

/** What an owner's holding of LP tokens means; gives how much of it was told: the rest may be anybody's. */
const classify = (
  tally: Tally,
  balance: { readonly address: SolanaAddress; readonly owner: SolanaAddress; readonly amount: bigint },
  context: {
    readonly book: AccountBook
    readonly accounts: LpAccounts
    readonly locks: LpReading["locks"]
    readonly streams: LpReading["streams"]
    readonly lpMint: SolanaAddress
    readonly share: (amount: bigint) => number
    readonly nameOf: PartyName
    readonly now: number
    readonly kept: (amount: bigint) => bigint
  }
): bigint => {
  const { address, amount, owner } = balance
  const { accounts, book, kept, lpMint, locks, nameOf, now, share, streams } = context
  const add = (party: string, part: bigint): bigint => {
    tally.parties.set(party, (tally.parties.get(party) ?? 0) + share(part))
    return part
  }
  const addAll = (parts: ReadonlyArray<{ readonly owner: string; readonly amount: bigint }>): bigint =>
    parts.reduce((sum, part) => sum + add(part.owner, part.amount), 0n)
  const keep = (part: bigint): bigint => {
    tally.permanent += share(part)
    return part
  }
  if (owner === RAYDIUM_BURN_AND_EARN) return keep(kept(amount))
  if (BURN_ADDRESSES.has(owner)) return keep(amount)
  if (accounts.operator.includes(address) && isPlaceOf(owner, address, lpMint)) {
    tally.operator += share(amount)
    return amount
  }
  if (accounts.timed.some(({ vault }) => vault === address)) {
    const { free, lasting } = splitLocks(locks.get(address) ?? [], amount, now)
    const told = addAll(free) + keep(lasting)
    tally.timed += share(amount - told)
    return told
  }
  const stream = streams.get(address)
  // Whoever has the key of an address can give the account there to any program, and has the key all the same.
  if (stream === undefined && isWallet(owner)) return add(nameOf(owner), amount)
  const ownerAccount = book.get(owner) ?? null
  const isLockers = stream !== undefined || LOCKER_PROGRAMS.has(ownerAccount?.owner ?? "")
  // Somebody stands behind a program's address, and who that is cannot be told. A lock escrow of DAMM v1 has no way out:
  // the pool's own account counts it already.
  if (!isLockers) return 0n
  const terms = stream ?? decodeVesting(ownerAccount, address)
  if (terms?.mint !== lpMint) {
    tally.timed += share(amount)
    return 0n
  }
  const taken = addAll(takers(terms, amount, now))
  return taken + keep(amount - taken)
}

/** A vault's balance by its locks: what stays for the least time a lock must last, and who gets the rest before. */
const splitLocks = (
  locks: ReadonlyArray<LpLock>,
  balance: bigint,
  now: number
): { readonly lasting: bigint; readonly free: ReadonlyArray<LpLock> } => {
  const ends = (lock: LpLock): boolean => lock.until < now + LEAST_LOCK_SECONDS
  const free = locks.filter(ends)
  const freed = sum(free.map(({ amount }) => amount))
  const held = sum(locks.filter((lock) => !ends(lock)).map(({ amount }) => amount))
  // Locks that add up to more than there is are not believed.
  return freed + held > balance ? { lasting: 0n, free: [] } : { lasting: held, free }
}

/** Extensions of an LP mint that neither move, nor hide, nor make anybody's balance. */
const HARMLESS: ReadonlySet<string> = new Set([
  "metadataPointer",
  "tokenMetadata",
  "grouping",
  "mintCloseAuthority"
])

/**
 * Some programs let whoever makes a pool bring the mint: burned LP tokens of any other can come back. Anybody may burn
 * what lies with the incinerator, and a mint without tokens can be closed, and opened anew with as many as one likes.
 */
const isPlain = ({ mintAuthority, walk }: Mint): boolean =>
  walk.kind === "complete" &&
  Object.keys(walk.extensions).every((name) => HARMLESS.has(name)) &&
  (walk.extensions.mintCloseAuthority ?? null) === null &&
  (mintAuthority === null || !isWallet(mintAuthority))

/** The smallest share of a party whom the list names: those behind it have less. */
const leastOf = (
  listed: ReadonlyArray<SolanaAddress>,
  book: AccountBook,
  { parties }: Tally,
  nameOf: PartyName
): number =>
  listed.reduce((least, address) => {
    const owner = decodeTokenAccount(book.get(address) ?? null)?.owner
    return Math.min(least, (owner === undefined ? undefined : parties.get(nameOf(owner))) ?? least)
  }, Infinity)

const placesIn = ({ operator, permanent, timed, wallets }: LpAccounts): ReadonlyArray<SolanaAddress> => [
  ...permanent,
  ...operator,
  ...timed.map(({ vault }) => vault),
  ...wallets
]

/**
 * LP tokens in accounts that were read. `lost`: those at burn addresses of a pool that keeps no count of its own. Anybody
 * may burn them, and has then so much more of the pool by those that are left: nobody's are what is not there.
 */
const holdingsOf = (
  { issued, lpMint }: Pick<Claim, "issued" | "lpMint">,
  places: ReadonlyArray<SolanaAddress>,
  book: AccountBook
) => {
  const held = [...new Set(places)].flatMap((address) => {
    const account = decodeTokenAccount(book.get(address) ?? null)
    return account === null || account.mint !== lpMint ? [] : [{ ...account, address }]
  })
  const isLost = ({ owner }: { readonly owner: SolanaAddress }): boolean =>
    issued === null && BURN_ADDRESSES.has(owner)
  return { read: held.filter((one) => !isLost(one)), lost: held.filter(isLost) }
}

/**
 * Who can withdraw what of a pool whose liquidity is LP tokens.
 * @param kept what of an amount stays where its gains are harvested
 */
export const lpTokenLock = (
  claim: Claim,
  { accounts, largest, locks, streams }: LpReading,
  book: AccountBook,
  { kept, now }: { readonly now: number; readonly kept: (amount: bigint) => bigint }
): PoolLock => {
  const reading = readMint(book.get(claim.lpMint) ?? null)
  if (reading.kind !== "mint" || !isPlain(reading.mint)) return NOTHING_KNOWN
  const { supply } = reading.mint
  const listed = largest.known ? largest.value.map(({ address }) => address) : []
  const { lost, read } = holdingsOf(claim, [...listed, ...placesIn(accounts)], book)
  // A pool's own count may be the larger one, because burning does not lower it. LP tokens beyond it are shares all the same.
  const issued = max(claim.issued ?? 0n, supply) - sum(lost.map(({ amount }) => amount))
  if (issued <= 0n) return NOTHING_KNOWN
  const share = (amount: bigint): number => Number((amount * 1_000_000n) / issued) / 1_000_000
  const tally: Tally = { permanent: 0, operator: 0, timed: 0, parties: new Map() }
  const nameOf = partyNames(read.map(holdingOf))
  const context = { accounts, book, locks, streams, lpMint: claim.lpMint, share, nameOf, now, kept }
  const told = new Map([
    ...lost.map(({ address, amount }) => [address, amount] as const),
    ...read.map((one) => [one.address, classify(tally, one, context)] as const)
  ])
  const burned = Math.max(0, 1 - share(supply)) + share(kept(claim.locked))
  const low = Math.min(1, burned + tally.permanent + tally.operator)
  const held = [...tally.parties.values()].reduce((sum, part) => sum + part, 0)
  const rest = 1 - low - held
  const unseen = unseenShare(rest, { issued, largest }, (listed) => share(untoldOf(listed, told, book)))
  return {
    locked: { low, high: Math.max(low, 1 - held) },
    parties: joinPieces(tally.parties, {
      share: Math.max(0, rest - unseen),
      least: leastOf(listed, book, tally, nameOf)
    }),
    unseen,
    unnamed: 0,
    tokenSide: null,
    operatorShare: tally.operator,
    timedShare: tally.timed
  }
}

/**
 * What a list names of an account, and nobody could tell whose it is: all of an account that was not read, what has left
 * one since, and what somebody behind a program's address holds. What is burned in a pool that counts those left is nobody's.
 */
const untoldOf = (
  { address, amount }: SolanaTokenBalance,
  told: ReadonlyMap<SolanaAddress, bigint>,
  book: AccountBook
): bigint => {
  const account = decodeTokenAccount(book.get(address) ?? null)
  const named = told.get(address)
  if (account === null || named === undefined) return amount
  return atLeastZero(max(amount, account.amount) - named)
}

/**
 * What of the rest one party could hold unseen. After a full list each further account is smaller than the smallest
 * listed, so the rest is many small holdings; only listed accounts whose owner could not be told remain, and what has
 * left the others since. Where those are pieces of one size, they go on behind the list.
 */
const unseenShare = (
  rest: number,
  { issued, largest }: Pick<LpReading, "largest"> & { readonly issued: bigint },
  untold: (listed: SolanaTokenBalance) => number
): number => {
  if (!largest.known) return Math.max(0, rest)
  const parts = largest.value.map(untold).filter((part) => part > 0)
  const behind = rest - parts.reduce((sum, part) => sum + part, 0)
  const balances = largest.value.map(({ amount }) => Number(amount))
  if (!goesOn(balances, behind * Number(issued))) return Math.max(0, rest)
  const joined = joinPieces(new Map(parts.map((part, index) => [`${index}`, part])), {
    share: Math.max(0, behind),
    least: Math.min(...parts)
  })
  const unseen = [...joined.values()].reduce((sum, part) => sum + part, 0)
  return Math.max(0, Math.min(rest, unseen))
}
