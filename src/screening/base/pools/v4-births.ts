import { Effect } from "effect"
import type { Address, Hex } from "viem"
import { decodeAbiParameters, numberToHex, pad, parseAbiParameters } from "viem"
import type { BaseRpc } from "../../../chain/chain-rpc.ts"
import { lower, quoteToken } from "../addresses.ts"
import { V4 } from "./factories.ts"
import type { V4Key } from "./pool-search.ts"
import { poolIdOf } from "./v4.ts"

/** `Initialize(PoolId indexed, Currency indexed, Currency indexed, uint24, int24, IHooks, uint160, int24)`. */
const INITIALIZE: Hex = "0xdd466e674ea557f56295e2d0218a125ea4b4f0f6f3307b95f85e6110838d6438"
const REST = parseAbiParameters("uint24 fee, int24 tickSpacing, address hooks, uint160 sqrtPrice, int24 tick")
/** Blocks that public nodes serve in one request. */
const WINDOW = 9_500n
const TIMEOUT = "3 seconds"
/** Pools against money that are looked at: anybody can open any number of empty ones. */
const MAX_POOLS = 150

interface Log {
  readonly topics: ReadonlyArray<Hex>
  readonly data: Hex
}

const keyOf = ({ topics, data }: Log): ReadonlyArray<V4Key> => {
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

const logsOf = (rpc: BaseRpc, topics: Array<Hex | null>, from: Hex) =>
  Effect.tryPromise((): Promise<ReadonlyArray<Log>> =>
    rpc.client.request({
      method: "eth_getLogs",
      params: [{ address: V4.poolManager, topics, fromBlock: from, toBlock: "latest" }]
    })
  )

/**
 * The token's V4 pools as the PoolManager's own events tell them: V4 has no other list. Where a node does not serve all
 * blocks, those of the last hours. Never fails: pools that stay unknown show in what the PoolManager holds.
 */
export const readBirths = (rpc: BaseRpc, token: Address): Effect.Effect<ReadonlyArray<V4Key>> => {
  const word = pad(token)
  const since = (from: Hex) =>
    Effect.all(
      [logsOf(rpc, [INITIALIZE, null, word], from), logsOf(rpc, [INITIALIZE, null, null, word], from)],
      {
        concurrency: 2
      }
    )
  const recent = Effect.tryPromise(() => rpc.client.getBlockNumber()).pipe(
    Effect.flatMap((now) => since(numberToHex(now > WINDOW ? now - WINDOW : 0n)))
  )
  return since("0x0").pipe(
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
