import { Effect } from "effect"
import type { Address, Hex } from "viem"
import { numberToHex, toEventSelector } from "viem"
import type { BaseRpc } from "../../../chain/chain-rpc.ts"
import type { Fact } from "../../../domain/fact.ts"
import { known, missing } from "../../../domain/fact.ts"
import type { Range } from "../reads/log-windows.ts"
import { wordAt } from "../reads/query.ts"
import { V4 } from "./factories.ts"
import type { Pool } from "./pool.ts"

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

/** Swaps beyond these are a market that no single request serves. */
const MAX_LOGS = 4_000
const TIMEOUT = "3 seconds"

interface Log {
  readonly topics: ReadonlyArray<Hex>
  readonly data: Hex
}

/** What a swap gives out of the token, less what it takes in, in smallest units. */
const givenBy =
  ({ quote, token }: Pool) =>
  ({ data, topics: [event] }: Log): bigint => {
    const side = BigInt(token) < BigInt(quote) ? 0 : 1
    const at = (index: number): bigint => wordAt(data, index) ?? 0n
    if (event === SWAP.gets) return BigInt.asIntN(128, at(side))
    if (event !== undefined && SWAP.changes.includes(event)) return -BigInt.asIntN(256, at(side))
    return at(side + 2) - at(side)
  }

const filterOf = ({
  address,
  v4
}: Pool): { readonly address: Address; readonly topics: Array<Array<Hex>> } =>
  v4 === undefined
    ? { address, topics: [[...SWAP.twoWays, ...SWAP.changes]] }
    : { address: V4.poolManager, topics: [[SWAP.gets], [v4.poolId]] }

const soldBy = (rpc: BaseRpc, pool: Pool, { fromBlock, toBlock }: Range): Effect.Effect<Fact<bigint>> =>
  Effect.tryPromise((): Promise<ReadonlyArray<Log>> =>
    rpc.client.request({
      method: "eth_getLogs",
      params: [{ ...filterOf(pool), fromBlock: numberToHex(fromBlock), toBlock: numberToHex(toBlock) }]
    })
  ).pipe(
    Effect.timeout(TIMEOUT),
    Effect.map((logs) =>
      logs.length > MAX_LOGS
        ? missing("a pool had more swaps than could be read")
        : known(logs.map(givenBy(pool)).reduce((sum, amount) => sum + amount, 0n))
    ),
    Effect.catchAll(() => Effect.succeed(missing("the pools' swaps could not be read")))
  )

/**
 * How much of the token, in smallest units, these pools have given for money on balance since they began: the most that
 * accounts can hold because they bought it. Missing where not every swap could be read.
 */
export const readPurchases = (
  rpc: BaseRpc,
  pools: ReadonlyArray<Pool>,
  range: Range
): Effect.Effect<Fact<bigint>> =>
  Effect.forEach(pools, (pool) => soldBy(rpc, pool, range), { concurrency: 3 }).pipe(
    Effect.map((sold) => {
      let sum = 0n
      for (const fact of sold) {
        if (!fact.known) return fact
        if (fact.value > 0n) sum += fact.value
      }
      return known(sum)
    })
  )
