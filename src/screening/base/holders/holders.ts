import { Effect } from "effect"
import type { Address, Hex } from "viem"
import { bigger } from "../../../domain/bigger.ts"
import type { BaseRpc } from "../../../chain/chain-rpc.ts"
import type { Fact } from "../../../domain/fact.ts"
import { known, mapFact, missing } from "../../../domain/fact.ts"
import { BURN_ADDRESSES, ZERO_ADDRESS, lower } from "../addresses.ts"
import { V4 } from "../pools/factories.ts"
import type { LockerList } from "../pools/lp-lock.ts"
import { looselyLocked } from "../pools/lp-lock.ts"
import { balanceOf, both, list } from "../reads/query.ts"
import { namedAccounts, readBirth } from "./birth.ts"
import type { History, Transferred } from "./history.ts"
import { dataPlaces, hasEndlessList } from "./storage-lists.ts"
import { type Places, addressWords, allowancePlaces, asWord, placesOf } from "./storage-places.ts"
import { completeness, readEmptied, readRoot, readWords } from "./storage-proof.ts"
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
  /**
   * Of what was found outside pools, burn addresses and lockers, the part that nobody bought: who got it is not known, since
   * a token may tell of gifts as of purchases. Zero where that does not matter.
   */
  readonly given: bigint
  /**
   * Events name holders, and more of them than could be asked, or with gaps, and whoever was asked about was told of:
   * what was not found is then taken to be spread over a market, and not to be one holder's.
   */
  readonly scattered: boolean
  /** An allowance in storage lets somebody take what a pool, a locker or a burn address holds, though none of them calls `approve`. */
  readonly lent: boolean
}

export interface HolderInput {
  readonly token: Address
  readonly blockNumber: bigint
  /** Code that runs: the token's, or what it delegates to. */
  readonly code: Hex
  readonly history: History
  /** Accounts to look at whatever the events say: owner, administrators, recent buyers. */
  readonly suspects: ReadonlyArray<Address>
  readonly pools: ReadonlyArray<Address>
  /** Who deployed the token, where an index says so: one more whose gifts are followed. */
  readonly creator: Address | null
  readonly lockers: LockerList
  /** What pools gave for money on balance, as they tell themselves; null where the token is old or a known launchpad's. */
  readonly purchases: Effect.Effect<Fact<bigint>> | null
  /** It is proven that the code lets nobody take what the token's own contract holds. */
  readonly keepsOwn: boolean
  /** Slots of lists of votes that the code keeps, if it does. */
  readonly lists: ReadonlyArray<bigint>
  /** Unix seconds of the block everything is read at. */
  readonly now: bigint
}

/** Balances read one by one; more accounts are a market, not a group. */
const MAX_BALANCES = 400

const account = (word: Hex): Address => lower(`0x${word.slice(-40)}`)
const isAccount = (word: Hex): boolean => /^0x0{24}/.test(word) && !/^0x0{60}/.test(word)

/** Balances that the token told, and whether it told all that had to be asked. */
interface Balances {
  readonly of: ReadonlyMap<Address, bigint>
  readonly all: boolean
  /** The token did not tell what somebody holds that was asked: it may be all the rest. */
  readonly silent: boolean
  /** Of what was asked now, in lockers and not held back for long. */
  readonly loose: bigint
}

const NO_BALANCES: Balances = { of: new Map(), all: false, silent: true, loose: 0n }

/** Addresses that hold tokens for others (pools, lockers) or for nobody (burn addresses). */
const isNobodys = ({ pools, token, lockers }: HolderInput, holder: Address): boolean =>
  pools.includes(holder) ||
  holder === token ||
  holder === V4.poolManager ||
  BURN_ADDRESSES.includes(holder) ||
  lockers.some(({ address }) => address === holder)

