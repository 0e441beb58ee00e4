import { Effect } from "effect"
import type { Hex } from "viem"
import { toEventSelector } from "viem"
import type { BaseRpc } from "../../../chain/chain-rpc.ts"
import { TRANSFER } from "../../../chain/evm-events.ts"
import { type BoundedFilter, readLogRange } from "../../../chain/evm-log-ranges.ts"
import type { EvmLog } from "../../../chain/evm-logs.ts"
import { atLeastZero, min, sum } from "../../../domain/bigint.ts"
import type { Fact } from "../../../domain/fact.ts"
import { known, missing } from "../../../domain/fact.ts"
import type { Range } from "../reads/log-windows.ts"
import { sinceLaunch } from "../reads/log-windows.ts"
import { wordAt } from "../reads/query.ts"
import { V4 } from "./factories.ts"
import { isV2, type Pool } from "./pool.ts"
import { PROVIDED, type Provided, providedTo } from "./provided.ts"
import { V3_INITIALIZE, V4_INITIALIZE, isFirstMint } from "./pool-birth.ts"

/** Swaps as the pools themselves tell them: a token cannot invent these, as it can its own `Transfer`s. */
const SWAP = {
  /** Amounts in and out of either side: Uniswap V2's, Aerodrome's. */
  twoWays: [
    "event Swap(address indexed,uint256,uint256,uint256,uint256,address indexed)",
    "event Swap(address indexed,address indexed,uint256,uint256,uint256,uint256)"
  ].map((event) => toEventSelector(event)),
  /** What either side changes by: Uniswap V3's, PancakeSwap's. */
  changes: [
    "event Swap(address indexed,address indexed,int256,int256,uint160,uint128,int24)",
    "event Swap(address indexed,address indexed,int256,int256,uint160,uint128,int24,uint128,uint128)"
  ].map((event) => toEventSelector(event)),
  /** What whoever swaps gets of either side. */
  gets: toEventSelector(
    "event Swap(bytes32 indexed,address indexed,int128,int128,uint160,uint128,int24,uint24)"
  )
} as const

/** Events beyond these are a market that is not read whole. */
const MAX_EVENTS = 4_000
const TIMEOUT = "3 seconds"

const isOf = (events: ReadonlyArray<Hex>, { topics: [event] }: EvmLog): boolean =>
  event !== undefined && events.includes(event)

/** What a swap gives out of the token, less what it takes in, in smallest units; undefined where it does not say. */
const givenBy =
  ({ quote, token }: Pool) =>
  (log: EvmLog): bigint | undefined => {
    const side = BigInt(token) < BigInt(quote) ? 0 : 1
    const [first, out] = [wordAt(log.data, side), wordAt(log.data, side + 2)]
    if (first === undefined) return undefined
    if (isOf([SWAP.gets], log)) return BigInt.asIntN(128, first)
    if (isOf(SWAP.changes, log)) return -BigInt.asIntN(256, first)
    return out === undefined ? undefined : out - first
  }

/** Where a pool's swaps and its beginning are told: both in one request. */
interface Source {
  readonly filter: Pick<BoundedFilter, "address" | "topics">
  readonly swaps: ReadonlyArray<Hex>
  readonly isBirth: (log: EvmLog, at: number, logs: ReadonlyArray<EvmLog>) => boolean
}

const sourceOf = (pool: Pool): Source => {
  const { address, v4 } = pool
  if (v4 !== undefined) {
    const swaps = [SWAP.gets]
    return {
      filter: { address: V4.poolManager, topics: [[...swaps, V4_INITIALIZE, ...PROVIDED.v4], [v4.poolId]] },
      swaps,
      isBirth: (log) => isOf([V4_INITIALIZE], log)
    }
  }
  return isV2(pool)
    ? {
        filter: { address, topics: [[...SWAP.twoWays, TRANSFER, ...PROVIDED.v2]] },
        swaps: SWAP.twoWays,
        isBirth: (log, at, logs) => isFirstMint(pool.kind, log, logs[at + 1])
      }
    : {
        filter: { address, topics: [[...SWAP.changes, V3_INITIALIZE, ...PROVIDED.concentrated]] },
        swaps: SWAP.changes,
        isBirth: (log) => isOf([V3_INITIALIZE], log)
      }
}

/**
 * What left the pool for money, by its swaps: no more than is gone of what was put in, since a node may leave out a sale;
 * and without what those sold who brought it as liquidity. A V4 pool's tokens are known where its ticks were walked.
 */
const boughtOf = (pool: Pool, given: bigint, { left, sold }: Provided): bigint => {
  const isCounted = pool.v4 === undefined || pool.curve !== undefined
  return (isCounted ? min(given, left - pool.tokenReserve) : given) - sold
}

/** Transactions that bought more than once. */
const buyingAgain = (swaps: ReadonlyArray<EvmLog>, given: ReadonlyArray<bigint>): ReadonlySet<Hex> => {
  const [once, again] = [new Set<Hex>(), new Set<Hex>()]
  swaps.forEach(({ transactionHash }, index) => {
    if ((given[index] ?? 0n) <= 0n) return
    if (once.has(transactionHash)) again.add(transactionHash)
    once.add(transactionHash)
  })
  return again
}

