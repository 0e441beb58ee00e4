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

/** What is left of a first rate after so many reductions, linearly or by a factor, parts of one. */
const reduced = ({ cliff, reduction }: BaseFee, isExponential: boolean, periods: number): number =>
  isExponential
    ? rate(cliff) * (1 - fraction(reduction, 10_000n)) ** periods
    : Math.max(0, rate(cliff) - rate(reduction) * periods)

const BY_PRICE = { linear: 3, exponential: 4 } as const

/** Reductions so far: one for each step of the price's root above the pool's first. */
const stepsAbove = (first: bigint, now: bigint, step: bigint, most: number): number =>
  first === 0n || step === 0n || now <= first
    ? 0
    : Math.min(most, Number(((now - first) * 10_000n) / first / step))

/**
 * A fee that falls as the price rises above the pool's first, and rises again as it falls, until the schedule's end leaves
 * it at its lowest; null for every other mode. Source: cp-amm `fee_market_cap_scheduler`.
 */
export const feeByPrice = (
  fee: BaseFee,
  bytes: Bytes,
  at: { readonly step: number; readonly lasts: number; readonly first: number; readonly now: number },
  { cap, start, unit }: { readonly cap: number; readonly start: bigint; readonly unit: TimeUnit }
): Pick<DecodedPool, "fee" | "limit"> | null => {
  if (fee.mode !== BY_PRICE.linear && fee.mode !== BY_PRICE.exponential) return null
  const isExponential = fee.mode === BY_PRICE.exponential
  const lasts = BigInt(bytes.u32(at.lasts))
  const steps = stepsAbove(bytes.u128(at.first), bytes.u128(at.now), BigInt(bytes.u32(at.step)), fee.periods)
  const [now, least] = [steps, fee.periods].map((periods) =>
    Math.min(cap, reduced(fee, isExponential, periods))
  )
  if (now === undefined || least === undefined) return null
  return {
    fee: {
      kind: "falling",
      cliff: now,
      step: now - least,
      isExponential: false,
      periods: 1,
      every: lasts + 1n,
      unit,
      start,
      cap
    },
    // Whoever sells after a fall pays the first rate again.
    limit: { more: Math.max(0, Math.min(cap, rate(fee.cliff)) - now), unit, until: start + lasts }
  }
}

/**
 * Modes 0 and 1 of a base fee fall over time, linearly or by a factor; of the limiter the first rate is taken. What any
 * other mode makes of its terms nobody here knows.
 */
export const baseFee = (fee: BaseFee, start: bigint, unit: TimeUnit, cap: number): FeeSchedule => {
  if (fee.mode > RATE_LIMITER) return { kind: "unread" }
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
