import type { Address } from "viem"
import { ALL_QUOTES, isNobody, quoteToken } from "../addresses.ts"
import {
  AERODROME_FACTORY,
  SLIPSTREAM_FACTORIES,
  SLIPSTREAM_SPACINGS,
  V4,
  V4_DYNAMIC_FEE
} from "./factories.ts"
import { ALGEBRA_FACTORIES, V2_FACTORIES, V3_FACTORIES } from "./registry/exchanges.ts"
import type { Pool } from "./pool.ts"
import type { Query } from "../reads/query.ts"
import { account, list, mapQuery, thenOfFound } from "../reads/query.ts"

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

/** A factory's answer for one pool. */
interface Question {
  readonly answer: Query<Address | undefined>
  readonly candidate: Omit<PoolCandidate, "address">
}

const ask = (answer: Question["answer"], candidate: Question["candidate"]): Question => ({
  answer,
  candidate
})

/** The pool, with the rest read of it. A factory that is not deployed, or has no such pool, gives nothing. */
const found = <A>({ answer, candidate }: Question, rest: Rest<A>): Query<FoundPool<A> | undefined> =>
  mapQuery(
    thenOfFound(answer, (address) => rest({ ...candidate, address })),
    ({ address, made, value }) =>
      address === undefined || isNobody(address)
        ? undefined
        : { pool: { ...candidate, address }, made, value }
  )

const v2Pools = (token: Address, quote: Address) =>
  V2_FACTORIES.map(({ dex, address, feePips }) =>
    ask(account(address, "getPair(address,address)", token, quote), { kind: "v2", dex, quote, feePips })
  )

const aerodromePools = (token: Address, quote: Address) =>
  [false, true].map((stable) =>
    ask(account(AERODROME_FACTORY, "getPool(address,address,bool)", token, quote, stable), {
      kind: "aerodrome-v2",
      dex: "aerodrome",
      quote,
      stable,
      feePips: null
    })
  )

const v3Pools = (token: Address, quote: Address) =>
  V3_FACTORIES.flatMap(({ dex, address, fees }) =>
    fees.map((fee) =>
      ask(account(address, "getPool(address,address,uint24)", token, quote, fee), {
        kind: "v3",
        dex,
        quote,
        feePips: fee
      })
    )
  )

/** Algebra's `poolByPair(a, b)`. */
const algebraPools = (token: Address, quote: Address) =>
  ALGEBRA_FACTORIES.map(({ dex, address }) =>
    ask(account(address, "poolByPair(address,address)", token, quote), {
      kind: "algebra",
      dex,
      quote,
      feePips: null
    })
  )

const slipstreamPools = (token: Address, quote: Address) =>
  SLIPSTREAM_FACTORIES.flatMap((factory, index) =>
    SLIPSTREAM_SPACINGS.map((tickSpacing) =>
      ask(account(factory, "getPool(address,address,int24)", token, quote, tickSpacing), {
        kind: "slipstream",
        dex: index === 0 ? "aerodrome-slipstream" : `aerodrome-slipstream-${index + 1}`,
        quote,
        tickSpacing,
        feePips: null
      })
    )
  )

/** Every V2- and V3-type pool of the token against one quote, over the factories of the registry. */
export const poolsAgainst = <A>(
  token: Address,
  quote: Address,
  rest: Rest<A>
): Query<ReadonlyArray<FoundPool<A>>> =>
  mapQuery(
    list(
      [
        ...v2Pools(token, quote),
        ...aerodromePools(token, quote),
        ...v3Pools(token, quote),
        ...slipstreamPools(token, quote),
        ...algebraPools(token, quote)
      ].map((question) => found(question, rest))
    ),
    (pools) => pools.filter((pool) => pool !== undefined)
  )

/** Every V2- and V3-type pool of the token against trusted and second-ring quotes: some 500 calls in one batch. */
export const searchPools = <A>(token: Address, rest: Rest<A>): Query<ReadonlyArray<FoundPool<A>>> =>
  mapQuery(
    list(
      ALL_QUOTES.filter(({ address }) => address !== token).map(({ address }) =>
        poolsAgainst(token, address, rest)
      )
    ),
    (pools) => pools.flat()
  )

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

/** A pool whose LP tokens are an ERC-20, against a quote that counts. */
export const isV2Type = ({ kind, quote }: PoolCandidate): boolean =>
  (kind === "v2" || kind === "aerodrome-v2") && quoteToken(quote) !== undefined
