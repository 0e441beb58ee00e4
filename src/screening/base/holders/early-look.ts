import { Effect, Fiber, type Scope } from "effect"
import type { Address, Hex } from "viem"
import type { BaseRpc, Inspected } from "../../../chain/chain-rpc.ts"
import type { EvmLog } from "../../../chain/evm-logs.ts"
import { normalizeEvmAddress } from "../../../domain/address.ts"
import type { Fact } from "../../../domain/fact.ts"
import { known } from "../../../domain/fact.ts"
import type { MarketPair } from "../../../market/market-data.ts"
import type { CodeAnalyser } from "../analysis/analyser.ts"
import { detectProxy } from "../power/proxy.ts"
import { isDelegatedEoa } from "../reads/accounts.ts"
import { ageOf } from "../reads/aids.ts"
import { type Sent, readSent } from "./birth.ts"
import { foretellEmptied } from "./emptied.ts"
import { historyIn, inTime } from "./history.ts"
import { type Places, placesBeyond, placesOf } from "./storage-places.ts"
import { type Root, isSmall, readRoot, readWords } from "./storage-proof.ts"
import type { StorageWord } from "./storage-root.ts"
import { spentBy } from "./told-balances.ts"

/**
 * The search for holders begins before the pools are known: the code, the events and what a market names come back while
 * the node still asks its factories. Whatever is asked so counts as if it had been asked later: it is of the same block, of
 * nothing but the places that are asked then, and what is missing is read then.
 */

/** What is known early of a token with plain code that some market names. */
interface EarlyPlan {
  readonly blockNumber: bigint
  readonly code: Hex
  /** The transaction of its birth. */
  readonly birth: Hex | null
  readonly places: Places
  /** Slots that may stand in the tree with zero. */
  readonly emptyable: ReadonlyArray<bigint>
}

/** What came of it. */
interface EarlyLook {
  readonly words: Fact<ReadonlyArray<StorageWord>>
  readonly root: Fact<Root>
  readonly birth: Sent | null
}

/** What a plan waits for. */
interface EarlyInput {
  readonly inspected: Effect.Effect<Inspected | undefined, unknown>
  readonly market: Effect.Effect<Fact<ReadonlyArray<MarketPair>>>
  readonly events: Fiber.Fiber<ReadonlyArray<EvmLog> | null>
  readonly keepsEmptied: Effect.Effect<boolean>
}

/** The pool in which a market sees most money: nearly always one of those that are found. */
const deepestOf = (pairs: ReadonlyArray<MarketPair>): ReadonlyArray<Address> => {
  const [deepest] = pairs.toSorted((a, b) => (b.liquidityUsd ?? 0) - (a.liquidityUsd ?? 0))
  const pool = deepest === undefined ? undefined : normalizeEvmAddress(deepest.pairAddress)
  return pool === undefined ? [] : [pool]
}

/**
 * What to ask early; null where that is not known, or where nobody names a pool: nothing is spent on the code of an address
 * that may not trade at all.
 */
const planOf = (token: Address, input: EarlyInput): Effect.Effect<EarlyPlan | null> =>
  Effect.gen(function* () {
    const [account, market] = yield* Effect.all([input.inspected, input.market])
    if (account?.at === undefined || !market.known || market.value.length === 0) return null
    const { at, code, slots } = account
    const isPlain = code !== "0x" && !isDelegatedEoa(code)
    if (!isPlain || detectProxy(token, code, slots, undefined).kind !== "none") return null
    const [events, isKept] = yield* Effect.all([inTime(input.events), input.keepsEmptied])
    if (events === null) return null
    const { blockNumber, blockTime } = at
    const { birth, pairs, words } = historyIn(events, blockNumber, ageOf({ market, blockTime }))
    const places = placesOf(code, words, pairs, [token, ...deepestOf(market.value)])
    const emptyable = isKept ? foretellEmptied(spentBy(events, blockNumber), pairs) : []
    return isSmall(places) ? { blockNumber, code, birth, places, emptyable } : null
  }).pipe(Effect.orElseSucceed(() => null))

