import { Effect } from "effect"
import type { Address } from "viem"
import { parseAbi } from "viem"
import type { BaseRpc } from "../../../chain/chain-rpc.ts"
import type { PoolCandidate } from "../pools/pool-search.ts"

/** About half an hour of Base: within the range every public node serves in one call. */
const RECENT_BLOCKS = 900n
/** More pools than this are dust beside the first ones. */
const MAX_POOLS = 8
/** Addresses handed to the simulation, which keeps the first eight that still hold something. */
const MAX_BUYERS = 32

/** Swaps as the pools themselves tell them: the token cannot invent these, as it can its own `Transfer`s. */
const swapEvents = parseAbi([
  "event Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to)",
  "event Swap(address indexed sender, address indexed to, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out)",
  "event Swap(address indexed sender, address indexed to, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick)"
])

/**
 * Who bought lately, newest first, from the pools' swap events: real holders whose transfers can be simulated, so that
 * a token that blocks its buyers one by one is caught. An aid: a node that serves no logs gives none.
 */
export const recentBuyers = (
  rpc: BaseRpc,
  pools: ReadonlyArray<PoolCandidate>,
  blockNumber: bigint
): Effect.Effect<ReadonlyArray<Address>> => {
  const addresses = pools.filter(({ kind }) => kind !== "v4").map(({ address }) => address)
  if (addresses.length === 0) return Effect.succeed([])
  return Effect.tryPromise(() =>
    rpc.client.getLogs({
      address: addresses.slice(0, MAX_POOLS),
      events: swapEvents,
      fromBlock: blockNumber > RECENT_BLOCKS ? blockNumber - RECENT_BLOCKS : 0n,
      toBlock: blockNumber
    })
  ).pipe(
    Effect.map((logs) => {
      const buyers = logs.toReversed().flatMap(({ args }): ReadonlyArray<Address> => {
        const to = args.to
        return to === undefined ? [] : [`0x${to.slice(2).toLowerCase()}`]
      })
      return [...new Set(buyers)].slice(0, MAX_BUYERS)
    }),
    Effect.timeout("3 seconds"),
    Effect.catchAll(() => Effect.succeed([]))
  )
}
