import type { Hex } from "viem"
import { pad, toEventSelector } from "viem"
import { TRANSFER } from "../../../chain/evm-events.ts"
import type { EvmLog } from "../../../chain/evm-logs.ts"
import { atLeastZero, sum } from "../../../domain/bigint.ts"
import { ZERO_ADDRESS } from "../addresses.ts"
import { wordAt } from "../reads/query.ts"
import { amountsBetween, rootAt } from "./ladder.ts"
import { isV2, type Pool } from "./pool.ts"
import { V4_INITIALIZE } from "./pool-birth.ts"

/** What a pool's events tell of those who bring liquidity, by the pool's kind. */
const V2_MINT = toEventSelector("event Mint(address indexed,uint256,uint256)")
const V2_BURNS = [
  "event Burn(address indexed,uint256,uint256,address indexed)",
  "event Burn(address indexed,address indexed,uint256,uint256)"
].map((event) => toEventSelector(event))
const V3_MINT = toEventSelector(
  "event Mint(address,address indexed,int24 indexed,int24 indexed,uint128,uint256,uint256)"
)
const V3_BURNS = [
  "event Burn(address indexed,int24 indexed,int24 indexed,uint128,uint256,uint256)",
  "event Burn(address indexed,int24 indexed,int24 indexed,uint128,uint256,uint256,uint24)"
].map((event) => toEventSelector(event))
const V3_COLLECT = toEventSelector(
  "event Collect(address indexed,address,int24 indexed,int24 indexed,uint128,uint128)"
)
const V4_MODIFY = toEventSelector(
  "event ModifyLiquidity(bytes32 indexed,address indexed,int24,int24,int256,bytes32)"
)
const V4_SWAP = toEventSelector(
  "event Swap(bytes32 indexed,address indexed,int128,int128,uint160,uint128,int24,uint24)"
)

/** Events that tell of liquidity, to be asked for with the swaps. */
export const PROVIDED = {
  v2: [V2_MINT, ...V2_BURNS],
  concentrated: [V3_MINT, ...V3_BURNS, V3_COLLECT],
  v4: [V4_MODIFY]
} as const

/** What one event says: liquidity brought or taken of a position, with so much of the token, or only tokens taken. */
interface Change {
  readonly position: string
  /** Below zero where it was taken; zero where only tokens were fetched. */
  readonly liquidity: bigint
  /** Smallest units of the token. */
  readonly tokens: bigint
  /** The tokens entered the pool or left it with this event: V3's leave it with the next. */
  readonly moved: bigint
}

/** What those who brought liquidity did to a pool, in smallest units of the token. */
export interface Provided {
  /** What they put in, less what they took out. */
  readonly left: bigint
  /** What they put in and took out as money: sold to whoever bought meanwhile. */
  readonly sold: bigint
  /** What they took out beyond what they had put in, for what they left of the other side. */
  readonly gained: bigint
  /** Blocks in which somebody put something in. */
  readonly broughtIn: ReadonlySet<bigint>
}

const sideOf = ({ quote, token }: Pool): 0 | 1 => (BigInt(token) < BigInt(quote) ? 0 : 1)

const NOBODY = pad(ZERO_ADDRESS)

/** LP tokens are made, or destroyed by the pool itself; what holders send one another is nothing of it. */
const isOfShares = ({ address }: Pool, { topics: [event, from, to] }: EvmLog): boolean =>
  event === TRANSFER && (from === NOBODY || (from === pad(address) && to === NOBODY))

/**
 * All of a V2-type pool is one position.
 * @param shares LP tokens that were made or destroyed for it: the pool tells of them right before
 */
const v2Change = (
  side: 0 | 1,
  { data, topics: [event] }: EvmLog,
  shares: bigint | undefined
): Change | undefined => {
  const tokens = wordAt(data, side)
  if (tokens === undefined || shares === undefined) return undefined
  return event === V2_MINT
    ? { position: "", liquidity: shares, tokens, moved: tokens }
    : { position: "", liquidity: -shares, tokens, moved: -tokens }
}

const v3Change = (side: 0 | 1, { data, topics }: EvmLog): Change | undefined => {
  const [event, ...position] = topics
  const isMint = event === V3_MINT
  const tokens = wordAt(data, side + (isMint ? 2 : 1))
  const liquidity = event === V3_COLLECT ? 0n : wordAt(data, isMint ? 1 : 0)
  if (tokens === undefined || liquidity === undefined) return undefined
  const moved = isMint ? tokens : event === V3_COLLECT ? -tokens : 0n
  return { position: position.join("/"), liquidity: isMint ? liquidity : -liquidity, tokens, moved }
}

const tickOf = (word: bigint): number => Number(BigInt.asIntN(24, word))