/** Never fails: what is not answered is missing. */
const lookBy = (rpc: BaseRpc, token: Address, plan: EarlyPlan): Effect.Effect<EarlyLook> =>
  Effect.all(
    {
      words: readWords(rpc, token, plan.blockNumber, plan.places),
      root: readRoot(rpc, token, plan.blockNumber, plan.emptyable),
      birth: readSent(rpc, plan.birth)
    },
    { concurrency: "unbounded" }
  )

/** What was planned, and is under way. */
interface Begun {
  readonly plan: EarlyPlan
  readonly look: Fiber.Fiber<EarlyLook>
}

/** Asks for it, and has the code analysed; null where nothing can be asked early. Both go on in the caller's scope. */
export const beginEarly = Effect.fnUntraced(function* (
  { analyser, rpc }: { readonly analyser: Pick<CodeAnalyser["Type"], "findings">; readonly rpc: BaseRpc },
  token: Address,
  input: EarlyInput
): Effect.fn.Return<Begun | null, never, Scope.Scope> {
  const plan = yield* planOf(token, input)
  if (plan === null) return null
  const look = yield* Effect.forkScoped(lookBy(rpc, token, plan))
  yield* Effect.forkScoped(analyser.findings(plan.code))
  return { plan, look }
})

/** How a token's storage, its root and the transaction of its birth are read. */
export interface StorageReads {
  readonly words: (places: Places) => Effect.Effect<Fact<ReadonlyArray<StorageWord>>>
  readonly root: (emptyable: ReadonlyArray<bigint>) => Effect.Effect<Fact<Root>>
  readonly birth: (hash: Hex | null) => Effect.Effect<Sent | null>
}

/** Asks for everything. */
export const storageReads = (rpc: BaseRpc, token: Address, blockNumber: bigint): StorageReads => ({
  words: (places) => readWords(rpc, token, blockNumber, places),
  root: (emptyable) => readRoot(rpc, token, blockNumber, emptyable),
  birth: (hash) => readSent(rpc, hash)
})

const bothOf = (
  one: Fact<ReadonlyArray<StorageWord>>,
  other: Fact<ReadonlyArray<StorageWord>>
): Fact<ReadonlyArray<StorageWord>> => {
  if (!one.known) return one
  return other.known ? known([...one.value, ...other.value]) : other
}

const isSame = (one: ReadonlyArray<bigint>, other: ReadonlyArray<bigint>): boolean =>
  one.length === other.length && one.every((slot, index) => slot === other[index])

/** Asks for what an early look at the same block did not. */
const readsBeyond = (
  all: StorageReads,
  { look, plan: { birth: born, emptyable, places: asked } }: Begun
): StorageReads => {
  const seen = Fiber.join(look)
  const words = Effect.map(seen, (early) => early.words)
  return {
    words: (places) => {
      const rest = placesBeyond(places, asked)
      if (rest === "other" || !isSmall(places)) return all.words(places)
      return rest === null ? words : Effect.zipWith(words, all.words(rest), bothOf, { concurrent: true })
    },
    root: (slots) => (isSame(slots, emptyable) ? Effect.map(seen, ({ root }) => root) : all.root(slots)),
    birth: (hash) => (hash === born ? Effect.map(seen, ({ birth }) => birth) : all.birth(hash))
  }
}

/** How what stands at a block is read, by what was begun before it was known. */
export const readsAfter = (
  rpc: BaseRpc,
  token: Address,
  blockNumber: bigint,
  begun: Effect.Effect<Begun | null>
): Effect.Effect<StorageReads> =>
  Effect.map(begun, (early) => {
    const all = storageReads(rpc, token, blockNumber)
    return early?.plan.blockNumber === blockNumber ? readsBeyond(all, early) : all
  })
