import { Effect, Random } from "effect"
import type { Address, Hex } from "viem"
import type { BaseRpc } from "../../../chain/chain-rpc.ts"
import { HALF_YEAR_SECONDS, PROVEN_UNTIL_SECONDS } from "../holders/age.ts"
import { type Held, readHeld } from "../pools/ladder.ts"
import type { PoolCandidate } from "../pools/pool-search.ts"
import { poolKey } from "../pools/pool-search.ts"
import { measured, readPools } from "../pools/pool-state.ts"
import { BLOCK_SECONDS } from "./log-windows.ts"

/** Quote reserves at some block, in smallest units, by `poolKey`. A pool whose reserve is not known is missing. */
export type Reserves = ReadonlyMap<string, bigint>

/** The report can do without these reads, so they must not hold it up. */
const TIMEOUT = "3 seconds"

/** A moment lies between so many days ago. */
type Span = readonly [least: number, most: number]

/**
 * Further moments that are looked at beside the one a month (half a year) ago. Each is drawn at random within its span and
 * never published: whoever wants money to be seen in the pool must have kept it there nearly all the time.
 */
const OF_A_MONTH: ReadonlyArray<Span> = [
  [12, 28],
  [1, 11]
]
const OF_HALF_A_YEAR: ReadonlyArray<Span> = [
  [105, 170],
  [35, 100]
]
const DAY_SECONDS = 86_400

/** How many blocks ago a token's pools must have held money for it to be taken for old. */
export interface Moments {
  readonly month: ReadonlyArray<bigint>
  /** Beside them, where the pools hold little. */
  readonly halfYear: ReadonlyArray<bigint>
}

const MONTH: bigint = PROVEN_UNTIL_SECONDS / BLOCK_SECONDS
const HALF_YEAR: bigint = HALF_YEAR_SECONDS / BLOCK_SECONDS

const drawn = (first: bigint, spans: ReadonlyArray<Span>): Effect.Effect<ReadonlyArray<bigint>> =>
  Effect.map(
    Effect.forEach(spans, ([least, most]) => Random.nextRange(least * DAY_SECONDS, most * DAY_SECONDS)),
    (ago) => [first, ...ago.map((seconds) => BigInt(Math.floor(seconds)) / BLOCK_SECONDS)]
  )

/** Draws new moments. */
export const drawMoments: Effect.Effect<Moments> = Effect.all({
  month: drawn(MONTH, OF_A_MONTH),
  halfYear: drawn(HALF_YEAR, OF_HALF_A_YEAR)
})

/** How long drawn moments stay in use: asking again soon must not be another try. */
export const DRAWN_FOR = "6 hours"

/** Whether the chain is old enough to have a block of a month ago. */
export const showsMonth = (blockNumber: bigint): boolean => blockNumber > MONTH

/** The V4 pools among the candidates, as the walk over ticks takes them. */
export const ladderAsks = (pools: ReadonlyArray<PoolCandidate>) =>
  pools.flatMap(({ v4, tickSpacing = 0 }) => (v4 === undefined ? [] : [{ poolId: v4.poolId, tickSpacing }]))

/**
 * Whether a pool's whole reserve is known, so that it can be compared with another block's: of a V4 pool only where its ticks
 * were walked, since its state shows only what lies near the price. Always for other kinds.
 */
export const isMeasured =
  (held: ReadonlyMap<Hex, Held>) =>
  ({ v4 }: Pick<PoolCandidate, "v4">): boolean =>
    v4 === undefined || held.has(v4.poolId)

/**
 * Pool reserves so many blocks ago; null from a node without that state. A pool that was not there held nothing.
 * @param candidates pools that some factory knows, or the PoolManager
 */
export const reservesAgo = (
  rpc: BaseRpc,
  token: Address,
  { blockNumber, decimals }: { readonly blockNumber: bigint; readonly decimals: number | null },
  candidates: ReadonlyArray<PoolCandidate>,
  blocks: bigint
): Effect.Effect<Reserves | null> => {
  const { reads, decode } = readPools(token, decimals ?? 18, candidates)
  if (reads.length === 0 || blockNumber <= blocks) return Effect.succeed(null)
  const at = blockNumber - blocks
  return Effect.all([rpc.readAll(reads, { blockNumber: at }), readHeld(rpc, ladderAsks(candidates), at)], {
    concurrency: 2
  }).pipe(
    Effect.map(([{ results }, held]) => {
      const states = decode(results)
      return new Map(
        candidates.flatMap((candidate, index) => {
          const state = states[index]
          if (!state) return [[poolKey(candidate), 0n] as const]
          return isMeasured(held)(candidate)
            ? [[poolKey(candidate), measured(state, held).quoteReserve] as const]
            : []
        })
      )
    }),
    Effect.timeout(TIMEOUT),
    Effect.catchAll(() => Effect.succeed(null))
  )
}

/** The same at several moments; null where one of them was not shown, and for no moments, which would prove nothing. */
export const reservesAt = (
  moments: ReadonlyArray<bigint>,
  ago: (blocks: bigint) => Effect.Effect<Reserves | null>
): Effect.Effect<ReadonlyArray<Reserves> | null> =>
  Effect.map(Effect.forEach(moments, ago, { concurrency: "unbounded" }), (found) => {
    const shown = found.filter((reserves) => reserves !== null)
    return shown.length > 0 && shown.length === found.length ? shown : null
  })

/** Reserves at the moments of a month and of half a year; null where the token is younger, or one moment was not shown. */
export interface Past {
  readonly month: ReadonlyArray<Reserves> | null
  readonly halfYear: ReadonlyArray<Reserves> | null
}

/**
 * @param age seconds since the first pool, as market data says: it decides what is asked, and proves nothing
 */
export const pastOf = (
  age: bigint | null,
  { halfYear, month }: Moments,
  ago: (blocks: bigint) => Effect.Effect<Reserves | null>
): Effect.Effect<Past> => {
  const from = (seconds: bigint, moments: ReadonlyArray<bigint>) =>
    age === null || age < seconds ? Effect.succeed(null) : reservesAt(moments, ago)
  return Effect.all(
    { month: from(PROVEN_UNTIL_SECONDS, month), halfYear: from(HALF_YEAR_SECONDS, halfYear) },
    { concurrency: 2 }
  )
}
