import type { Effect } from "effect"
import type { Address, Hex } from "viem"
import type { Fact } from "../../../domain/fact.ts"
import { known, mapFact, missing } from "../../../domain/fact.ts"
import { max, min, sum } from "../../../domain/bigint.ts"
import { ZERO_ADDRESS } from "../addresses.ts"
import type { LedgerForm, VotesForm } from "../power/findings.ts"
import type { SlotValue } from "../power/proof/slot-value.ts"
import { type Allowances, allows } from "./allowances.ts"
import { type BalanceInput, type Balances, isLocker, isNobodys } from "./balances.ts"
import type { StorageReads } from "./early-look.ts"
import type { Purchases } from "../pools/purchases.ts"
import { type Wanted, settlingIn } from "./empty-tables.ts"
import { type Told, hasForcedAllowance } from "./given.ts"
import type { History, Transferred } from "./history.ts"
import type { Places } from "./storage-places.ts"
import type { StorageWord } from "./storage-root.ts"
import { unaskedBalances } from "./unasked.ts"
import { votesAddUp } from "./votes.ts"

/** Who holds a token, as far as it could be found out. Amounts in smallest units. */
export interface HolderEvidence {
  /** Known where the token's whole storage was read and proven complete: then nobody else holds anything. */
  readonly complete: Fact<true>
  /** All balances that were found, together; what the supply has beyond them is somebody's nobody looked at. */
  readonly found: bigint
  /** The largest balance that was found outside pools, burn addresses and lockers. */
  readonly largest: bigint
  /** The three largest of them together, and the ten largest. */
  readonly largestThree: bigint
  readonly largestTen: bigint
  /** What the deployer, those it gave tokens to and those tokens were created for hold together. */
  readonly insiders: bigint
  /** In lockers, without a date at least 30 days off; or the token's own contract's, where it may not stay there. */
  readonly looselyLocked: bigint
  /** What was found outside pools, burn addresses and lockers. */
  readonly outside: bigint
  /**
   * What pools gave for money on balance; nothing where that could not be read. What accounts have beyond it they were
   * given, and to whom is not known, since a token may tell of gifts as of purchases. Null where that does not matter.
   */
  readonly bought: bigint | null
  /** What was paid for it, in USD; null where that does not matter. */
  readonly paidUsd: number | null
  /**
   * Events name holders, and more of them than could be asked, or with gaps, and whoever was asked about was told of:
   * what was not found is then taken to be spread over a market, and not to be one holder's.
   */
  readonly scattered: boolean
  /** An allowance in storage lets somebody take what a pool, a locker or a burn address holds, though none of them calls `approve`. */
  readonly lent: boolean
  /** What the token's storage, read whole, says of what its code's analysis would like to know; null where it was not. */
  readonly settling: ReadonlyArray<SlotValue> | null
}

export interface HolderInput extends BalanceInput {
  /** Code that runs: the token's, or what it delegates to. */
  readonly code: Hex
  readonly history: History
  /** Whose entries a node may keep though they are emptied; null where it keeps none. */
  readonly spent: ReadonlyArray<Address> | null
  /** How its storage is read, where some of it was asked before. Absent: all of it is asked. */
  readonly reads?: StorageReads
  /** Accounts to look at whatever the events say: owner and administrators. */
  readonly suspects: ReadonlyArray<Address>
  /** Hears what the token said of everybody whom its events, its code or the chain names. */
  readonly tell: (balances: ReadonlyMap<Address, bigint>) => Effect.Effect<unknown>
  /** What the first look does without, as soon as it is known. */
  readonly later: Effect.Effect<LaterInput>
}

/** What is found out about a token while its holders are first looked for. */
export interface LaterInput {
  /** More accounts to look at: recent buyers, those an index names. */
  readonly suspects: ReadonlyArray<Address>
  /** Who deployed the token, where an index says so: one more whose gifts are followed. */
  readonly creator: Address | null
  /** What pools gave for money on balance, as they tell themselves; null where the token is old or a known launchpad's. */
  readonly purchases: Effect.Effect<Fact<Purchases>> | null
  /** Who keeps the pools of a young token for the known launchpad that made it; null of any other token. */
  readonly launched: ReadonlySet<Address> | null
  /** It is proven that the code lets nobody take what the token's own contract holds. */
  readonly keepsOwn: boolean
  /** Where the code keeps balances and allowances; null where nothing is proven of it. */
  readonly ledger: LedgerForm | null
  /** Where it keeps votes, if it does. */
  readonly votes: VotesForm | null
  /** Slots of lists of votes that the code keeps, if it does. */
  readonly lists: ReadonlyArray<bigint>
  /** What the analysis of the code would like to know of its storage. */
  readonly wanted: Wanted
}

/** Everybody tokens were created for or given to by such an account, without a pool in between. */
const linked = (
  transfers: ReadonlyArray<Transferred>,
  roots: ReadonlyArray<Address>,
  outside: (holder: Address) => boolean
): ReadonlySet<Address> => {
  const group = new Set<Address>(roots)
  // Transfers come in order, so that one pass follows every gift onwards.
  for (const { from, to } of transfers) {
    const given = group.has(from) || BigInt(from) === 0n
    if (given && !outside(to)) group.add(to)
  }
  return group
}

const UNASKED = missing("not every account it may have given tokens to could be asked about")

const FORCED = missing("an allowance stands in its storage that its owner is not known to have given")

const LOOSE_VOTES = missing("its delegates have not the votes of those who named them")

const NO_PURCHASES: Purchases = { tokens: 0n, usd: 0 }

const NO_BALANCES = known(new Map<Address, bigint>())