const readBalances = (
  rpc: BaseRpc,
  input: HolderInput,
  wanted: ReadonlyArray<Address>,
  lockers: LockerList = []
): Effect.Effect<Balances> => {
  const { blockNumber, now, token } = input
  const accounts = wanted.slice(0, MAX_BALANCES)
  const query = both(
    list(accounts.map((holder) => balanceOf(token, holder))),
    looselyLocked(token, lockers, now)
  )
  return rpc.readAll(query.reads, { blockNumber }).pipe(
    Effect.map(({ results }): Balances => {
      const [balances, loose] = query.decode(results)
      const told = accounts.flatMap((holder, index) => {
        const balance = balances[index]
        return balance === undefined ? [] : [[holder, balance] as const]
      })
      return {
        of: new Map(told),
        all: told.length === wanted.length,
        silent: accounts.some((holder, index) => balances[index] === undefined && !isNobodys(input, holder)),
        loose
      }
    }),
    Effect.catchAll(() => Effect.succeed(NO_BALANCES))
  )
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

/** What is stored where such owners would have allowed somebody something. */
const allows = (
  words: Fact<ReadonlyArray<StorageWord>>,
  places: ReadonlyArray<Places>,
  isOwner: (holder: Address) => boolean
): boolean => {
  if (!words.known) return false
  const stored = new Set(words.value.map(({ slot }) => slot))
  const theirs = places.flatMap((one) => allowancePlaces(one, (holder) => isOwner(lower(holder))))
  return theirs.some((slot) => stored.has(BigInt(slot)))
}

const OPEN_ZERO = missing("what the zero address holds may be somebody's, or a role has its number")

/** All that was read of a token's storage, where it was looked for, and whether it is all there is. */
interface Stored {
  readonly bought: Fact<bigint> | null
  readonly words: Fact<ReadonlyArray<StorageWord>>
  readonly places: ReadonlyArray<Places>
  readonly complete: Fact<unknown>
}

const summarise = (
  input: HolderInput,
  { of: balances, all, loose, silent }: Balances,
  deployer: Address | null,
  { bought, complete, places, words }: Stored
): HolderEvidence => {
  const { history, token } = input
  const outside = (holder: Address) => isNobodys(input, holder)
  // Pools and lockers call no `approve` of a token they hold, and nobody signs for a burn address. Zero is a role as well.
  const lent = allows(
    words,
    places,
    (holder) => holder !== token && holder !== ZERO_ADDRESS && outside(holder)
  )
  const openZero =
    (balances.get(ZERO_ADDRESS) ?? 0n) > 0n && allows(words, places, (holder) => holder === ZERO_ADDRESS)
  // An allowance that the contract gave at birth lies in storage, and where that was not read whole, there may be one.
  const isKept = input.keepsOwn && complete.known && !allows(words, places, (holder) => holder === token)
  const roots = [deployer, input.creator].filter((account) => account !== null)
  const group = linked(history.transfers, roots, outside)
  const held = [...balances].filter(([holder, balance]) => balance > 0n && !outside(holder))
  const sum = (entries: ReadonlyArray<readonly [Address, bigint]>) =>
    entries.reduce((total, [, balance]) => total + balance, 0n)
  const outsiders = sum(held)
  return {
    given: bought === null ? 0n : bigger(outsiders - (bought.known ? bought.value : 0n), 0n),
    complete: openZero ? OPEN_ZERO : all ? mapFact(complete, () => true as const) : UNASKED,
    found: sum([...balances]),
    largest: held.reduce((most, [, balance]) => (balance > most ? balance : most), 0n),
    insiders: sum(held.filter(([holder]) => group.has(holder))),
    looselyLocked: loose + (isKept ? 0n : (balances.get(token) ?? 0n)),
    scattered: !silent && history.transfers.length > 0 && !(history.whole && all),
    lent
  }
}

/**
 * Finds the holders of a token: from its events, its code and the transaction it was born in; and proves, where its
 * storage is small enough, that there are no others. Two round trips at most; never fails.
 */
export const findHolders = Effect.fn("BaseHolders.find")(function* (rpc: BaseRpc, input: HolderInput) {
  const { token, blockNumber, code, creator, history, suspects, pools, purchases, lockers, lists } = input
  const base = [...new Set([...suspects, ...(creator === null ? [] : [creator]), ...pools, token])]
  const fixed = namedAccounts(code)
  const seen = history.words.filter(isAccount).map(account)
  const depots = lockers.map(({ address }) => address)
  const first = [...new Set([...base, ...BURN_ADDRESSES, ...depots, ...fixed, ...seen])]
  const places = placesOf(code, history.words, history.pairs, base)
  const [words, root, birth, balances, bought] = yield* Effect.all(
    [
      readWords(rpc, token, blockNumber, places),
      readRoot(rpc, token, blockNumber),
      readBirth(rpc, history.birth),
      readBalances(rpc, input, first, lockers),
      purchases ?? Effect.succeed(null)
    ],
    { concurrency: "unbounded" }
  )
  const proven = withoutEndlessLists(yield* completeness(words, root), places, lists)
  const named =
    birth === null
      ? []
      : [birth.from, ...addressWords(birth.input).map(account), ...namedAccounts(birth.input)]
  const news = [...new Set(named)].filter((holder) => !balances.of.has(holder))
  if (proven.known && news.length === 0)
    return summarise(input, balances, birth?.from ?? null, {
      bought,
      words,
      places: [places],
      complete: proven
    })
  const morePlaces = {
    ...placesOf(code, news.map(asWord), [], [...named.slice(0, 3), ...base]),
    scalars: words.known ? dataPlaces(words.value, places, lists) : []
  }
  const [more, moreWords, emptied] = yield* Effect.all(
    [
      readBalances(rpc, input, news),
      proven.known ? Effect.succeed(words) : readWords(rpc, token, blockNumber, morePlaces),
      proven.known || !words.known
        ? Effect.succeed([])
        : readEmptied(rpc, token, blockNumber, words.value, places, lists)
    ],
    { concurrency: "unbounded" }
  )
  const everywhere = { ...places, keys: [...places.keys, ...news.map(asWord)] }
  const all =
    words.known && moreWords.known ? known([...words.value, ...moreWords.value]) : missing(whyOf(words))
  return summarise(
    input,
    {
      of: new Map([...balances.of, ...more.of]),
      all: balances.all && more.all,
      silent: balances.silent || more.silent,
      loose: balances.loose
    },
    birth?.from ?? null,
    {
      bought,
      words: all,
      places: [places, morePlaces],
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
  given: 0n,
  largest: 0n,
  insiders: 0n,
  looselyLocked: 0n,
  scattered: false,
  lent: false
}
