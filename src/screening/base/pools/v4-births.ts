import { Effect } from "effect"
import type { Address, Hex } from "viem"
import { decodeAbiParameters, pad, parseAbiParameters } from "viem"
import type { BaseRpc } from "../../../chain/chain-rpc.ts"
import { readLogRange } from "../../../chain/evm-log-ranges.ts"
import { type EvmLog, MAX_LOGS, readLogs } from "../../../chain/evm-logs.ts"
import { lower, quoteToken } from "../addresses.ts"
import { type Range, sinceLaunch } from "../reads/log-windows.ts"
import { V4 } from "./factories.ts"
import { V4_INITIALIZE } from "./pool-birth.ts"
import type { V4Key } from "./pool-search.ts"
import { poolIdOf } from "./v4.ts"

const REST = parseAbiParameters("uint24 fee, int24 tickSpacing, address hooks, uint160 sqrtPrice, int24 tick")
const TIMEOUT = "3 seconds"
/** Pools against money that are looked at: anybody can open any number of empty ones. */
const MAX_POOLS = 150

const keyOf = ({ topics, data }: EvmLog): ReadonlyArray<V4Key> => {
  const [, id, first, second] = topics
  if (id === undefined || first === undefined || second === undefined) return []
  try {
    const [fee, tickSpacing, hooks] = decodeAbiParameters(REST, data)
    const key: V4Key = {
      currency0: lower(`0x${first.slice(26)}`),
      currency1: lower(`0x${second.slice(26)}`),
      fee,
      tickSpacing,
      hooks: lower(hooks)
    }
    return poolIdOf(key) === id ? [key] : []
  } catch {
    return []
  }
}

const logsOf = (rpc: BaseRpc, topics: ReadonlyArray<Hex | null>, range: Range | "all") => {
  const filter = { address: V4.poolManager, topics }
  return range === "all"
    ? readLogs(rpc.client, { ...filter, fromBlock: 0n, toBlock: "latest" })
    : readLogRange(rpc, { ...filter, ...range }, MAX_LOGS)
}

/**
 * The token's V4 pools as the PoolManager's own events tell them: V4 has no other list. Where a node does not serve all
 * blocks, those of the last hours. Never fails: pools that stay unknown show in what the PoolManager holds.
 */
export const readBirths = (rpc: BaseRpc, token: Address): Effect.Effect<ReadonlyArray<V4Key>> => {
  const word = pad(token)
  const within = (range: Range | "all") =>
    Effect.all(
      [
        logsOf(rpc, [V4_INITIALIZE, null, word], range),
        logsOf(rpc, [V4_INITIALIZE, null, null, word], range)
      ],
      { concurrency: 2 }
    )
  const recent = Effect.flatMap(rpc.blockNumber, (now) => within(sinceLaunch(now, null)))
  return within("all").pipe(
    Effect.orElse(() => recent),
    Effect.timeout(TIMEOUT),
    Effect.map((found) =>
      found
        .flat()
        .flatMap(keyOf)
        .filter(
          ({ currency0, currency1 }) => quoteToken(currency0 === token ? currency1 : currency0) !== undefined
        )
        .slice(0, MAX_POOLS)
    ),
    Effect.catchAll(() => Effect.succeed([]))
  )
}