const OPEN_ZERO = missing("what the zero address holds may be somebody's, or a role has its number")

/** All that was read of a token's storage, where it was looked for, and whether it is all there is. */
interface Stored {
  /** Those in which allowances were told of. */
  readonly transactions: Told["transactions"]
  readonly bought: Fact<Purchases> | null
  readonly words: Fact<ReadonlyArray<StorageWord>>
  readonly allowances: Allowances
  readonly complete: Fact<unknown>
  readonly places: ReadonlyArray<Places>
}

type SummaryInput = HolderInput &
  Pick<LaterInput, "creator" | "keepsOwn" | "launched" | "ledger" | "votes" | "wanted">

/**
 * The most that a launchpad's token can have been given to anybody: what its launch, one transaction, did not leave in
 * pools, and what its own contract has let go of since. All else was bought from a pool that nobody can take from.
 */
const leftAtBirth = (
  { history: { atBirth }, token, ...input }: SummaryInput,
  launched: ReadonlySet<Address>,
  balances: ReadonlyMap<Address, bigint>,
  found: bigint
): bigint => {
  const pooled = [...atBirth].filter(
    ([holder, amount]) =>
      amount > 0n && holder !== token && (launched.has(holder) || isNobodys({ token, ...input }, holder))
  )
  const kept = min(max(atBirth.get(token) ?? 0n, 0n), balances.get(token) ?? 0n)
  const minted = max(-(atBirth.get(ZERO_ADDRESS) ?? 0n), found)
  return max(minted - kept - sum(pooled.map(([, amount]) => amount)), 0n)
}

/** Storage that was read whole says nothing while a balance in it is nobody's, or an allowance not its owner's. */
const explained = (
  input: SummaryInput,
  { complete, places, transactions, words }: Stored,
  unasked: Fact<unknown>
): Fact<unknown> => {
  if (!complete.known || !words.known) return complete
  if (!unasked.known) return unasked
  const told = { naming: input.history.naming, transactions }
  if (hasForcedAllowance(input, input.ledger, words.value, places, told)) return FORCED
  return votesAddUp(input, input.ledger, input.votes, words.value, places) ? complete : LOOSE_VOTES
}

export const summarise = (
  input: SummaryInput,
  { of: told, all, loose, silent }: Omit<Balances, "ahead">,
  deployer: Address | null,
  stored: Stored
): HolderEvidence => {
  const { history, ledger, token } = input
  const { allowances, bought, places, words } = stored
  const unasked =
    stored.complete.known && words.known ? unaskedBalances(ledger, words.value, places, told) : NO_BALANCES
  const balances = new Map([...told, ...(unasked.known ? unasked.value : [])])
  const complete = explained(input, stored, unasked)
  // Where it is known in which way balances are kept, storage tells those of accounts that were too many to be asked.
  const isCounted = ledger !== null && stored.complete.known && words.known && unasked.known
  const outside = (holder: Address) => isNobodys(input, holder)
  // Pools and lockers call no `approve` of a token they hold, and nobody signs for a burn address. Zero is a role as well.
  const lent = allows(
    words,
    allowances,
    (holder) => holder !== token && holder !== ZERO_ADDRESS && outside(holder)
  )
  const openZero =
    (balances.get(ZERO_ADDRESS) ?? 0n) > 0n && allows(words, allowances, (holder) => holder === ZERO_ADDRESS)
  // An allowance that the contract gave at birth lies in storage, and where that was not read whole, there may be one.
  const isKept = input.keepsOwn && complete.known && !allows(words, allowances, (holder) => holder === token)
  const roots = [deployer, input.creator].filter((account) => account !== null)
  const group = linked(history.transfers, roots, outside)
  const held = [...balances].filter(([holder, balance]) => balance > 0n && !outside(holder))
  const balanceOf = (entries: ReadonlyArray<readonly [Address, bigint]>) =>
    sum(entries.map(([, balance]) => balance))
  const found = balanceOf([...balances])
  // Purchases that could not be read are none.
  const proven = bought === null ? null : bought.known ? bought.value : NO_PURCHASES
  const given = input.launched === null ? null : leftAtBirth(input, input.launched, balances, found)
  const descending = held.toSorted(([, a], [, b]) => (a < b ? 1 : a > b ? -1 : 0))
  return {
    outside: balanceOf(held),
    bought: given === null ? (proven?.tokens ?? null) : max(balanceOf(held) - given, 0n),
    paidUsd: given === null ? (proven?.usd ?? null) : null,
    complete: openZero ? OPEN_ZERO : all || isCounted ? mapFact(complete, () => true as const) : UNASKED,
    found,
    largest: balanceOf(descending.slice(0, 1)),
    largestThree: balanceOf(descending.slice(0, 3)),
    largestTen: balanceOf(descending.slice(0, 10)),
    insiders: balanceOf(held.filter(([holder]) => group.has(holder))),
    // What the token did not tell of a locker its storage may.
    looselyLocked:
      (loose ?? balanceOf([...balances].filter(([holder]) => isLocker(input, holder)))) +
      (isKept ? 0n : (balances.get(token) ?? 0n)),
    scattered: !silent && history.transfers.length > 0 && !(history.whole && all),
    lent,
    settling: complete.known && words.known ? settlingIn(input.wanted, words.value, places) : null
  }
}

export const NO_HOLDERS: HolderEvidence = {
  complete: missing("the holders were not looked for"),
  found: 0n,
  outside: 0n,
  bought: null,
  paidUsd: null,
  largest: 0n,
  largestThree: 0n,
  largestTen: 0n,
  insiders: 0n,
  looselyLocked: 0n,
  scattered: false,
  lent: false,
  settling: null
}
