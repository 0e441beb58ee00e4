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
  const [words, root, birth, balances, later, allowances, named] = yield* Effect.all(
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
        : Effect.succeed([]),
      readNaming(rpc, asked, history.naming, history.birth)
    ],
    { concurrency: "unbounded" }
  )
  const { creator, lists, purchases } = later
  const input = { ...asked, ...later }
  const transactions =
    history.birth === null || birth === null ? named : new Map(named).set(history.birth, birth)
  const buying = yield* Effect.fork(purchases ?? Effect.succeed(null))
  const others = [...later.suspects, ...(creator === null ? [] : [creator])]
  const proven = withoutEndlessLists(yield* completeness(words, root), places, lists)
  const born =
    birth === null
      ? []
      : [birth.from, ...accountsIn(addressWords(birth.input)), ...namedAccounts(birth.input)]
  const news = [...new Set([...born, ...others])].filter((holder) => !balances.of.has(holder))
  if (proven.known && news.length === 0)
    return summarise(input, balances, birth?.from ?? null, {
      bought: yield* Fiber.join(buying),
      transactions,
      words,
      allowances,
      complete: proven,
      places: [places]
    })
  const morePlaces = {
    ...placesOf(code, news.map(asWord), [], [...born.slice(0, 3), ...base, ...others]),
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
        : readEmptied(rpc, token, blockNumber, words.value, places, {
            code,
            lists,
            tables: later.wanted.tables
          })
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
      transactions,
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
