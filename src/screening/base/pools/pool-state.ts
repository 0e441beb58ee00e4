import type { Address, Hex } from "viem"
import { min } from "../../../domain/bigint.ts"
import type { Pool } from "./pool.ts"
import type { FoundPool, PoolCandidate } from "./pool-search.ts"
import { AERODROME_FACTORY, V4 } from "./factories.ts"
import type { Query } from "../reads/query.ts"
import { balanceOf, both, callData, list, mapQuery, pure, read, uint, wordAt } from "../reads/query.ts"
import type { Held } from "./ladder.ts"
import { saleCurve } from "./sale-curve.ts"
import { v4Slot0 } from "./v4.ts"

/** A pool with its state, before anything is priced. */
export interface PoolState extends Omit<Pool, "quoteUsd" | "priceUsd"> {
  /** Smallest units of the quote per smallest unit of the token; null where the pool cannot tell. */
  readonly ratio: number | null
  /** What the token itself says the pool holds; null where it did not answer, or for v4. */
  readonly tokenBalance: bigint | null
}

/** A pool as it answered: null where it was never opened, `undefined` where it did not answer like a pool. */
export type PoolReading = PoolState | null | undefined

const Q96 = 2 ** 96
/** Amounts up to here are one side of a pool; above, the token's numbers overflow what pools can hold. */
const MAX_RESERVE = 1n << 128n

const isToken0 = (token: Address, quote: Address): boolean => BigInt(token) < BigInt(quote)
const asRatio = (value: number): number | null => (Number.isFinite(value) && value > 0 ? value : null)

const withState = (
  token: Address,
  candidate: PoolCandidate,
  state: Pick<PoolState, "quoteReserve" | "tokenReserve" | "ratio" | "tokenBalance" | "depth"> & {
    readonly feePips: number
    readonly feeUnread?: boolean
  }
): PoolState | undefined =>
  state.quoteReserve >= MAX_RESERVE || state.tokenReserve >= MAX_RESERVE
    ? undefined
    : { ...candidate, token, ...state }

const reserves = (pool: Address) =>
  read(pool, callData("getReserves()"), (data) => {
    const [first, second] = [wordAt(data, 0), wordAt(data, 1)]
    return first === undefined || second === undefined ? undefined : ([first, second] as const)
  })

/** A stable pool's price is not its reserves' ratio: the pool is asked what one token would buy. */
const stableRatio = (pool: Address, token: Address, decimals: number): Query<number | null> => {
  const one = 10n ** BigInt(decimals)
  return mapQuery(uint(pool, "getAmountOut(uint256,address)", one, token), (out) =>
    out === undefined ? null : asRatio(Number(out) / Number(one))
  )
}

const v2State = (token: Address, decimals: number, candidate: PoolCandidate): Query<PoolReading> => {
  const { address, quote, stable, kind, feePips } = candidate
  // Aerodrome's `getFee(pool, stable)` answers in basis points.
  const fee =
    kind === "v2"
      ? pure(undefined)
      : uint(AERODROME_FACTORY, "getFee(address,bool)", address, stable === true)
  const ratio = stable === true ? stableRatio(address, token, decimals) : pure(undefined)
  const query = both(both(reserves(address), balanceOf(token, address)), both(fee, ratio))
  return mapQuery(query, ([[pair, tokenBalance], [feeBps, stablePrice]]) => {
    if (pair === undefined) return undefined
    const [tokenReserve, quoteReserve] = isToken0(token, quote) ? pair : ([pair[1], pair[0]] as const)
    return withState(token, candidate, {
      feePips: feePips ?? Number(feeBps ?? 30n) * 100,
      feeUnread: feePips === null && feeBps === undefined,
      quoteReserve,
      tokenReserve,
      ratio: stablePrice === undefined ? asRatio(Number(quoteReserve) / Number(tokenReserve)) : stablePrice,
      tokenBalance: tokenBalance ?? null
    })
  })
}

/** Quote per token from a square-root price (token1 per token0, Q96). */
const ratioOf = (sqrtPriceX96: bigint, tokenIs0: boolean): number | null => {
  const price = (Number(sqrtPriceX96) / Q96) ** 2
  return asRatio(tokenIs0 ? price : 1 / price)
}

/** The reserve the liquidity in range stands for, on the quote's side. */
const virtualQuote = (liquidity: bigint, sqrtPriceX96: bigint, tokenIs0: boolean): number => {
  const root = Number(sqrtPriceX96) / Q96
  return tokenIs0 ? Number(liquidity) * root : Number(liquidity) / root
}

const toUnits = (value: number): bigint =>
  Number.isFinite(value) && value > 0 ? BigInt(Math.floor(value)) : 0n

