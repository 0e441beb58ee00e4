/** What positions hold for a seller: the quote that is reached before the price has fallen to a quarter. */
import type { SolanaAddress } from "../../../../domain/address.ts"
import { evenly, FALLS, QUARTER } from "../../../even-depth.ts"
import { program } from "../../addresses.ts"
import type { AccountBook } from "../../reads/account-book.ts"
import { bytesOf } from "../../reads/bytes.ts"
import type { BinReserves, DecodedPool } from "../decoded-pool.ts"
import { Q64 } from "../layouts/price.ts"
import type { Bin } from "../reserves.ts"
import { binsOf, offersOf } from "../reserves.ts"
import type { RawPosition } from "./formats.ts"

/** A position with its part of the pool, in the same unit as the others'. */
export interface WeighedPosition {
  readonly position: RawPosition
  readonly weight: number
  /** The same where it is locked: what of it keeps a market, whoever takes away the rest. */
  readonly firm: number
  readonly lockedWeight: number
  /** Tokens in it, smallest units, where positions hold the two sides apart. */
  readonly tokens: number
}

export interface Weighed {
  /** The heaviest first; those that hold neither side are left out. */
  readonly positions: ReadonlyArray<WeighedPosition>
  /** Share of the pool's liquidity that no listed position accounts for. */
  readonly unseen: number
  /**
   * Each position has ranges of its own: who owns the bids says nothing of whose the offers above the price are.
   * Elsewhere every position holds the same parts of both sides.
   */
  readonly isApart: boolean
  /**
   * Quote within reach over all positions, smallest units: no more than a pool of two sides would hold that has as little
   * at the price. Null where positions weigh by liquidity.
   */
  readonly reachable: number | null
  /** The same of tokens that are offered. */
  readonly offered: number | null
}

export interface WeighedPool {
  readonly address: SolanaAddress
  readonly pool: DecodedPool
  readonly token: SolanaAddress
}

const sumOf = <A>(all: Iterable<A>, of: (one: A) => number): number => {
  let sum = 0
  for (const one of all) sum += of(one)
  return sum
}

const total = (positions: ReadonlyArray<WeighedPosition>): number =>
  sumOf(positions, ({ lockedWeight, weight }) => weight + lockedWeight)

const heaviestFirst = (positions: ReadonlyArray<WeighedPosition>): ReadonlyArray<WeighedPosition> =>
  positions
    .filter(({ lockedWeight, tokens, weight }) => weight + lockedWeight + tokens > 0)
    .toSorted((a, b) => b.weight + b.lockedWeight - (a.weight + a.lockedWeight) || b.tokens - a.tokens)

/** The part of `whole` that no position accounts for, 0 to 1; or of what positions add up to, where that is more than there is. */
const missingShare = (seen: number, whole: number): number =>
  whole > 0 && seen > 0 ? 1 - Math.min(seen, whole) / Math.max(seen, whole) : 1

/** Where a pool's account keeps its liquidity, its price and its first mint. */
const RANGE_OFFSETS = {
  "raydium-clmm": { liquidity: 237, sqrtPrice: 253, mintA: 73, tick: 269 },
  "orca-whirlpool": { liquidity: 49, sqrtPrice: 65, mintA: 101, tick: 81 }
} as const

const sqrtAt = (tick: number): number => 1.0001 ** (tick / 2)

/** What liquidity holds of the first or the second mint between two roots of the price; nothing where they cross. */
const amountBetween = (liquidity: number, from: number, to: number, ofFirst: boolean): number => {
  const amount = liquidity * (ofFirst ? 1 / from - 1 / to : to - from)
  return Number.isFinite(amount) ? Math.max(0, amount) : 0
}

/** Quote of a range of liquidity between the price and what it has fallen to, seen from the token. */
const quoteWithin =
  (liquidity: number, [lower, upper]: readonly [number, number], root: number, tokenIsA: boolean) =>
  (fall: number): number => {
    const [low, high] = [sqrtAt(lower), sqrtAt(upper)]
    const rooted = Math.sqrt(fall)
    return tokenIsA
      ? amountBetween(liquidity, Math.max(root / rooted, low), Math.min(root, high), false)
      : amountBetween(liquidity, Math.max(root, low), Math.min(root * rooted, high), true)
  }

/**
 * Tokens of a range of liquidity, all of which lie above the price, seen from the token.
 * @param reach how far the root of the price may rise
 */
const tokensOf = (
  liquidity: number,
  [lower, upper]: readonly [number, number],
  root: number,
  tokenIsA: boolean,
  reach = Infinity
): number => {
  const [low, high] = [sqrtAt(lower), sqrtAt(upper)]
  return tokenIsA
    ? amountBetween(liquidity, Math.max(root, low), Math.min(root * reach, high), true)
    : amountBetween(liquidity, Math.max(root / reach, low), Math.min(root, high), false)
}

/** Wider than any position can be. */
const EVERYWHERE = [-1_000_000, 1_000_000] as const

/**
 * Positions of a range pool weigh by the quote they would pay: a narrow one can have any liquidity for little money,
 * one far below the price holds money nobody reaches. What stands at the price must add up to the pool's own count; what is
 * missing there may stand on any range, and so counts as all the quote that it would hold on the widest.
 */
