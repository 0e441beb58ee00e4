import type { Address, Hex } from "viem"
import { bigger } from "../../../domain/bigger.ts"
import { amountsBetween, rootAt } from "./ladder.ts"
import { type Edge, type SaleCurve, bandsOf, saleCurve } from "./sale-curve.ts"

/** Whose a pool's liquidity is. Shares are 0 to 1 of the liquidity in range, by the pool's own figure. */
export interface PositionShares {
  /** Proven to be out of everybody's reach. */
  readonly locked: number
  /** Whose owner is known, locked or not; the rest is nobody's we know. */
  readonly known: number
  /** The most that one owner could take out, if all that is not known were the largest one's too. */
  readonly largestFree: number
  /** Smallest units of the token that the largest owner we know could take out and sell, in range or parked beside it. */
  readonly freeTokens: bigint
  /** The same, if all that is not known were one holder's. */
  readonly possibleTokens: bigint
  /** What all the other owners we know could. */
  readonly othersTokens: bigint
  /** What sellers meet; null where not every position is known. */
  readonly curve: SaleCurve | null
}

/** What was taken out of a position and not fetched yet: smallest units of either side of its pool. */
export type Owed = readonly [owed0: bigint, owed1: bigint]
export const NOTHING_OWED: Owed = [0n, 0n]

/** Liquidity between two ticks, and what is owed beside it. */
export interface Stretch {
  readonly liquidity: bigint
  readonly owed: Owed
  readonly tickLower: number
  readonly tickUpper: number
}

/** A position as it stands now, with who can act on it: its owner, or the holder of its NFT. */
export interface HeldPosition extends Stretch {
  readonly pool: Hex
  readonly holder: Address
  /** An NFT stands for it: whoever its holder ever approved can act, too. */
  readonly nft: boolean
}

/** A pool's state as far as positions need it. */
export interface PoolTick {
  readonly tick: number
  readonly sqrtPrice: bigint
  /** Liquidity in range. */
  readonly liquidity: bigint
}

/**
 * What can be done with a position. `burned`: nothing. `locked`: its liquidity stays, and what it is owed can be fetched.
 * `undated`: a locker that lets them go some day, we cannot read when.
 */
export type Hold = "burned" | "locked" | "free" | "undated"

export interface PositionsOfPool {
  readonly state: PoolTick
  readonly tokenIs0: boolean
  /** Everything of the token that stands in the pool, in smallest units. */
  readonly tokenReserve: bigint
  readonly held: ReadonlyArray<HeldPosition>
  /** What events say was put in by positions that were not read. */
  readonly unread: ReadonlyArray<Stretch>
  /** The events name every position that ever was. */
  readonly whole: boolean
  readonly holdOf: (position: HeldPosition) => Hold
}

const Q96 = 2 ** 96

const edgesOf = ({ liquidity, tickLower, tickUpper }: Stretch): ReadonlyArray<Edge> => [
  { root: rootAt(tickLower), net: Number(liquidity) },
  { root: rootAt(tickUpper), net: -Number(liquidity) }
]

/** Smallest units of the token in a stretch of liquidity at a price, with what is owed beside it. */
const tokensIn = (
  { liquidity, owed: [owed0, owed1], tickLower, tickUpper }: Stretch,
  root: number,
  tokenIs0: boolean
): bigint => {
  const [zero, one] = amountsBetween(Number(liquidity), rootAt(tickLower), rootAt(tickUpper), root)
  const [amount, owed] = tokenIs0 ? [zero, owed0] : [one, owed1]
  return owed + (Number.isFinite(amount) && amount > 0 ? BigInt(Math.floor(amount)) : 0n)
}

const sum = (amounts: ReadonlyArray<bigint>): bigint => amounts.reduce((total, amount) => total + amount, 0n)

const largestOf = (
  held: ReadonlyArray<HeldPosition>,
  amountOf: (position: HeldPosition) => bigint
): bigint => {
  const byHolder = new Map<Address, bigint>()
  for (const position of held)
    byHolder.set(position.holder, (byHolder.get(position.holder) ?? 0n) + amountOf(position))
  return [...byHolder.values()].reduce(bigger, 0n)
}

/**
 * Adds up whose a pool's liquidity is. What is not accounted for counts against the pool everywhere: as somebody's who
 * can take it out, and never as locked.
 */
export const sharesOf = (pool: PositionsOfPool): PositionShares => {
  const { state, tokenIs0, held, unread, whole, holdOf } = pool
  const root = Number(state.sqrtPrice) / Q96
  const share = (amount: bigint) =>
    state.liquidity === 0n ? 0 : Math.min(1, Number((amount * 1_000_000n) / state.liquidity) / 1e6)
  const of = (hold: Hold) => held.filter((position) => holdOf(position) === hold)
  const inRange = (positions: ReadonlyArray<HeldPosition>) =>
    positions.filter(({ tickLower, tickUpper }) => tickLower <= state.tick && state.tick < tickUpper)
  const liquidityIn = (positions: ReadonlyArray<HeldPosition>) =>
    sum(inRange(positions).map(({ liquidity }) => liquidity))
  const tokensOf = (stretches: ReadonlyArray<Stretch>) =>
    sum(stretches.map((stretch) => tokensIn(stretch, root, tokenIs0)))
  const [boxed, free, undated] = [of("locked"), of("free"), of("undated")]
  const locked = [...of("burned"), ...boxed]
  const fetchable = [...free, ...boxed.map((position) => ({ ...position, liquidity: 0n }))]
  const known = liquidityIn([...locked, ...free])
  const unknown = bigger(0n, state.liquidity - known)
  const largest = largestOf(inRange(free), ({ liquidity }) => liquidity)
  const freeTokens = largestOf(fetchable, (position) => tokensIn(position, root, tokenIs0))
  const named = tokensOf(unread) + tokensOf(undated)
  const unexplained = pool.tokenReserve - tokensOf([...locked, ...free])
  return {
    locked: share(liquidityIn(locked)),
    known: share(known),
    largestFree: state.liquidity === 0n ? 1 : share(largest + unknown),
    freeTokens,
    possibleTokens: freeTokens + (whole ? named : bigger(named, unexplained)),
    othersTokens: tokensOf(fetchable) - freeTokens,
    curve:
      whole && unread.length === 0 && liquidityIn(held) === state.liquidity
        ? saleCurve(bandsOf(held.flatMap(edgesOf)), root, tokenIs0)
        : null
  }
}