const v3State = (token: Address, candidate: PoolCandidate): Query<PoolReading> => {
  const { address, quote, feePips } = candidate
  // `slot0()`; Algebra's `globalState()` begins with the price, too, and holds the fee in its third word.
  const isAlgebra = candidate.kind === "algebra"
  const sqrtPrice = read(address, callData(isAlgebra ? "globalState()" : "slot0()"), (data) =>
    wordAt(data, 0)
  )
  const fee = isAlgebra
    ? read(address, callData("globalState()"), (data) => wordAt(data, 2))
    : feePips === null
      ? uint(address, "fee()")
      : pure(undefined)
  const query = both(
    both(sqrtPrice, uint(address, "liquidity()")),
    both(both(balanceOf(quote, address), balanceOf(token, address)), fee)
  )
  return mapQuery(query, ([[sqrtPriceX96, liquidity], [[held, tokenBalance], ownFee]]) => {
    if (sqrtPriceX96 === 0n) return null
    // Tokens that nobody told of may be all that somebody parked there.
    if (
      sqrtPriceX96 === undefined ||
      liquidity === undefined ||
      held === undefined ||
      tokenBalance === undefined
    )
      return undefined
    const tokenIs0 = isToken0(token, quote)
    // Quote parked out of range buys no seller anything: never credit more than the liquidity in range stands for.
    const inRange = toUnits(virtualQuote(liquidity, sqrtPriceX96, tokenIs0))
    return withState(token, candidate, {
      feePips: feePips ?? Number(ownFee ?? 3000n),
      feeUnread: feePips === null && ownFee === undefined,
      quoteReserve: min(held, inRange),
      depth: min(held, toUnits(virtualQuote(liquidity, sqrtPriceX96, tokenIs0) * DEPTH)),
      tokenReserve: tokenBalance,
      ratio: ratioOf(sqrtPriceX96, tokenIs0),
      tokenBalance: null
    })
  })
}

/** Square root of 1.02, less one: what a seller takes out while the price falls by 2 %. */
const DEPTH = 1 - 1 / Math.sqrt(1.02)

interface V4Raw {
  readonly slot0: { readonly sqrtPriceX96: bigint; readonly feePips: number } | undefined
  readonly liquidity: bigint | undefined
}

const v4Raw = (poolId: Hex): Query<V4Raw> =>
  mapQuery(
    both(v4Slot0(poolId), uint(V4.stateView, "getLiquidity(bytes32)", poolId)),
    ([slot0, liquidity]) => ({
      slot0,
      liquidity
    })
  )

/** The PoolManager holds every pool's balances together: until its ticks are walked, a pool shows its depth alone. */
const v4FromRaw = (token: Address, candidate: PoolCandidate, { slot0, liquidity }: V4Raw): PoolReading => {
  if (slot0?.sqrtPriceX96 === 0n) return null
  if (slot0 === undefined || liquidity === undefined) return undefined
  const tokenIs0 = isToken0(token, candidate.quote)
  const root = Number(slot0.sqrtPriceX96) / Q96
  const virtualToken = tokenIs0 ? Number(liquidity) / root : Number(liquidity) * root
  return withState(token, candidate, {
    feePips: slot0.feePips,
    quoteReserve: toUnits(virtualQuote(liquidity, slot0.sqrtPriceX96, tokenIs0) * DEPTH),
    depth: toUnits(virtualQuote(liquidity, slot0.sqrtPriceX96, tokenIs0) * DEPTH),
    tokenReserve: toUnits(virtualToken * DEPTH),
    ratio: ratioOf(slot0.sqrtPriceX96, tokenIs0),
    tokenBalance: null
  })
}

/** A v4 pool with what its ticks say stands in it. */
export const measured = (state: PoolState, held: ReadonlyMap<Hex, Held>): PoolState => {
  const amounts = state.v4 === undefined ? undefined : held.get(state.v4.poolId)
  if (amounts === undefined) return state
  const { amount0, amount1, bands, root } = amounts
  const tokenIs0 = isToken0(state.token, state.quote)
  const [tokenReserve, quoteReserve] = tokenIs0 ? [amount0, amount1] : [amount1, amount0]
  return { ...state, tokenReserve, quoteReserve, curve: saleCurve(bands, root, tokenIs0) }
}

/** A v4 pool whose key is only learned in the same batch. */
export const readV4ByKey = (
  token: Address,
  poolId: Hex,
  candidate: Query<PoolCandidate | undefined>
): Query<PoolReading> =>
  mapQuery(both(candidate, v4Raw(poolId)), ([found, raw]) =>
    found === undefined ? undefined : v4FromRaw(token, found, raw)
  )

/** State of one candidate. */
export const readPool = (token: Address, decimals: number, candidate: PoolCandidate): Query<PoolReading> => {
  switch (candidate.kind) {
    case "v2":
    case "aerodrome-v2":
      return v2State(token, decimals, candidate)
    case "v3":
    case "slipstream":
    case "algebra":
      return v3State(token, candidate)
    case "v4":
      return candidate.v4 === undefined
        ? pure(undefined)
        : readV4ByKey(token, candidate.v4.poolId, pure(candidate))
  }
}

/** Reads the states of pools in the round trip that finds them; nothing where that takes the token's decimals. */
export const readingJustFound =
  (token: Address, decimals: number | null) =>
  (pool: PoolCandidate): Query<PoolReading> =>
    decimals === null && pool.stable === true ? pure(undefined) : readPool(token, decimals ?? 18, pool)

/** A pool that was found, with its state; `state` is null where it is yet to be read. */
export interface SeenPool {
  readonly pool: PoolCandidate
  readonly state: { readonly value: PoolReading } | null
}

export const seenPool = ({ made, pool, value }: FoundPool<PoolReading>): SeenPool => ({
  pool,
  state: made ? { value: value ? { ...value, ...pool, feePips: value.feePips } : value } : null
})

/** The states that were read, of pools that answer like one. */
export const statesOf = (seen: ReadonlyArray<SeenPool>): ReadonlyArray<PoolState> =>
  seen.flatMap(({ state }) => state?.value ?? [])

/** State of every candidate, in order. */
export const readPools = (
  token: Address,
  decimals: number,
  candidates: ReadonlyArray<PoolCandidate>
): Query<ReadonlyArray<PoolReading>> =>
  list(candidates.map((candidate) => readPool(token, decimals, candidate)))
