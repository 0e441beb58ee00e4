import type { Address, Hex } from "viem"
import { type AlikeReads, type EvmReadResult, FOUND, SUBJECT } from "../../../chain/chain-rpc.ts"
import { SELECTORS, type Signature } from "../../../chain/selectors.ts"
import { ALL_QUOTES, isNobody, quoteToken } from "../addresses.ts"
import {
  AERODROME_FACTORY,
  SLIPSTREAM_FACTORIES,
  SLIPSTREAM_SPACINGS,
  V4,
  V4_DYNAMIC_FEE
} from "./factories.ts"
import { ALGEBRA_FACTORIES, V2_FACTORIES, V3_FACTORIES } from "./registry/exchanges.ts"
import { isV2, type Pool } from "./pool.ts"
import type { Finding, PlainQuery, Query, Word } from "../reads/query.ts"
import { areAnswered, encodeWords, findingReads, foundIn } from "../reads/query.ts"

/** A pool whose factory vouches for it and whose state was not read yet. */
export interface PoolCandidate extends Pick<
  Pool,
  "kind" | "dex" | "address" | "quote" | "tickSpacing" | "stable" | "v4"
> {
  /** Null where the pool or its hook sets the fee: read with the state. */
  readonly feePips: number | null
}

/** A pool, and what was read of it in the round trip that found it; `made` is false where nothing could be. */
export interface FoundPool<A> {
  readonly pool: PoolCandidate
  readonly made: boolean
  readonly value: A
}

/** What is read of a pool that is only just found, by the address that stands for it until then. */
type Rest<A> = (pool: PoolCandidate) => Query<A>

/** A factory's question for one pool, put together once for all tokens: what stands before and behind the token's word. */
interface Question {
  readonly to: Address
  readonly selector: Hex
  readonly tail: string
  readonly candidate: Omit<PoolCandidate, "address">
  /** Of pools alike in this, the same is read. */
  readonly shape: string
}

const ask = (
  to: Address,
  signature: Signature,
  behindToken: ReadonlyArray<Word>,
  candidate: Question["candidate"]
): Question => ({
  to,
  selector: SELECTORS[signature],
  tail: encodeWords(...behindToken).slice(2),
  candidate,
  shape: [candidate.kind, candidate.stable, candidate.feePips].join()
})

const v2Pools = (quote: Address) =>
  V2_FACTORIES.map(({ dex, address, feePips }) =>
    ask(address, "getPair(address,address)", [quote], { kind: "v2", dex, quote, feePips })
  )

const aerodromePools = (quote: Address) =>
  [false, true].map((stable) =>
    ask(AERODROME_FACTORY, "getPool(address,address,bool)", [quote, stable], {
      kind: "aerodrome-v2",
      dex: "aerodrome",
      quote,
      stable,
      feePips: null
    })
  )

const v3Pools = (quote: Address) =>
  V3_FACTORIES.flatMap(({ dex, address, fees }) =>
    fees.map((fee) =>
      ask(address, "getPool(address,address,uint24)", [quote, fee], { kind: "v3", dex, quote, feePips: fee })
    )
  )

/** Algebra's `poolByPair(a, b)`. */
const algebraPools = (quote: Address) =>
  ALGEBRA_FACTORIES.map(({ dex, address }) =>
    ask(address, "poolByPair(address,address)", [quote], { kind: "algebra", dex, quote, feePips: null })
  )

const slipstreamPools = (quote: Address) =>
  SLIPSTREAM_FACTORIES.flatMap((factory, index) =>
    SLIPSTREAM_SPACINGS.map((tickSpacing) =>
      ask(factory, "getPool(address,address,int24)", [quote, tickSpacing], {
        kind: "slipstream",
        dex: index === 0 ? "aerodrome-slipstream" : `aerodrome-slipstream-${index + 1}`,
        quote,
        tickSpacing,
        feePips: null
      })
    )
  )

const QUESTIONS: ReadonlyMap<Address, ReadonlyArray<Question>> = new Map(
  ALL_QUOTES.map(({ address }) => [
    address,
    [v2Pools, aerodromePools, v3Pools, slipstreamPools, algebraPools].flatMap((pools) => pools(address))
  ])
)

/** A question of a token, and what is read of the pool that it finds. */
interface Asking<A> extends Finding<A> {
  readonly candidate: Question["candidate"]
}

const askingOf = <A>(
  token: Address,
  quotes: ReadonlyArray<Address>,
  rest: Rest<A>
): ReadonlyArray<Asking<A>> => {
  const word = encodeWords(token).slice(2)
  return quotes.flatMap((quote) => {
    const rests = new Map<string, Query<A>>()
    const restOf = ({ candidate, shape }: Question): Query<A> => {
      const known = rests.get(shape) ?? rest({ ...candidate, address: FOUND })
      rests.set(shape, known)
      return known
    }
    return (QUESTIONS.get(quote) ?? []).map((question) => ({
      read: { to: question.to, data: `${question.selector}${word}${question.tail}` } as const,
      rest: restOf(question),
      candidate: question.candidate
    }))
  })
}

