/** How Meteora's newer programs charge: schedules, limits on purchases, and what volatility adds. */
import type { Bytes } from "../../reads/bytes.ts"
import type { DecodedPool, FeeSchedule, TimeUnit } from "../decoded-pool.ts"
import { constantFee, fraction } from "./terms.ts"

/** Meteora's fee rates are in parts of 1e9. */
const BILLION = 1_000_000_000n
export const rate = (numerator: bigint): number => fraction(numerator, BILLION)

export const unitOf = (activationType: number): TimeUnit => (activationType === 1 ? "seconds" : "slots")

const RATE_LIMITER = 2

/** What a fee that grows with the size of a purchase may add for some time after the start. */
export const limiter = (
  mode: number,
  more: number,
  { lasts, start, unit }: { readonly lasts: bigint; readonly start: bigint; readonly unit: TimeUnit }
): DecodedPool["limit"] => (mode === RATE_LIMITER && more > 0 ? { more, unit, until: start + lasts } : null)

/** The terms of a base fee, which both programs keep in the same five fields. */
interface BaseFee {
  readonly cliff: bigint
  readonly mode: number
  readonly periods: number
  readonly every: bigint
  readonly reduction: bigint
}

/** The terms that stand at these offsets. */
export const baseFeeAt = (bytes: Bytes, at: Readonly<Record<keyof BaseFee, number>>): BaseFee => ({
  cliff: bytes.u64(at.cliff),
  mode: bytes.u8(at.mode),
  periods: bytes.u16(at.periods),
  every: bytes.u64(at.every),
  reduction: bytes.u64(at.reduction)
})

/** Modes 0 and 1 of a base fee fall over time, linearly or by a factor; of every other mode the first rate is taken. */
export const baseFee = (fee: BaseFee, start: bigint, unit: TimeUnit, cap: number): FeeSchedule => {
  const cliff = rate(fee.cliff)
  if (fee.mode > 1 || fee.periods === 0 || fee.every === 0n) return constantFee(Math.min(cap, cliff))
  const isExponential = fee.mode === 1
  const step = isExponential ? fraction(fee.reduction, 10_000n) : rate(fee.reduction)
  return {
    kind: "falling",
    cliff,
    step,
    isExponential,
    periods: fee.periods,
    every: fee.every,
    unit,
    start,
    cap
  }
}

/**
 * What a dynamic fee adds at the most volatility its settings allow, parts of one. Whoever makes a pool chooses them.
 * Source: cp-amm `get_variable_fee_numerator`.
 */
export const surgeOf = (
  bytes: Bytes,
  at: { readonly on: number; readonly most: number; readonly control: number; readonly step: number }
): number => {
  if (bytes.u8(at.on) === 0) return 0
  const movement = (bytes.u32(at.most) * bytes.u16(at.step)) ** 2
  return Math.min(1, Math.ceil((movement * bytes.u32(at.control)) / 1e11) / 1e9)
}
