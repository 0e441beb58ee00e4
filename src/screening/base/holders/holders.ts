import { Effect, Fiber } from "effect"
import type { Address, Hex } from "viem"
import type { BaseRpc } from "../../../chain/chain-rpc.ts"
import type { Fact } from "../../../domain/fact.ts"
import { hasLeft } from "../../../domain/has-left.ts"
import { known, mapFact, missing } from "../../../domain/fact.ts"
import { BURN_ADDRESSES, ZERO_ADDRESS } from "../addresses.ts"
import { type Allowances, allowancesIn, allows } from "./allowances.ts"
import { type BalanceInput, type Balances, isNobodys, readBalances } from "./balances.ts"
import { namedAccounts } from "./birth.ts"
import { type StorageReads, storageReads } from "./early-look.ts"
import { foretellNames } from "./foretold-names.ts"
import type { History, Transferred } from "./history.ts"
import type { SlotValue } from "../power/proof/slot-value.ts"
import { type Wanted, settlingIn } from "./empty-tables.ts"
import { dataPlaces, hasEndlessList } from "./storage-lists.ts"
import { type Places, accountsIn, addressWords, asWord, placesOf } from "./storage-places.ts"
import { foretellEmptied, readEmptied } from "./emptied.ts"
import { completeness, isReadable, readWords } from "./storage-proof.ts"
import type { StorageWord } from "./storage-root.ts"

