import { Layer } from "effect"
import type { Band, Reason } from "../domain/report.ts"
import type { Screening } from "../domain/screening.ts"
import type { SignalResult } from "../domain/signal.ts"
import type { Assessment } from "./risk-scorer.ts"
import { RiskScorer } from "./risk-scorer.ts"
import { toPoints } from "./signal-table.ts"

/** Version of the rules below and of the signal tables; a change to either that moves a score changes it. */
export const METHODOLOGY = "2026.11.46"

/** A fired hard rule lifts the score to at least this, where the verdict is `avoid`. */
const HARD_FLOOR = 70
/** A critical signal that is unknown or failed lifts the score to at least this, where the verdict is `caution`. */
const CRITICAL_FLOOR = 35
const MAX_REASONS = 2

const counted = (signal: SignalResult): number => (signal.state === "pass" ? 0 : toPoints(signal.points))
const firesHardRule = (signal: SignalResult): boolean => signal.hard && signal.state === "fail"
const isCriticalDoubt = (signal: SignalResult): boolean => signal.critical && signal.state !== "pass"

/** What a signal does to the score on its own: its points, or the floor it sets if that is higher. */
const weight = (signal: SignalResult): number => {
  if (firesHardRule(signal)) return Math.max(HARD_FLOOR, counted(signal))
  return isCriticalDoubt(signal) ? Math.max(CRITICAL_FLOOR, counted(signal)) : counted(signal)
}

/** Sum over groups of the heaviest points in each; a signal without a group is its own. In tenths, so it is exact. */
const sumOfPoints = (signals: ReadonlyArray<SignalResult>): number => {
  const heaviest = new Map<string, number>()
  let ungrouped = 0
  for (const signal of signals) {
    const tenths = Math.round(counted(signal) * 10)
    if (signal.group === undefined) ungrouped += tenths
    else heaviest.set(signal.group, Math.max(tenths, heaviest.get(signal.group) ?? 0))
  }
  const total = [...heaviest.values()].reduce((sum, tenths) => sum + tenths, ungrouped)
  return Math.min(1000, total) / 10
}

/** A total order, so that equal evidence gives equal reasons: weight, then points, then failed first, then id. */
const heavierFirst = (a: SignalResult, b: SignalResult): number =>
  weight(b) - weight(a) ||
  counted(b) - counted(a) ||
  Number(b.state === "fail") - Number(a.state === "fail") ||
  (a.id < b.id ? -1 : Number(a.id > b.id))

const reasonsOf = (signals: ReadonlyArray<SignalResult>): ReadonlyArray<Reason> => {
  const groups = new Set<string>()
  return signals
    .filter((signal) => weight(signal) > 0)
    .toSorted(heavierFirst)
    .filter(({ group }) => {
      const first = group === undefined || !groups.has(group)
      if (group !== undefined) groups.add(group)
      return first
    })
    .slice(0, MAX_REASONS)
    .map((signal) => ({ code: signal.id, message: signal.message, points: counted(signal) }))
}

const bandOf = (score: number): Band => {
  if (score >= 75) return "critical"
  if (score >= 50) return "high"
  return score >= 25 ? "elevated" : "low"
}

const safeOf = (signals: ReadonlyArray<SignalResult>): boolean | null => {
  if (signals.some((signal) => firesHardRule(signal) || (signal.critical && signal.state === "fail")))
    return false
  const critical = signals.filter((signal) => signal.critical)
  return critical.length > 0 && critical.every((signal) => signal.state === "pass") ? true : null
}

/** Rounded down to thousandths, so that 1 means every signal. */
const coverageOf = (signals: ReadonlyArray<SignalResult>): number => {
  if (signals.length === 0) return 0
  const known = signals.filter((signal) => signal.state !== "unknown").length
  return Math.floor((known / signals.length) * 1000) / 1000
}

/**
 * The rules of the verdict. Points, and so scores, are in tenths. The verdict and the band are functions of the score
 * alone, and what forces a verdict lifts the score first: the three cannot contradict one another.
 *
 * Two cases the rule leaves open are decided against the token: a critical signal that failed without a hard rule
 * counts at least as much as one that is unknown (otherwise knowing the worse would lower the score), and a screening
 * without any critical signal counts as one whose critical signals are unknown.
 */
export const assess = ({ signals }: Pick<Screening, "signals">): Assessment => {
  const safe = safeOf(signals)
  const floors = [
    sumOfPoints(signals),
    safe === true ? 0 : CRITICAL_FLOOR,
    signals.some(firesHardRule) ? HARD_FLOOR : 0
  ]
  const score = Math.max(...floors)
  const verdict = score >= HARD_FLOOR ? "avoid" : score >= CRITICAL_FLOOR ? "caution" : "allow"
  return {
    verdict,
    score,
    band: bandOf(score),
    reasons: reasonsOf(signals),
    // Every critical signal may pass and the sum still forbid it: then nobody is told that the token is safe.
    safe: verdict === "allow" || safe !== true ? safe : null,
    coverage: coverageOf(signals)
  }
}

export const RiskScorerLive: Layer.Layer<RiskScorer> = Layer.succeed(RiskScorer, {
  methodology: METHODOLOGY,
  assess
})