const weighRange = (
  kind: keyof typeof RANGE_OFFSETS,
  { address, token }: WeighedPool,
  raw: ReadonlyArray<RawPosition>,
  book: AccountBook
): Weighed | null => {
  const account = book.get(address)
  const at = RANGE_OFFSETS[kind]
  if (account == null || account.data.length < at.tick + 4) return null
  const bytes = bytesOf(account.data)
  const [root, tick] = [Number(bytes.u128(at.sqrtPrice)) / Q64, bytes.i32(at.tick)]
  const tokenIsA = bytes.address(at.mintA) === token
  const stands = ({ ticks }: RawPosition) => ticks !== null && ticks[0] <= tick && tick < ticks[1]
  const here = sumOf(raw.filter(stands), ({ free, locked }) => free + locked)
  const quoteOf = (liquidity: number, ticks: RawPosition["ticks"]) =>
    ticks === null ? () => 0 : quoteWithin(liquidity, ticks, root, tokenIsA)
  const positions = raw.map((position) => ({
    position,
    weight: quoteOf(position.free, position.ticks)(QUARTER),
    firm: evenly(quoteOf(position.free, position.ticks)),
    lockedWeight: 0,
    tokens: position.ticks === null ? 0 : tokensOf(position.free, position.ticks, root, tokenIsA)
  }))
  const counted = Number(bytes.u128(at.liquidity))
  const unlisted = quoteOf(Math.max(0, counted - here), EVERYWHERE)(QUARTER)
  const offered = sumOf(raw, ({ free, ticks }) =>
    ticks === null ? 0 : tokensOf(free, ticks, root, tokenIsA, Math.sqrt(QUARTER))
  )
  // Positions that are not listed hold the like of those that are.
  const ofAll = (amount: number): number | null =>
    here > 0 && counted > 0 ? (amount * counted) / here : null
  return {
    positions: heaviestFirst(positions),
    isApart: true,
    unseen: Math.max(
      missingShare(here, counted),
      missingShare(total(positions), total(positions) + unlisted)
    ),
    reachable: ofAll(evenly((fall) => sumOf(raw, ({ free, ticks }) => quoteOf(free, ticks)(fall)))),
    offered: ofAll(offered)
  }
}

type Bins = ReadonlyMap<number, Bin>

const byId = (bins: ReadonlyArray<Bin>): Bins => new Map(bins.map((bin) => [bin.id, bin]))

/** What a position has of these bins. */
const partIn = (among: Bins, { bins: own }: RawPosition, of: (bin: Bin) => number): number =>
  own === null
    ? 0
    : own.shares.reduce((sum, share, at) => {
        const bin = share > 0 ? among.get(own.lower + at) : undefined
        return bin === undefined || bin.supply <= 0 ? sum : sum + of(bin) * Math.min(1, share / bin.supply)
      }, 0)

const quoteIn = ({ quote }: Bin): number => quote
const tokensIn = ({ token }: Bin): number => token

/** Positions of a pair weigh by their part of each bin a seller reaches. */
const weighBins = (
  { address }: WeighedPool,
  reserves: BinReserves,
  raw: ReadonlyArray<RawPosition>,
  book: AccountBook
): Weighed | null => {
  const account = book.get(address)
  if (account == null || account.data.length < 82) return null
  const bytes = bytesOf(account.data)
  const bins = binsOf(reserves, bytes.i32(76), book)
  const beyond = offersOf(reserves, bytes.i32(76), book)
  if (bins === null || beyond === null) return null
  const isWithin = ({ id }: Bin, fall: number): boolean =>
    Math.abs(id - bytes.i32(76)) * Math.log(1 + bytes.u16(80) / 10_000) <= Math.log(fall)
  const withinFall = (fall: number): Bins => byId(bins.filter((bin) => isWithin(bin, fall)))
  const within = new Map(FALLS.map((fall) => [fall, withinFall(fall)] as const))
  const near = withinFall(QUARTER)
  const offers = [...bins, ...beyond]
  const offered = byId(offers)
  const positions = raw.map((position) => ({
    position,
    weight: partIn(near, position, quoteIn),
    firm: evenly((fall) => partIn(within.get(fall) ?? near, position, quoteIn)),
    lockedWeight: 0,
    tokens: partIn(offered, position, tokensIn)
  }))
  const whole = sumOf(near.values(), quoteIn)
  return {
    positions: heaviestFirst(positions),
    isApart: true,
    unseen: missingShare(total(positions), whole),
    reachable: evenly((fall) => sumOf((within.get(fall) ?? near).values(), quoteIn)),
    offered: sumOf(
      offers.filter((bin) => isWithin(bin, QUARTER)),
      tokensIn
    )
  }
}

/** Positions of DAMM v2 all stand on the pool's one range: they weigh by liquidity. */
const weighShares = (
  { address }: WeighedPool,
  raw: ReadonlyArray<RawPosition>,
  book: AccountBook
): Weighed | null => {
  const account = book.get(address)
  if (account == null || account.owner !== program.meteoraDammV2 || account.data.length < 376) return null
  const positions = raw.map((position) => ({
    position,
    weight: position.free,
    firm: position.free,
    lockedWeight: position.locked,
    tokens: 0
  }))
  return {
    positions: heaviestFirst(positions),
    isApart: false,
    unseen: missingShare(total(positions), Number(bytesOf(account.data).u128(360))),
    reachable: null,
    offered: null
  }
}

/** Each position's part in what a seller can reach; null where the accounts that tell were not read. */
export const weigh = (
  place: WeighedPool,
  raw: ReadonlyArray<RawPosition>,
  book: AccountBook
): Weighed | null => {
  const { kind, reserves } = place.pool
  switch (kind) {
    case "raydium-clmm":
    case "orca-whirlpool":
      return weighRange(kind, place, raw, book)
    case "meteora-damm-v2":
      return weighShares(place, raw, book)
    case "meteora-dlmm":
      return reserves.kind === "bins" ? weighBins(place, reserves, raw, book) : null
    default:
      return null
  }
}
