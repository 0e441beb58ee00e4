import { Effect } from "effect"
import type { Address, Hex } from "viem"
import { numberToHex, pad } from "viem"
import type { BaseRpc } from "../../../chain/chain-rpc.ts"
import { lower } from "../addresses.ts"
import type { Range } from "../reads/log-windows.ts"
import { launchAndNow } from "../reads/log-windows.ts"
import { wordAt } from "../reads/query.ts"
import { V4 } from "./factories.ts"
import type { PoolCandidate } from "./pool-search.ts"

/** One position as the events of concentrated pools name it. */
export interface Minted {
  /** The pool's contract, or its id in V4. */
  readonly pool: Hex
  readonly owner: Address
  readonly tickLower: number
  readonly tickUpper: number
  /** V4 only; for the PositionManager's positions the number of their NFT. */
  readonly salt: Hex | null
  readonly transaction: Hex
  /** What this event added; what was taken out since is not in it. */
  readonly added: bigint
}

/** What the pools' own events say about their positions. */
export interface Mints {
  readonly positions: ReadonlyArray<Minted>
  /**
   * Pools whose events were seen from the first one, `Initialize`, to the newest, without a gap: nobody else ever put
   * liquidity into them. Of any other pool the events say nothing about who is missing.
   */
  readonly whole: ReadonlySet<Hex>
}

export const NO_MINTS: Mints = { positions: [], whole: new Set() }

/** `Mint(address, address indexed, int24 indexed, int24 indexed, uint128, uint256, uint256)` and V3's `Initialize`. */
const V3_MINT: Hex = "0x7a53080ba414158be7ec69b987b5fb7d07dee101fe85488f0853ae16239d0bde"
const V3_INITIALIZE: Hex = "0x98636036cb66a9c19a37435efc1e90142190214e8abeb821bdba3f2990dd4c95"
/** `ModifyLiquidity(PoolId indexed, address indexed, int24, int24, int256, bytes32)` and `Initialize` of the PoolManager. */
const V4_MODIFY: Hex = "0xf208f4912782fd25c7f114ca3723a2d5dd6f3bcc3ac8db5af63baa85f711d5ec"
const V4_INITIALIZE: Hex = "0xdd466e674ea557f56295e2d0218a125ea4b4f0f6f3307b95f85e6110838d6438"

/** Pools of one kind whose events are asked for. Strangers can open any number: one more costs a word in one request. */
const MAX_POOLS = 60
/** Events of one kind beyond these are a market of strangers. */
const MAX_LOGS = 4_000
const TIMEOUT = "3 seconds"

interface Log {
  readonly address: Address
  readonly topics: ReadonlyArray<Hex>
  readonly data: Hex
  readonly transactionHash: Hex | null
}

/** A pool that began, a position that grew; everything else is nothing to us. */
type Event = { readonly initialized: Hex } | { readonly minted: Minted } | undefined

const tickOf = (word: bigint | undefined): number => Number(BigInt.asIntN(24, word ?? 0n))
const accountIn = (word: Hex): Address => lower(`0x${word.slice(26)}`)

const v3Event = ({ address, topics, data, transactionHash }: Log): Event => {
  const [event, owner, tickLower, tickUpper] = topics
  const pool = lower(address)
  if (event === V3_INITIALIZE) return { initialized: pool }
  const added = wordAt(data, 1)
  if (owner === undefined || tickLower === undefined || tickUpper === undefined || added === undefined)
    return undefined
  return {
    minted: {
      pool,
      owner: accountIn(owner),
      tickLower: tickOf(BigInt(tickLower)),
      tickUpper: tickOf(BigInt(tickUpper)),
      salt: null,
      transaction: transactionHash ?? pad("0x"),
      added
    }
  }
}