/** V4 tells no amounts: they follow from the price at which liquidity was brought or taken. */
const v4Change = (side: 0 | 1, { data, topics }: EvmLog, root: number): Change | undefined => {
  const [lower, upper, delta, salt] = [0, 1, 2, 3].map((index) => wordAt(data, index))
  if (lower === undefined || upper === undefined || delta === undefined || salt === undefined)
    return undefined
  const liquidity = BigInt.asIntN(256, delta)
  const size = Math.abs(Number(liquidity))
  const amount = amountsBetween(size, rootAt(tickOf(lower)), rootAt(tickOf(upper)), root)[side]
  if (!Number.isFinite(amount)) return undefined
  const tokens = BigInt(Math.floor(amount))
  const position = [topics[2], lower, upper, salt].join("/")
  return { position, liquidity, tokens, moved: liquidity > 0n ? tokens : -tokens }
}

const Q96 = 2 ** 96

/** The root of a V4 pool's price after an event that tells it. */
const rootAfter = ({ data, topics: [event] }: EvmLog): number | undefined => {
  if (event !== V4_INITIALIZE && event !== V4_SWAP) return undefined
  const word = wordAt(data, event === V4_INITIALIZE ? 3 : 2)
  return word === undefined ? undefined : Number(word) / Q96
}

type Told = Change & Pick<EvmLog, "blockNumber">

/** The changes in order; undefined where an event does not say what it should. */
const changesOf = (pool: Pool, logs: ReadonlyArray<EvmLog>): ReadonlyArray<Told> | undefined => {
  const side = sideOf(pool)
  const events: ReadonlyArray<Hex> =
    pool.v4 !== undefined ? PROVIDED.v4 : isV2(pool) ? PROVIDED.v2 : PROVIDED.concentrated
  const changes: Array<Told> = []
  let root = Number.NaN
  let shares: bigint | undefined
  for (const log of logs) {
    if (isV2(pool) && isOfShares(pool, log)) shares = wordAt(log.data, 0)
    root = pool.v4 === undefined ? root : (rootAfter(log) ?? root)
    if (log.topics[0] === undefined || !events.includes(log.topics[0])) continue
    const change =
      pool.v4 !== undefined
        ? v4Change(side, log, root)
        : isV2(pool)
          ? v2Change(side, log, shares)
          : v3Change(side, log)
    if (change === undefined) return undefined
    changes.push({ ...change, blockNumber: log.blockNumber })
    // Each event has LP tokens of its own: those of the one before say nothing of the next.
    shares = undefined
  }
  return changes
}

/** What one position brought, in all and in tokens, and the same of what it took. */
interface Position {
  readonly put: bigint
  readonly putTokens: bigint
  readonly taken: bigint
  readonly takenTokens: bigint
}

const NEW: Position = { put: 0n, putTokens: 0n, taken: 0n, takenTokens: 0n }

const after = (position: Position, { liquidity, tokens }: Change): Position =>
  liquidity > 0n
    ? { ...position, put: position.put + liquidity, putTokens: position.putTokens + tokens }
    : { ...position, taken: position.taken - liquidity, takenTokens: position.takenTokens + tokens }

/** Of what was brought as much as was taken, in tokens, less the tokens that came out with it. */
const soldThrough = ({ put, putTokens, taken, takenTokens }: Position): bigint =>
  put === 0n ? 0n : atLeastZero((putTokens * taken) / put - takenTokens)

/** In tokens what was taken, beyond as much of what was brought as was taken of the position. */
const gainedThrough = ({ put, putTokens, taken, takenTokens }: Position): bigint =>
  put === 0n ? takenTokens : atLeastZero(takenTokens - (putTokens * taken) / put)

/**
 * What liquidity brought into a pool and took out of it, from all its events in order; undefined where they do not tell.
 * Whoever puts tokens just above the price, buys them from himself and takes out what he paid has bought nothing.
 */
export const providedTo = (pool: Pool, logs: ReadonlyArray<EvmLog>): Provided | undefined => {
  const changes = changesOf(pool, logs)
  if (changes === undefined) return undefined
  const positions = new Map<string, Position>()
  for (const change of changes)
    if (change.liquidity !== 0n)
      positions.set(change.position, after(positions.get(change.position) ?? NEW, change))
  // A V2 pool makes LP tokens for its own fees without a word; of any other position nobody takes what was never put.
  if (!isV2(pool) && [...positions.values()].some(({ put, taken }) => taken > put)) return undefined
  return {
    left: sum(changes.map(({ moved }) => moved)),
    sold: sum([...positions.values()].map(soldThrough)),
    gained: sum([...positions.values()].map(gainedThrough)),
    broughtIn: new Set(changes.flatMap(({ blockNumber, liquidity }) => (liquidity > 0n ? [blockNumber] : [])))
  }
}