/** What a token's search found. */
export interface Searched<A> {
  readonly pools: ReadonlyArray<FoundPool<A>>
  /** Every factory answered every question, be it that it has no such pool. */
  readonly isWhole: boolean
}

/** The pools that were found; a factory that is not deployed, or has no such pool, gives nothing. */
const poolsIn = <A>(
  asking: ReadonlyArray<Asking<unknown>>,
  results: ReadonlyArray<EvmReadResult>,
  restOf: (asked: Asking<unknown>, at: number) => Query<A> | undefined
): ReadonlyArray<FoundPool<A | undefined>> =>
  foundIn(asking, results, (at, answers) => {
    const asked = asking[at]
    return asked === undefined ? undefined : restOf(asked, at)?.decode(answers)
  }).flatMap(({ address, at, made, value }) => {
    const candidate = asking[at]?.candidate
    return candidate === undefined || isNobody(address)
      ? []
      : [{ pool: { ...candidate, address }, made, value }]
  })

/** Every V2- and V3-type pool of the token against one of all quotes, over the factories of the registry. */
export const poolsAgainst = <A>(
  token: Address,
  quote: Address,
  rest: Rest<A>
): PlainQuery<ReadonlyArray<FoundPool<A | undefined>>> => {
  const asking = askingOf(token, [quote], rest)
  return {
    reads: findingReads(asking),
    decode: (results) => poolsIn(asking, results, (_, at) => asking[at]?.rest)
  }
}

/** A part of the questions about any token but one quote, the reads that they are, and behind the first what is asked beside. */
interface Part {
  readonly asking: ReadonlyArray<Asking<unknown>>
  readonly own: ReturnType<typeof findingReads>
  readonly reads: AlikeReads["alike"]
}

/**
 * Every V2- and V3-type pool of a token against trusted and second-ring quotes: some 500 calls in one batch, put together
 * once for all tokens, in two parts that a node works off side by side.
 * @param restOf what is read of a pool that is only just found; the same for all tokens but for their addresses
 * @param beside what is asked with it whatever the token is
 */
export const poolSearch = <A, B>(restOf: (token: Address) => Rest<A>, beside: PlainQuery<B>) => {
  /** By the quote that is not asked about, since it is the token itself. */
  const searches = new Map<Address | undefined, ReadonlyArray<Part>>()
  const searchFor = (token: Address): ReadonlyArray<Part> => {
    const left = ALL_QUOTES.find(({ address }) => address === token)?.address
    const known = searches.get(left)
    if (known !== undefined) return known
    const quotes = ALL_QUOTES.map(({ address }) => address).filter((address) => address !== left)
    const asking = askingOf(SUBJECT, quotes, restOf(SUBJECT))
    const half = Math.ceil(asking.length / 2)
    const search = [asking.slice(0, half), asking.slice(half)].map((part, at) => {
      const own = findingReads(part)
      return { asking: part, own, reads: at > 0 ? own : [...own, ...beside.reads] }
    })
    searches.set(left, search)
    return search
  }
  return (token: Address): Query<readonly [Searched<A | undefined>, B]> => {
    const parts = searchFor(token)
    const rest = restOf(token)
    const restOfAsked = ({ candidate }: Asking<unknown>) => rest({ ...candidate, address: FOUND })
    return {
      reads: parts.map(({ reads }) => ({ alike: reads, of: token })),
      decode: (results) => {
        const answers = parts.map((_, part) => results[part]?.found ?? [])
        return [
          {
            pools: parts.flatMap(({ asking }, part) => poolsIn(asking, answers[part] ?? [], restOfAsked)),
            isWhole: parts.every(({ own }, part) => areAnswered(own, answers[part] ?? []))
          },
          beside.decode(answers[0]?.slice(parts[0]?.own.length) ?? [])
        ]
      }
    }
  }
}

/** The key that names a v4 pool; currencies sorted, native ETH is the zero address. */
export interface V4Key {
  readonly currency0: Address
  readonly currency1: Address
  readonly fee: number
  readonly tickSpacing: number
  readonly hooks: Address
}

/** A v4 pool of the token by its key; `undefined` when the token is on neither side. */
export const v4Candidate = (token: Address, key: V4Key, poolId: `0x${string}`): PoolCandidate | undefined => {
  if (key.currency0 !== token && key.currency1 !== token) return undefined
  return {
    kind: "v4",
    dex: "uniswap-v4",
    address: V4.poolManager,
    quote: key.currency0 === token ? key.currency1 : key.currency0,
    feePips: null,
    tickSpacing: key.tickSpacing,
    v4: { poolId, hooks: key.hooks, dynamicFee: key.fee === V4_DYNAMIC_FEE }
  }
}

/** What tells a pool from every other: its contract, or its id in V4. */
export const poolKey = ({ address, v4 }: Pick<PoolCandidate, "address" | "v4">): string =>
  v4?.poolId ?? address

/** V2-type pools of which more than their state is read: the rest is dust beside them, and every one costs some twenty reads. */
export const MAX_LP_POOLS = 24

/** A pool whose LP tokens are an ERC-20, against a quote that counts. */
export const isV2Type = (pool: PoolCandidate): boolean => isV2(pool) && quoteToken(pool.quote) !== undefined