const v4Event = ({ topics, data, transactionHash }: Log): Event => {
  const [event, pool, sender] = topics
  if (pool === undefined) return undefined
  if (event === V4_INITIALIZE) return { initialized: pool }
  const [delta, salt] = [wordAt(data, 2), wordAt(data, 3)]
  if (sender === undefined || delta === undefined || salt === undefined) return undefined
  const added = BigInt.asIntN(256, delta)
  if (added <= 0n) return undefined
  return {
    minted: {
      pool,
      owner: accountIn(sender),
      tickLower: tickOf(wordAt(data, 0)),
      tickUpper: tickOf(wordAt(data, 1)),
      salt: numberToHex(salt, { size: 32 }),
      transaction: transactionHash ?? pad("0x"),
      added
    }
  }
}

interface Filter {
  readonly address: Address | ReadonlyArray<Address>
  readonly topics: ReadonlyArray<ReadonlyArray<Hex>>
}

const logsOf = (rpc: BaseRpc, { address, topics }: Filter, { fromBlock, toBlock }: Range) =>
  Effect.tryPromise((): Promise<ReadonlyArray<Log>> =>
    rpc.client.request({
      method: "eth_getLogs",
      params: [
        {
          address: typeof address === "string" ? address : [...address],
          topics: topics.map((topic) => [...topic]),
          fromBlock: numberToHex(fromBlock),
          toBlock: numberToHex(toBlock)
        }
      ]
    })
  )

/** All events of the range, or those of the launch and of now where the node serves no more at once. */
const eventsOf = (
  rpc: BaseRpc,
  filter: Filter,
  range: Range,
  launch: bigint,
  understand: (log: Log) => Event
): Effect.Effect<Mints> => {
  const parts = Effect.forEach(launchAndNow(range, launch), (part) => logsOf(rpc, filter, part), {
    concurrency: 2
  }).pipe(Effect.map((found) => ({ logs: found.flat(), gapless: false })))
  return logsOf(rpc, filter, range).pipe(
    Effect.map((logs) => ({ logs, gapless: logs.length <= MAX_LOGS })),
    Effect.orElse(() => parts),
    Effect.map(({ logs, gapless }): Mints => {
      const events = logs.slice(0, MAX_LOGS).map(understand)
      return {
        positions: events.flatMap((event) =>
          event !== undefined && "minted" in event ? [event.minted] : []
        ),
        whole: new Set(
          gapless
            ? events.flatMap((event) =>
                event !== undefined && "initialized" in event ? [event.initialized] : []
              )
            : []
        )
      }
    }),
    Effect.timeout(TIMEOUT),
    Effect.catchAll(() => Effect.succeed(NO_MINTS))
  )
}

/**
 * Second wave: positions ever opened in these pools, as far back as the node serves. Never fails: where nothing could be
 * read no pool is `whole`, and whatever is concluded must treat the rest of its liquidity as somebody's.
 * @param launch block around which the first pool was created, for nodes that serve no more than a window
 */
export const readMints = (
  rpc: BaseRpc,
  pools: ReadonlyArray<PoolCandidate>,
  range: Range,
  launch: bigint
): Effect.Effect<Mints> => {
  const concentrated = pools
    .filter(({ kind }) => kind === "v3" || kind === "slipstream")
    .map(({ address }) => address)
    .slice(0, MAX_POOLS)
  const ids = pools.flatMap(({ v4 }) => (v4 === undefined ? [] : [v4.poolId])).slice(0, MAX_POOLS)
  const v3 = { address: concentrated, topics: [[V3_MINT, V3_INITIALIZE]] }
  const v4 = { address: V4.poolManager, topics: [[V4_MODIFY, V4_INITIALIZE], ids] }
  return Effect.all(
    [
      concentrated.length === 0 ? Effect.succeed(NO_MINTS) : eventsOf(rpc, v3, range, launch, v3Event),
      ids.length === 0 ? Effect.succeed(NO_MINTS) : eventsOf(rpc, v4, range, launch, v4Event)
    ],
    { concurrency: 2 }
  ).pipe(
    Effect.map(([first, second]) => ({
      positions: [...first.positions, ...second.positions],
      whole: new Set([...first.whole, ...second.whole])
    }))
  )
}
