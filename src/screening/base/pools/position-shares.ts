import type { Address, Hex } from "viem"
import { atLeastZero, max, min, sum } from "../../../domain/bigint.ts"
import { amountsBetween, rootAt } from "./ladder.ts"
import { type Edge, type SaleCurve, bandsOf, saleCurve } from "./sale-curve.ts"

/**
 * Whose a pool's liquidity is. Shares are 0 to 1, of the liquidity in range by the pool's own figure or of the pool's money,
 * whichever says less for the pool: close around the price next to no money is all the liquidity in range, and who takes
 * what lies beneath it ends the market as well.
 */
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
  /** Smallest units of the quote in all positions; null where not every one is known. What else the pool holds are fees. */
  readonly money: bigint | null
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
  /** Unix seconds before which its holder, a locker, lets nobody have it; absent where that could not be read. */
  readonly until?: bigint | undefined
}

/** A pool's state as far as positions need it. */
export interface PoolTick {
  readonly tick: number
  readonly sqrtPrice: bigint
  /** Liquidity in range. */
  readonly liquidity: bigint
}

/** What a pool may hold beside its positions, of either side. */
export interface Fees {
  /** Earned by a unit of liquidity since the pool began, in 2^-128 smallest units. */
  readonly growth: readonly [bigint, bigint]
  /** Smallest units that are the exchange's to fetch. */
  readonly beside: readonly [bigint, bigint]
}
export const NO_FEES: Fees = { growth: [0n, 0n], beside: [0n, 0n] }

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
  /** What the pool is credited with of the quote, in smallest units. */
  readonly quoteReserve: bigint
  readonly held: ReadonlyArray<HeldPosition>
  /** What events say was put in by positions that were not read. */
  readonly unread: ReadonlyArray<Stretch>
  /** The events name every position that ever was, as far as the node told of them. */
  readonly whole: boolean
  /** Null where the pool did not tell. */
  readonly fees: Fees | null
  readonly holdOf: (position: HeldPosition) => Hold
}

const Q96 = 2 ** 96

const edgesOf = ({ liquidity, tickLower, tickUpper }: Stretch): ReadonlyArray<Edge> => [
  { root: rootAt(tickLower), net: Number(liquidity) },
  { root: rootAt(tickUpper), net: -Number(liquidity) }
]

const toUnits = (amount: number): bigint =>
  Number.isFinite(amount) && amount > 0 ? BigInt(Math.floor(amount)) : 0n

/** Smallest units of either side in a stretch of liquidity at a price. */
const amountsIn = ({ liquidity, tickLower, tickUpper }: Stretch, root: number) =>
  amountsBetween(Number(liquidity), rootAt(tickLower), rootAt(tickUpper), root)

/** Smallest units of the token in a stretch of liquidity at a price, with what is owed beside it. */
const tokensIn = (stretch: Stretch, root: number, tokenIs0: boolean): bigint => {
  const side = tokenIs0 ? 0 : 1
  return stretch.owed[side] + toUnits(amountsIn(stretch, root)[side])
}

/** Smallest units of the quote in it; what is owed buys no seller anything. */
const moneyIn = (stretch: Stretch, root: number, tokenIs0: boolean): bigint =>
  toUnits(amountsIn(stretch, root)[tokenIs0 ? 1 : 0])

/** Of a pool's balance, for what is lost by rounding: a millionth, and of each of many swaps a smallest unit. */
const slackOf = (reserve: bigint): bigint => reserve / 1_000_000n + min(reserve / 100n, 10_000n)

/**
 * A pool holds no more of either side than its positions, and what liquidity can have earned since the pool began. A node
 * that is behind with its events, or leaves one out, tells of a list without saying what is missing.
 */
const isAccounted = (
  { fees, held, quoteReserve, tokenIs0, tokenReserve, unread }: PositionsOfPool,
  root: number
): boolean => {
  if (fees === null) return false
  const stretches = [...held, ...unread]
  const liquidity = sum(stretches.map((stretch) => stretch.liquidity))
  return ([0, 1] as const).every((side) => {
    const reserve = tokenIs0 === (side === 0) ? tokenReserve : quoteReserve
    const placed = sum(
      stretches.map((stretch) => toUnits(amountsIn(stretch, root)[side]) + stretch.owed[side])
    )
    const earned = ((liquidity * fees.growth[side]) >> 128n) + fees.beside[side]
    return reserve <= placed + earned + slackOf(reserve)
  })
}

