/** Fees that grow with how far the price has moved lately: Meteora's DLMM, Orca's adaptive and Raydium's CLMM pools count alike. */
import type { Bytes } from "../../reads/bytes.ts"
import type { FeeSchedule } from "../decoded-pool.ts"

/** All of these programs refuse more. */
const MOST_FEE = 0.1
const WHOLE = 10_000

/** How a pool counts movement, and how much it has counted so far. Periods in seconds. */
export interface Movement {
  readonly filter: number
  readonly decay: number
  /** What of the movement stays after the filter's period, in ten thousandths. */
  readonly reduction: number
  readonly most: number
  readonly last: number
  /** The movement that the last trade left, and what it counted from. */
  readonly accumulated: number
  readonly reference: number
  /** Steps between the price the movement is counted from and today's. */
  readonly steps: number
}

export interface MovingFee {
  readonly fee: FeeSchedule
  readonly peakFee: number
}

/** The fee that the next trade will pay. `rateOf`: the fee for a movement, parts of one. */
const movingFee = (
  { accumulated, decay, filter, last, most, reduction, reference, steps }: Movement,
  rateOf: (movement: number) => number
): MovingFee => {
  const rate = (movement: number): number => Math.min(MOST_FEE, rateOf(Math.min(movement, most)))
  return {
    fee: {
      kind: "moving",
      last,
      filter,
      decay,
      hot: rate(reference + Math.abs(steps) * WHOLE),
      warm: rate(Math.floor((accumulated * reduction) / WHOLE)),
      calm: rate(0)
    },
    peakFee: rate(most)
  }
}

/**
 * DLMM: settings at 8, state at 40. Source: the dlmm SDK's `getTotalFee`, `updateReference`. Fees are in parts of 1e9.
 */
export const dlmmFee = (bytes: Bytes): MovingFee => {
  const binStep = bytes.u16(80)
  const base = bytes.u16(8) * binStep * 10 * 10 ** bytes.u8(34)
  const control = bytes.u32(16)
  const movement: Movement = {
    filter: bytes.u16(10),
    decay: bytes.u16(12),
    reduction: bytes.u16(14),
    most: bytes.u32(20),
    accumulated: bytes.u32(40),
    reference: bytes.u32(44),
    steps: bytes.i32(48) - bytes.i32(76),
    last: Number(bytes.i64(56))
  }
  return movingFee(movement, (moved) => (base + Math.ceil((control * (moved * binStep) ** 2) / 1e11)) / 1e9)
}

/** The rate in parts of 1e6 that Orca and Raydium add to `base`: `group` ticks are one step. */
const millionths =
  (base: number, control: number, group: number) =>
  (moved: number): number =>
    (base + Math.ceil((control * (moved * group) ** 2) / 1e13)) / 1e6

/**
 * Orca's oracle of an adaptive pool: settings at 48, state at 82. Fees are in parts of 1e6. Source: whirlpools'
 * `adaptive_fee`.
 */
export const adaptiveFee = (oracle: Bytes, base: number): MovingFee => {
  const [control, group] = [oracle.u32(54), oracle.u16(62)]
  const movement: Movement = {
    filter: oracle.u16(48),
    decay: oracle.u16(50),
    reduction: oracle.u16(52),
    most: oracle.u32(58),
    last: Math.max(Number(oracle.u64(82)), Number(oracle.u64(90))),
    reference: oracle.u32(98),
    accumulated: oracle.u32(106),
    // The price's own group of ticks is not looked up: what the last trade left is taken instead.
    steps: Math.max(0, oracle.u32(106) - oracle.u32(98)) / WHOLE
  }
  return movingFee(movement, millionths(base, control, group))
}

/** Up to here a CLMM pool tells of its fee. */
export const CLMM_FEE_END = 1130

/**
 * Raydium's CLMM: settings at 1096, state at 1110, in the pool itself; null where its fee does not move. `base` is in
 * parts of 1e6. Source: raydium-clmm `DynamicFeeInfo`.
 */
export const clmmMovingFee = (pool: Bytes, base: number): MovingFee | null => {
  if (pool.u32(1102) === 0) return null
  const spacing = pool.u16(235)
  const movement: Movement = {
    filter: pool.u16(1096),
    decay: pool.u16(1098),
    reduction: pool.u16(1100),
    most: pool.u32(1106),
    reference: pool.u32(1114),
    accumulated: pool.u32(1118),
    steps: pool.i32(1110) - Math.floor(pool.i32(269) / spacing),
    last: Number(pool.u64(1122))
  }
  return movingFee(movement, millionths(base, pool.u32(1102), spacing))
}
