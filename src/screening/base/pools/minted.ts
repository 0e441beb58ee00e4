import { Effect } from "effect"
import type { Address, Hex } from "viem"
import { numberToHex } from "viem"
import type { BaseRpc } from "../../../chain/chain-rpc.ts"
import { readLogRange } from "../../../chain/evm-log-ranges.ts"
import type { EvmLog } from "../../../chain/evm-logs.ts"
import { lower } from "../addresses.ts"
import type { Range } from "../reads/log-windows.ts"
import { launchAndNow } from "../reads/log-windows.ts"
import { wordAt } from "../reads/query.ts"
import { V4 } from "./factories.ts"
import { V3_INITIALIZE, V4_INITIALIZE } from "./pool-birth.ts"
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

const NO_MINTS: Mints = { positions: [], whole: new Set() }

/** `Mint(address, address indexed, int24 indexed, int24 indexed, uint128, uint256, uint256)`. */
const V3_MINT: Hex = "0x7a53080ba414158be7ec69b987b5fb7d07dee101fe85488f0853ae16239d0bde"
/** `ModifyLiquidity(PoolId indexed, address indexed, int24, int24, int256, bytes32)` of the PoolManager. */
const V4_MODIFY: Hex = "0xf208f4912782fd25c7f114ca3723a2d5dd6f3bcc3ac8db5af63baa85f711d5ec"

/** Pools of one kind whose events are asked for. Strangers can open any number: one more costs a word in one request. */
const MAX_POOLS = 60
/** Events of one kind beyond these are a market of strangers. */
const MAX_LOGS = 4_000
const TIMEOUT = "3 seconds"

/** A pool that began, a position that grew, one that shrank; or what no such pool tells, so that something was left out. */
type Event = { readonly initialized: Hex } | { readonly minted: Minted } | "shrank" | "unclear"

const tickOf = (word: bigint): number => Number(BigInt.asIntN(24, word))
const accountIn = (word: Hex): Address => lower(`0x${word.slice(26)}`)

const v3Event = ({ address, topics, data, transactionHash }: EvmLog): Event => {
  const [event, owner, tickLower, tickUpper] = topics
  if (event === V3_INITIALIZE) return { initialized: address }
  const added = wordAt(data, 1)
  if (owner === undefined || tickLower === undefined || tickUpper === undefined || added === undefined)
    return "unclear"
  return {
    minted: {
      pool: address,
      owner: accountIn(owner),
      tickLower: tickOf(BigInt(tickLower)),
      tickUpper: tickOf(BigInt(tickUpper)),
      salt: null,
      transaction: transactionHash,
      added
    }
  }
}

const v4Event = ({ topics, data, transactionHash }: EvmLog): Event => {
  const [event, pool, sender] = topics
  if (pool === undefined) return "unclear"
  if (event === V4_INITIALIZE) return { initialized: pool }
  const [tickLower, tickUpper, delta, salt] = [0, 1, 2, 3].map((index) => wordAt(data, index))
  if (sender === undefined || tickLower === undefined || tickUpper === undefined) return "unclear"
  if (delta === undefined || salt === undefined) return "unclear"
  const added = BigInt.asIntN(256, delta)
  if (added <= 0n) return "shrank"
  return {
    minted: {
      pool,
      owner: accountIn(sender),
      tickLower: tickOf(tickLower),
      tickUpper: tickOf(tickUpper),
      salt: numberToHex(salt, { size: 32 }),
      transaction: transactionHash,
      added
    }
  }
}

interface Filter {
  readonly address: Address | ReadonlyArray<Address>
  readonly topics: ReadonlyArray<ReadonlyArray<Hex>>
}

const logsOf = (rpc: BaseRpc, filter: Filter, range: Range) =>
  readLogRange(rpc, { ...filter, ...range }, MAX_LOGS)

/** All events of the range, or those of the launch and of now where no node serves more. */
const eventsOf = (
  rpc: BaseRpc,
  filter: Filter,
  range: Range,
  launch: bigint,
  understand: (log: EvmLog) => Event
): Effect.Effect<Mints> => {
  const parts = Effect.forEach(launchAndNow(range, launch), (part) => logsOf(rpc, filter, part), {
    concurrency: 2
  }).pipe(Effect.map((found) => ({ logs: found.flat(), gapless: false })))
  return logsOf(rpc, filter, range).pipe(
    Effect.map((logs) => ({ logs, gapless: logs.length <= MAX_LOGS })),
    Effect.orElse(() => parts),
    Effect.map(({ logs, gapless }): Mints => {
      const events = logs.slice(0, MAX_LOGS).map(understand)
      const isWhole = gapless && !events.includes("unclear")
      return {
        positions: events.flatMap((event) =>
          typeof event === "object" && "minted" in event ? [event.minted] : []
        ),
        whole: new Set(
          isWhole
            ? events.flatMap((event) =>
                typeof event === "object" && "initialized" in event ? [event.initialized] : []
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
