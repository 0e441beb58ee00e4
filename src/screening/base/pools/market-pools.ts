import type { Address, Hex } from "viem"
import { concatHex, isAddress, isHex } from "viem"
import { keccakHex } from "../../../chain/keccak.ts"
import type { MarketPair } from "../../../market/market-data.ts"
import { WETH, ZERO_ADDRESS, lower, quoteToken } from "../addresses.ts"
import { UNISWAP_V3_FACTORY, UNISWAP_V3_POOL_CODE_HASH } from "./factories.ts"
import type { PoolCandidate } from "./pool-search.ts"
import { v4Candidate } from "./pool-search.ts"
import type { PoolReading, PoolState } from "./pool-state.ts"
import { readPool, readV4ByKey } from "./pool-state.ts"
import type { Query } from "../reads/query.ts"
import { balanceOf, encodeWords, list, mapQuery } from "../reads/query.ts"
import { keyOfPoolId } from "./v4.ts"

/** Pools taken from market data at most: a token can be listed with thousands of worthless ones. */
const MAX_MARKET_POOLS = 20

/** Address the Uniswap V3 factory gives a pool, whatever its fee: cannot be forged by the pool. */
export const uniswapV3PoolAddress = (a: Address, b: Address, feePips: number): Address => {
  const [token0, token1] = BigInt(a) < BigInt(b) ? [a, b] : [b, a]
  const salt = keccakHex(encodeWords(token0, token1, feePips))
  return `0x${keccakHex(concatHex(["0xff", UNISWAP_V3_FACTORY, salt, UNISWAP_V3_POOL_CODE_HASH])).slice(-40)}`
}

/** A V3 pool whose address is what the factory would give it for the fee it claims; else it is worth nothing. */
const v3Pool = (token: Address, address: Address, quote: Address): Query<PoolReading> => {
  const candidate: PoolCandidate = { kind: "v3", dex: "uniswap-v3", address, quote, feePips: null }
  return mapQuery(readPool(token, 18, candidate), (state) =>
    state && uniswapV3PoolAddress(token, quote, state.feePips) === address ? state : undefined
  )
}

/** A v4 pool by its id: its key comes from the PositionManager and must hash back to the id. */
const v4Pool = (token: Address, poolId: Hex): Query<PoolReading> =>
  readV4ByKey(
    token,
    poolId,
    mapQuery(keyOfPoolId(poolId), (key) => (key === undefined ? undefined : v4Candidate(token, key, poolId)))
  )

/** A pool as market data names it: an address, or a V4 pool's id. */
interface Named {
  readonly id: Hex
  readonly quote: Address
}

/** Those against quotes we do not trust are worth nothing anyway and are not looked at. */
const namedByMarket = (
  token: Address,
  pairs: ReadonlyArray<MarketPair>,
  found: ReadonlyArray<PoolCandidate>
): ReadonlyArray<Named> => {
  const seen = new Set<string>(found.map(({ address, v4 }) => v4?.poolId ?? address))
  return pairs
    .toSorted((a, b) => (b.liquidityUsd ?? 0) - (a.liquidityUsd ?? 0))
    .flatMap(({ pairAddress, quoteAddress }): ReadonlyArray<Named> => {
      const id = lower(pairAddress)
      const quote = quoteAddress === null ? undefined : lower(quoteAddress)
      if (seen.has(id) || quote === undefined || quoteToken(quote) === undefined || quote === token) return []
      seen.add(id)
      return isPoolId(id) || isAddress(id) ? [{ id, quote: quote === ZERO_ADDRESS ? WETH : quote }] : []
    })
    .slice(0, MAX_MARKET_POOLS)
}

const isPoolId = (id: string): id is Hex => isHex(id) && id.length === 66

/** Pools that only market data knows, verified on chain. Those no factory of ours can have made are ignored. */
export const readMarketPools = (
  token: Address,
  pairs: ReadonlyArray<MarketPair>,
  found: ReadonlyArray<PoolCandidate>
): Query<ReadonlyArray<PoolState>> => {
  const queries = namedByMarket(token, pairs, found).map(({ id, quote }) =>
    isPoolId(id) ? v4Pool(token, id) : v3Pool(token, id, quote)
  )
  return mapQuery(list(queries), (states) => states.flatMap((state) => state ?? []))
}

/** What stands of a quote at an address that market data calls a pool of the token. */
export interface Standing {
  readonly address: Address
  readonly quote: Address
  /** Smallest units; null where that was not read. */
  readonly held: bigint | null
}

/**
 * Money at addresses that market data alone calls pools: of an exchange that we cannot read, or of anybody. It is no
 * liquidity, and no proof that there is none.
 */
export const readStandings = (
  token: Address,
  pairs: ReadonlyArray<MarketPair>,
  found: ReadonlyArray<PoolCandidate>
): Query<ReadonlyArray<Standing>> =>
  list(
    namedByMarket(token, pairs, found)
      .filter(({ id }) => !isPoolId(id))
      .map(({ id, quote }) =>
        mapQuery(balanceOf(quote, id), (held): Standing => ({ address: id, quote, held: held ?? null }))
      )
  )

/**
 * USD at addresses that were not read as pools; null where one of them was not read, or holds what has no price.
 * @param read the pools
 */
export const standingUsd = (
  standings: ReadonlyArray<Standing>,
  read: ReadonlyArray<Pick<PoolState, "address">>,
  priceOf: (quote: Address) => { readonly usd: number; readonly decimals: number } | undefined
): number | null => {
  const pools = new Set(read.map(({ address }) => address))
  let sum = 0
  for (const { address, held, quote } of standings) {
    if (held === 0n || pools.has(address)) continue
    const price = priceOf(quote)
    if (held === null || price === undefined) return null
    sum += (Number(held) / 10 ** price.decimals) * price.usd
  }
  return sum
}

/** Distinct pools over the chain and market data. */
export const countPools = (states: ReadonlyArray<PoolState>, pairs: ReadonlyArray<MarketPair>): number =>
  new Set([
    ...states.map(({ address, v4 }) => v4?.poolId ?? address),
    ...pairs.map(({ pairAddress }) => lower(pairAddress))
  ]).size