/** Who holds a token, as far as it could be found out. Amounts in smallest units. */
export interface HolderEvidence {
  /** Known where the token's whole storage was read and proven complete: then nobody else holds anything. */
  readonly complete: Fact<true>
  /** All balances that were found, together; what the supply has beyond them is somebody's nobody looked at. */
  readonly found: bigint
  /** The largest balance that was found outside pools, burn addresses and lockers. */
  readonly largest: bigint
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
  readonly purchases: Effect.Effect<Fact<bigint>> | null
  /** It is proven that the code lets nobody take what the token's own contract holds. */
  readonly keepsOwn: boolean
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

const OPEN_ZERO = missing("what the zero address holds may be somebody's, or a role has its number")

/** All that was read of a token's storage, where it was looked for, and whether it is all there is. */
interface Stored {
  readonly bought: Fact<bigint> | null
  readonly words: Fact<ReadonlyArray<StorageWord>>
  readonly allowances: Allowances
  readonly complete: Fact<unknown>
  readonly places: ReadonlyArray<Places>
}

const summarise = (
  input: HolderInput & Pick<LaterInput, "creator" | "keepsOwn" | "wanted">,
  { of: balances, all, loose, silent }: Omit<Balances, "ahead">,
  deployer: Address | null,
  { allowances, bought, complete, places, words }: Stored
): HolderEvidence => {
  const { history, token } = input
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
  const sum = (entries: ReadonlyArray<readonly [Address, bigint]>) =>
    entries.reduce((total, [, balance]) => total + balance, 0n)
  return {
    outside: sum(held),
    bought: bought === null ? null : bought.known ? bought.value : 0n,
    complete: openZero ? OPEN_ZERO : all ? mapFact(complete, () => true as const) : UNASKED,
    found: sum([...balances]),
    largest: held.reduce((most, [, balance]) => (balance > most ? balance : most), 0n),
    insiders: sum(held.filter(([holder]) => group.has(holder))),
    looselyLocked: loose + (isKept ? 0n : (balances.get(token) ?? 0n)),
    scattered: !silent && history.transfers.length > 0 && !(history.whole && all),
    lent,
    settling: complete.known && words.known ? settlingIn(input.wanted, words.value, places) : null
  }
}

/** Everybody whom the events, the code and the lists of lockers and burn addresses name. */
const namedAtFirst = (
  { code, history, lockers }: HolderInput,
  base: ReadonlyArray<Address>
): ReadonlyArray<Address> => [
  ...new Set([
    ...base,
    ...BURN_ADDRESSES,
    ...lockers.map(({ address }) => address),
    ...namedAccounts(code),
    ...accountsIn(history.words)
  ])
]

/**
 * Finds the holders of a token: from its events, its code and the transaction it was born in; and proves, where its
 * storage is small enough, that there are no others. Two round trips at most; never fails.
 */
export const findHolders = Effect.fn("BaseHolders.find")(function* (rpc: BaseRpc, asked: HolderInput) {
  const { token, blockNumber, code, history, spent, suspects, pools, lockers } = asked
  const reads = asked.reads ?? storageReads(rpc, token, blockNumber)
  const base = [...new Set([token, ...suspects, ...pools])]
  const places = placesOf(code, history.words, history.pairs, base)
  const atFirst = namedAtFirst(asked, base)
  const foretold = foretellNames(code).filter((holder) => !atFirst.includes(holder))
  const emptyable = spent === null ? [] : foretellEmptied(spent, history.pairs)
  const [words, root, birth, balances, later, allowances] = yield* Effect.all(
    [
      reads.words(places),
      reads.root(emptyable),
      reads.birth(history.birth),
      Effect.tap(readBalances(rpc, asked, atFirst, lockers, foretold), ({ of }) => asked.tell(of)),
      asked.later,
      // Some thousand hashes: when everything is on its way, trades too, which are asked a round of the loop later; and not
      // when it is back. Of words that nobody reads they say nothing.
      isReadable(places)
        ? Effect.zipRight(
            Effect.repeatN(hasLeft, 2),
            Effect.sync(() => allowancesIn(places, asked))
          )
        : Effect.succeed([])
    ],
    { concurrency: "unbounded" }
  )
  const { creator, lists, purchases, wanted } = later
  const input = { ...asked, creator, keepsOwn: later.keepsOwn, wanted }
  const buying = yield* Effect.fork(purchases ?? Effect.succeed(null))
  const others = [...later.suspects, ...(creator === null ? [] : [creator])]
  const proven = withoutEndlessLists(yield* completeness(words, root), places, lists)
  const named =
    birth === null
      ? []
      : [birth.from, ...accountsIn(addressWords(birth.input)), ...namedAccounts(birth.input)]
  const news = [...new Set([...named, ...others])].filter((holder) => !balances.of.has(holder))
  if (proven.known && news.length === 0)
    return summarise(input, balances, birth?.from ?? null, {
      bought: yield* Fiber.join(buying),
      words,
      allowances,
      complete: proven,
      places: [places]
    })
  const morePlaces = {
    ...placesOf(code, news.map(asWord), [], [...named.slice(0, 3), ...base, ...others]),
    scalars: words.known ? dataPlaces(words.value, places, lists) : []
  }
  const [more, moreWords, emptied] = yield* Effect.all(
    [
      readBalances(
        rpc,
        input,
        news.filter((holder) => !balances.ahead.has(holder))
      ),
      proven.known || !words.known ? Effect.succeed(words) : readWords(rpc, token, blockNumber, morePlaces),
      proven.known || !words.known
        ? Effect.succeed([])
        : readEmptied(rpc, token, blockNumber, words.value, places, { code, lists })
    ],
    { concurrency: "unbounded" }
  )
  const everywhere = { ...places, keys: [...places.keys, ...news.map(asWord)] }
  const all =
    words.known && moreWords.known ? known([...words.value, ...moreWords.value]) : missing(whyOf(words))
  return summarise(
    input,
    {
      of: new Map([
        ...balances.of,
        ...[...balances.ahead].filter(([holder]) => news.includes(holder)),
        ...more.of
      ]),
      all: balances.all && more.all,
      silent: balances.silent || more.silent,
      loose: balances.loose
    },
    birth?.from ?? null,
    {
      bought: yield* Fiber.join(buying),
      words: all,
      places: [places, morePlaces],
      allowances: all.known ? [...allowances, ...allowancesIn(morePlaces, asked)] : [],
      complete: proven.known
        ? proven
        : withoutEndlessLists(yield* completeness(all, root, emptied), everywhere, lists)
    }
  )
})

const withoutEndlessLists = (
  words: Fact<ReadonlyArray<StorageWord>>,
  places: Places,
  lists: ReadonlyArray<bigint>
): Fact<ReadonlyArray<StorageWord>> =>
  words.known && hasEndlessList(words.value, places, lists)
    ? missing("it was born with a list longer than any that grew")
    : words

const whyOf = (fact: Fact<unknown>): string => (fact.known ? "its storage could not be read whole" : fact.why)

export const NO_HOLDERS: HolderEvidence = {
  complete: missing("the holders were not looked for"),
  found: 0n,
  outside: 0n,
  bought: null,
  largest: 0n,
  insiders: 0n,
  looselyLocked: 0n,
  scattered: false,
  lent: false,
  settling: null
}