type Party = bigint | Hex | undefined

/**
 * Who swapped, where it is one party with as many wallets as it likes: in blocks in which somebody brought the pool
 * liquidity, since who opens a pool and buys in one block was alone there; and in transactions that bought more than once.
 * Undefined where it may be anybody.
 */
const partiesOf = (
  swaps: ReadonlyArray<EvmLog>,
  given: ReadonlyArray<bigint>,
  { broughtIn }: Provided
): ReadonlyArray<Party> => {
  const again = buyingAgain(swaps, given)
  return swaps.map(({ blockNumber, transactionHash }) => {
    if (broughtIn.has(blockNumber)) return blockNumber
    return again.has(transactionHash) ? transactionHash : undefined
  })
}

/** What went to such parties on balance. */
const takenByOne = (parties: ReadonlyArray<Party>, amounts: ReadonlyArray<bigint>): bigint => {
  const byParty = new Map<Party, bigint>()
  parties.forEach((party, index) => {
    if (party !== undefined) byParty.set(party, (byParty.get(party) ?? 0n) + (amounts[index] ?? 0n))
  })
  return sum([...byParty.values()].map(atLeastZero))
}

/** What pools gave for money on balance, and what for. */
export interface Purchases {
  /** Smallest units of the token. */
  readonly tokens: bigint
  /** At today's price of the money. */
  readonly usd: number
}

/** The same pool from its other side. */
const turned = (pool: Pool): Pool => ({ ...pool, token: pool.quote, quote: pool.token })

/** One side of a pool's swaps, and of the liquidity in it; undefined where an event does not tell. */
const sideOf = (pool: Pool, trades: ReadonlyArray<EvmLog>, logs: ReadonlyArray<EvmLog>) => {
  const given = trades.map(givenBy(pool)).filter((amount) => amount !== undefined)
  const provided = providedTo(pool, logs)
  return given.length < trades.length || provided === undefined ? undefined : { given, provided }
}

const purchasesIn = (pool: Pool, trades: ReadonlyArray<EvmLog>, logs: ReadonlyArray<EvmLog>) => {
  const [tokens, money] = [sideOf(pool, trades, logs), sideOf(turned(pool), trades, logs)]
  if (tokens === undefined) return undefined
  const parties = partiesOf(trades, tokens.given, tokens.provided)
  // Money of which nobody told was not paid. What those took who had brought liquidity is not there any more.
  const paid = money?.given.map((amount) => -amount) ?? []
  const left = sum(paid) - takenByOne(parties, paid) - (money?.provided.gained ?? 0n)
  const usdPerUnit = pool.quoteReserve === 0n ? 0 : pool.quoteUsd / Number(pool.quoteReserve)
  return {
    tokens: boughtOf(pool, sum(tokens.given), tokens.provided) - takenByOne(parties, tokens.given),
    usd: Number(atLeastZero(left)) * usdPerUnit
  }
}

const soldBy = (rpc: BaseRpc, pool: Pool, range: Range): Effect.Effect<Fact<Purchases>> => {
  const { filter, isBirth, swaps } = sourceOf(pool)
  return readLogRange(rpc, { ...filter, ...range }, MAX_EVENTS).pipe(
    Effect.timeout(TIMEOUT),
    Effect.map((logs) => {
      if (logs.length > MAX_EVENTS) return missing("a pool had more swaps than could be read")
      // What went before would be unseen: sales that today's purchases only make up for.
      if (!logs.some(isBirth)) return missing("a pool's swaps could not be read from its first one on")
      const trades = logs.filter((log) => isOf(swaps, log))
      const found = purchasesIn(pool, trades, logs)
      return found === undefined
        ? missing("a pool's events do not say what was swapped or brought")
        : known(found)
    }),
    Effect.catchAll(() => Effect.succeed(missing("the pools' swaps could not be read")))
  )
}

/**
 * How much of the token, in smallest units, these pools have given for money on balance since they began: the most that
 * accounts can hold because they bought it, and not from themselves; and what money they paid that is still there. Missing
 * where not every swap could be read, from a pool's first on: the age is only the market's word, so each pool's own beginning
 * must be among what was read.
 * @param age seconds since the first pool that market data knows; null where it knows none
 */
export const readPurchases = (
  rpc: BaseRpc,
  pools: ReadonlyArray<Pool>,
  blockNumber: bigint,
  age: bigint | null
): Effect.Effect<Fact<Purchases>> => {
  const range = sinceLaunch(blockNumber, age)
  return Effect.forEach(pools, (pool) => soldBy(rpc, pool, range), { concurrency: 3 }).pipe(
    Effect.map((sold) => {
      let [tokens, usd] = [0n, 0]
      for (const fact of sold) {
        if (!fact.known) return fact
        if (fact.value.tokens <= 0n) continue
        tokens += fact.value.tokens
        usd += fact.value.usd
      }
      return known({ tokens, usd })
    })
  )
}
