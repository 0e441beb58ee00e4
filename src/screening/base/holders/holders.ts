import { Effect, Fiber } from "effect"
import type { Address } from "viem"
import type { BaseRpc } from "../../../chain/chain-rpc.ts"
import type { Fact } from "../../../domain/fact.ts"
import { hasLeft } from "../../../domain/has-left.ts"
import { known, missing } from "../../../domain/fact.ts"
import { BURN_ADDRESSES } from "../addresses.ts"
import { allowancesIn } from "./allowances.ts"
import { readBalances } from "./balances.ts"
import { namedAccounts } from "./birth.ts"
import { storageReads } from "./early-look.ts"
import { foretellNames } from "./foretold-names.ts"
import { readNaming } from "./given.ts"
import { dataPlaces, hasEndlessList } from "./storage-lists.ts"
import { type Places, accountsIn, addressWords, asWord, placesOf } from "./storage-places.ts"
import { foretellEmptied, readEmptied } from "./emptied.ts"
import { completeness, isReadable, readWords } from "./storage-proof.ts"
import type { StorageWord } from "./storage-root.ts"
import { type HolderInput, summarise } from "./summary.ts"

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

/** What is looked at first: accounts and places of storage that are known before anything of them was read. */
interface Known {
  readonly base: ReadonlyArray<Address>
  readonly places: Places
}

/** Asks for everything that can be named beforehand. */
const lookFirst = (rpc: BaseRpc, asked: HolderInput, { base, places }: Known) => {
  const { blockNumber, code, history, lockers, spent, token } = asked
  const reads = asked.reads ?? storageReads(rpc, token, blockNumber)
  const atFirst = namedAtFirst(asked, base)
  const foretold = foretellNames(code).filter((holder) => !atFirst.includes(holder))
  const emptyable = spent === null ? [] : foretellEmptied(spent, history.pairs)
  return Effect.all(
    {
      words: reads.words(places),
      root: reads.root(emptyable),
      birth: reads.birth(history.birth),
      balances: Effect.tap(readBalances(rpc, asked, atFirst, lockers, foretold), ({ of }) => asked.tell(of)),
      later: asked.later,
      // Some thousand hashes: when everything is on its way, trades too, which are asked a round of the loop later; and not
      // when it is back. Of words that nobody reads they say nothing.
      allowances: isReadable(places)
        ? Effect.zipRight(
            Effect.repeatN(hasLeft, 2),
            Effect.sync(() => allowancesIn(places, asked))
          )
        : Effect.succeed([]),
      named: readNaming(rpc, asked, history.naming, history.birth)
    },
    { concurrency: "unbounded" }
  )
}

type First = Effect.Effect.Success<ReturnType<typeof lookFirst>>

/** Accounts that the transaction of its birth names, who sent it first. */
const namedAtBirth = (birth: First["birth"]): ReadonlyArray<Address> =>
  birth === null ? [] : [birth.from, ...accountsIn(addressWords(birth.input)), ...namedAccounts(birth.input)]

/** Asks for what the first look named: balances of these accounts, and storage while it is not known whole. */
const lookAgain = Effect.fnUntraced(function* (
  rpc: BaseRpc,
  asked: HolderInput,
  { base, places }: Known,
  { allowances, balances, birth, later, root, words }: First,
  proven: Fact<ReadonlyArray<StorageWord>>,
  news: ReadonlyArray<Address>
) {
  const { blockNumber, code, token } = asked
  const { lists, wanted } = later
  const morePlaces = {
    ...placesOf(
      code,
      news.map(asWord),
      [],
      [...namedAtBirth(birth).slice(0, 3), ...base, ...suspectsIn(later)]
    ),
    scalars: words.known ? dataPlaces(words.value, places, lists) : []
  }
  const unproven = !proven.known && words.known ? words.value : null
  const [more, moreWords, emptied] = yield* Effect.all(
    [
      readBalances(
        rpc,
        { ...asked, ...later },
        news.filter((holder) => !balances.ahead.has(holder))
      ),
      unproven === null ? Effect.succeed(words) : readWords(rpc, token, blockNumber, morePlaces),
      unproven === null
        ? Effect.succeed([])
        : readEmptied(rpc, token, blockNumber, unproven, places, { code, lists, tables: wanted.tables })
    ],
    { concurrency: "unbounded" }
  )
  const everywhere = { ...places, keys: [...places.keys, ...news.map(asWord)] }
  const all =
    words.known && moreWords.known ? known([...words.value, ...moreWords.value]) : missing(whyOf(words))
  const found = {
    of: new Map([
      ...balances.of,
      ...[...balances.ahead].filter(([holder]) => news.includes(holder)),
      ...more.of
    ]),
    all: balances.all && more.all,
    silent: balances.silent || more.silent,
    loose: balances.loose
  }
  const stored = {
    words: all,
    places: [places, morePlaces],
    allowances: all.known ? [...allowances, ...allowancesIn(morePlaces, asked)] : [],
    complete: proven.known
      ? proven
      : withoutEndlessLists(yield* completeness(all, root, emptied), everywhere, lists)
  }
  return { found, stored }
})

/** Whom else somebody could ask about, beside those named at first. */
const suspectsIn = ({ creator, suspects }: First["later"]): ReadonlyArray<Address> => [
  ...suspects,
  ...(creator === null ? [] : [creator])
]

/**
 * Finds the holders of a token: from its events, its code and the transaction it was born in; and proves, where its
 * storage is small enough, that there are no others. Two round trips at most; never fails.
 */
export const findHolders = Effect.fn("BaseHolders.find")(function* (rpc: BaseRpc, asked: HolderInput) {
  const { code, history, pools, suspects, token } = asked
  const base = [...new Set([token, ...suspects, ...pools])]
  const places = placesOf(code, history.words, history.pairs, base)
  const first = yield* lookFirst(rpc, asked, { base, places })
  const { allowances, balances, birth, later, named, root, words } = first
  const transactions =
    history.birth === null || birth === null ? named : new Map(named).set(history.birth, birth)
  const buying = yield* Effect.fork(later.purchases ?? Effect.succeed(null))
  const proven = withoutEndlessLists(yield* completeness(words, root), places, later.lists)
  const news = [...new Set([...namedAtBirth(birth), ...suspectsIn(later)])].filter(
    (holder) => !balances.of.has(holder)
  )
  const { found, stored } =
    proven.known && news.length === 0
      ? { found: balances, stored: { words, allowances, complete: proven, places: [places] } }
      : yield* lookAgain(rpc, asked, { base, places }, first, proven, news)
  const bought = yield* Fiber.join(buying)
  return summarise({ ...asked, ...later }, found, birth?.from ?? null, { ...stored, bought, transactions })
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