const largestOf = (
  held: ReadonlyArray<HeldPosition>,
  amountOf: (position: HeldPosition) => bigint
): bigint => {
  const byHolder = new Map<Address, bigint>()
  for (const position of held)
    byHolder.set(position.holder, (byHolder.get(position.holder) ?? 0n) + amountOf(position))
  return [...byHolder.values()].reduce(max, 0n)
}

/** The share of `amount` in `whole`, at most 1; 1 where the whole is zero. */
const partOf = (amount: bigint, whole: bigint): number =>
  whole === 0n ? 1 : Math.min(1, Number((amount * 1_000_000n) / whole) / 1e6)

/** The shares of one measure: liquidity in range, or money. */
interface Measure {
  readonly whole: bigint
  readonly locked: bigint
  readonly free: bigint
  /** What the largest of the free owners has. */
  readonly largest: bigint
}

const sharesBy = ({ free, largest, locked, whole }: Measure) => ({
  locked: partOf(locked, whole),
  known: partOf(locked + free, whole),
  largestFree: whole === 0n ? 0 : partOf(largest + atLeastZero(whole - locked - free), whole)
})

/**
 * Adds up whose a pool's liquidity is. What is not accounted for counts against the pool everywhere: as somebody's who
 * can take it out, and never as locked.
 */
export const sharesOf = (pool: PositionsOfPool): PositionShares => {
  const { state, tokenIs0, held, unread, holdOf } = pool
  const root = Number(state.sqrtPrice) / Q96
  const whole = pool.whole && isAccounted(pool, root)
  const of = (hold: Hold) => held.filter((position) => holdOf(position) === hold)
  const tokensOf = (stretches: ReadonlyArray<Stretch>) =>
    sum(stretches.map((stretch) => tokensIn(stretch, root, tokenIs0)))
  const moneyOf = (stretch: Stretch) => moneyIn(stretch, root, tokenIs0)
  const liquidityOf = ({ liquidity, tickLower, tickUpper }: Stretch) =>
    tickLower <= state.tick && state.tick < tickUpper ? liquidity : 0n
  const [boxed, free, undated] = [of("locked"), of("free"), of("undated")]
  const locked = [...of("burned"), ...boxed]
  const fetchable = [...free, ...boxed.map((position) => ({ ...position, liquidity: 0n }))]
  const isExplained = whole && unread.length === 0 && sum(held.map(liquidityOf)) === state.liquidity
  const money = isExplained ? sum(held.map(moneyOf)) : null
  const measure = (all: bigint, amountOf: (stretch: Stretch) => bigint) =>
    sharesBy({
      whole: all,
      locked: sum(locked.map(amountOf)),
      free: sum(free.map(amountOf)),
      largest: largestOf(free, amountOf)
    })
  const [inRange, byMoney] = [
    measure(state.liquidity, liquidityOf),
    measure(money === null ? pool.quoteReserve : min(money, pool.quoteReserve), moneyOf)
  ]
  const freeTokens = largestOf(fetchable, (position) => tokensIn(position, root, tokenIs0))
  const named = tokensOf(unread) + tokensOf(undated)
  const unexplained = pool.tokenReserve - tokensOf([...locked, ...free])
  return {
    locked: state.liquidity === 0n ? 0 : Math.min(inRange.locked, byMoney.locked),
    known: state.liquidity === 0n ? 0 : Math.min(inRange.known, byMoney.known),
    largestFree: state.liquidity === 0n ? 1 : Math.max(inRange.largestFree, byMoney.largestFree),
    freeTokens,
    possibleTokens: freeTokens + (whole ? named : max(named, unexplained)),
    othersTokens: tokensOf(fetchable) - freeTokens,
    curve: isExplained ? saleCurve(bandsOf(held.flatMap(edgesOf)), root, tokenIs0) : null,
    money
  }
}
