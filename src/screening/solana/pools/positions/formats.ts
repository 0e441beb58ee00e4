/** Position accounts of concentrated pools, as their programs' SDKs lay them out. */
import type { SolanaAddress } from "../../../../domain/address.ts"
import { program } from "../../addresses.ts"
import type { Bytes } from "../../reads/bytes.ts"
import { bytesOf, startsWith } from "../../reads/bytes.ts"
import type { PoolKind } from "../decoded-pool.ts"
import { anchorType } from "../layouts/shared.ts"

export interface Slice {
  readonly offset: number
  readonly length: number
}

/** How the positions of a pool are found among its program's accounts, and which bytes of each are read, in order. */
export interface PositionQuery {
  readonly program: SolanaAddress
  /** Length of the account; undefined where positions differ in length. */
  readonly size: number | undefined
  readonly offset: number
  /** The first begins with what names the account's type. */
  readonly slices: ReadonlyArray<Slice>
}

/** Liquidity that a schedule gives back step by step. Times in the pool's own unit. */
export interface Schedule {
  readonly cliff: bigint
  readonly frequency: bigint
  readonly atCliff: number
  readonly perPeriod: number
  readonly periods: number
  readonly released: number
}

/** One position: the mint of its token, or its owner where it names one, and what it holds in its pool's own terms. */
export interface RawPosition {
  readonly address: SolanaAddress
  readonly mint: SolanaAddress | null
  readonly owner: SolanaAddress | null
  /** Who may withdraw it beside its owner. */
  readonly operator: SolanaAddress | null
  /** Whoever is named as the delegate of its token may withdraw it too, even where it is for none of the token. */
  readonly isDelegatesToo: boolean
  /** Liquidity its owner can withdraw, now or after a schedule. */
  readonly free: number
  /** What of it the position says is held back. The schedules that say until when may lie in accounts of their own. */
  readonly heldBack: number
  /** Liquidity locked for good. */
  readonly locked: number
  /** The schedule that stands in the position itself. */
  readonly schedule: Schedule | null
  /** The point before which nothing can be withdrawn, in the pool's own unit; null where a position has none. */
  readonly releaseAt: bigint | null
  readonly ticks: readonly [lower: number, upper: number] | null
  readonly bins: { readonly lower: number; readonly shares: ReadonlyArray<number> } | null
}

interface Format {
  /**
   * What the program calls its positions: whoever could fill another of its accounts might write positions of his own
   * beside the real ones.
   */
  readonly type: ReadonlyArray<number>
  readonly query: PositionQuery
  readonly read: (bytes: Bytes, address: SolanaAddress) => RawPosition | null
}

const POSITION = anchorType("Position")

const nothing = {
  owner: null,
  operator: null,
  isDelegatesToo: false,
  heldBack: 0,
  locked: 0,
  schedule: null,
  releaseAt: null,
  ticks: null,
  bins: null
} as const

const DLMM_BINS = 70
const DLMM_HEAD = 1192
/** From here: the lowest bin, and after eighty bytes the point before which nothing can be withdrawn. */
const DLMM_TAIL = 7912
const DLMM_RELEASE = DLMM_HEAD + 80
const DLMM_OPERATOR = DLMM_HEAD + 48

/** A position of more than seventy bins keeps the rest behind everything else: those count as unseen. */
const dlmm: Format = {
  type: anchorType("PositionV2"),
  query: {
    program: program.meteoraDlmm,
    size: undefined,
    offset: 8,
    slices: [
      { offset: 0, length: DLMM_HEAD },
      { offset: DLMM_TAIL, length: 88 }
    ]
  },
  read: (bytes, address) => {
    const shares = Array.from({ length: DLMM_BINS }, (_, bin) => Number(bytes.u128(72 + bin * 16)))
    return {
      ...nothing,
      address,
      mint: null,
      owner: bytes.address(40),
      operator: bytes.optionalAddress(DLMM_OPERATOR),
      free: shares.reduce((sum, share) => sum + share, 0),
      releaseAt: bytes.u64(DLMM_RELEASE),
      bins: { lower: bytes.i32(DLMM_HEAD), shares }
    }
  }
}

/** Source: cp-amm `InnerVesting`. */
const scheduleAt = (bytes: Bytes, offset: number): Schedule => ({
  cliff: bytes.u64(offset),
  frequency: bytes.u64(offset + 8),
  atCliff: Number(bytes.u128(offset + 16)),
  perPeriod: Number(bytes.u128(offset + 32)),
  released: Number(bytes.u128(offset + 48)),
  periods: bytes.u16(offset + 64)
})

const total = ({ atCliff, perPeriod, periods }: Schedule): number => atCliff + perPeriod * periods

/** What a schedule has not given back yet. */
export const remaining = (schedule: Schedule): number => Math.max(0, total(schedule) - schedule.released)

