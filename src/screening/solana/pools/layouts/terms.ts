/** When a pool trades, and for what fee: what its layout says of both. */
import type { FeeSchedule, TimeUnit, Trading } from "../decoded-pool.ts"

export const OPEN: Trading = { kind: "open" }
export const CLOSED: Trading = { kind: "closed" }

/** Trading that starts at a point in time; 0 means it always did. */
export const opensAt = (at: bigint, unit: TimeUnit): Trading =>
  at === 0n ? OPEN : { kind: "from", unit, at }

export const constantFee = (rate: number): FeeSchedule => ({ kind: "constant", rate })

/** The terms of a curve that adds nothing to its fee and gives nothing away. */
export const plainCurve = {
  surge: 0,
  limit: null,
  promised: null,
  handedOut: 0,
  peakFee: 0,
  hasSwitch: false
} as const

/** A fraction of two integers; an impossible one takes everything, because it must not pass for a small fee. */
export const fraction = (numerator: bigint, denominator: bigint): number => {
  if (numerator === 0n) return 0
  return denominator === 0n ? 1 : Math.min(1, Number(numerator) / Number(denominator))
}