/** What a schedule will not have given back at a point in time. */
export const keptAt = (schedule: Schedule, point: number): number => {
  const sinceCliff = point - Number(schedule.cliff)
  if (sinceCliff < 0) return remaining(schedule)
  const frequency = Number(schedule.frequency)
  const passed = frequency > 0 ? Math.floor(sinceCliff / frequency) : schedule.periods
  const due = schedule.atCliff + schedule.perPeriod * Math.min(schedule.periods, passed)
  return Math.max(0, total(schedule) - Math.max(due, schedule.released))
}

/**
 * What a DAMM v2 position's delegate may do without emptying it: add, collect its fees and rewards, lock it, a bit each. All
 * else withdraws it, to anybody or to its owner, or is newer than this code. Source: cp-amm `PositionDelegatePermission`.
 */
const HARMLESS = 0b1111_1001
const DAMM_PERMISSIONS = 392

const dammV2: Format = {
  type: POSITION,
  query: {
    program: program.meteoraDammV2,
    size: 408,
    offset: 8,
    slices: [{ offset: 0, length: 408 }]
  },
  read: (bytes, address) => {
    const schedule = scheduleAt(bytes, 312)
    const heldBack = Number(bytes.u128(168))
    return {
      ...nothing,
      address,
      mint: bytes.address(40),
      isDelegatesToo: (bytes.u32(DAMM_PERMISSIONS) & ~HARMLESS) !== 0,
      free: Number(bytes.u128(152)) + heldBack,
      heldBack,
      locked: Number(bytes.u128(184)),
      schedule: total(schedule) > 0 ? schedule : null
    }
  }
}

const VESTING = anchorType("Vesting")

/** A schedule of a DAMM v2 position in an account of its own, found by the position it names. Source: cp-amm `Vesting`. */
export const vestingQuery = {
  program: program.meteoraDammV2,
  offset: 8,
  slice: { offset: 0, length: 106 }
} as const

/** The schedule of a position; null for every other account of the program. */
export const readVesting = (data: Uint8Array, position: SolanaAddress): Schedule | null => {
  if (data.length < vestingQuery.slice.length || !startsWith(data, VESTING)) return null
  const bytes = bytesOf(data)
  return bytes.address(8) === position ? scheduleAt(bytes, 40) : null
}

/** A position between two ticks, of which one slice is read: the mint of its token and the rest stand at these offsets. */
const ticked = (
  type: Format["type"],
  query: PositionQuery,
  at: Readonly<Record<"mint" | "liquidity" | "lower" | "upper", number>>
): Format => ({
  type,
  query,
  read: (bytes, address) => ({
    ...nothing,
    address,
    mint: bytes.address(at.mint),
    free: Number(bytes.u128(at.liquidity)),
    ticks: [bytes.i32(at.lower), bytes.i32(at.upper)]
  })
})

const clmm = ticked(
  anchorType("PersonalPositionState"),
  { program: program.raydiumClmm, size: 281, offset: 41, slices: [{ offset: 0, length: 97 }] },
  { mint: 9, liquidity: 81, lower: 73, upper: 77 }
)

const whirlpool = ticked(
  POSITION,
  { program: program.orcaWhirlpool, size: 216, offset: 8, slices: [{ offset: 0, length: 96 }] },
  { mint: 40, liquidity: 72, lower: 88, upper: 92 }
)

const FORMATS: Partial<Record<PoolKind, Format>> = {
  "meteora-dlmm": dlmm,
  "meteora-damm-v2": dammV2,
  "raydium-clmm": clmm,
  "orca-whirlpool": whirlpool
}

export const positionQuery = (kind: PoolKind): PositionQuery | null => FORMATS[kind]?.query ?? null

type Found = ReadonlyArray<{ readonly address: SolanaAddress; readonly data: Uint8Array }>

/** The positions in a node's answers, one answer for each slice of the query. Those that hold nothing are left out. */
export const readPositions = (kind: PoolKind, answers: ReadonlyArray<Found>): ReadonlyArray<RawPosition> => {
  const format = FORMATS[kind]
  const [first = [], ...others] = answers
  if (format === undefined || answers.length !== format.query.slices.length) return []
  const rest = others.map((found) => new Map(found.map(({ address, data }) => [address, data])))
  return first.flatMap(({ address, data }) => {
    const parts = [data, ...rest.map((byAddress) => byAddress.get(address) ?? new Uint8Array())]
    const isWhole = format.query.slices.every(({ length }, index) => parts[index]?.length === length)
    if (!isWhole || !startsWith(data, format.type)) return []
    const position = format.read(bytesOf(Buffer.concat(parts)), address)
    return position === null || position.free + position.locked <= 0 ? [] : [position]
  })
}
