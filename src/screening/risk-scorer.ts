import { Context } from "effect"
import type { Band, Reason, Verdict } from "../domain/report.ts"
import type { Screening } from "../domain/screening.ts"

/** What the signals add up to. Verdict, score and band never contradict one another. */
export interface Assessment {
  readonly verdict: Verdict
  readonly score: number
  readonly band: Band
  /** At most two, the heaviest first. */
  readonly reasons: ReadonlyArray<Reason>
  /** The ping's tri-state: false on a hard or critical failure, true only when all critical signals are known good. */
  readonly safe: boolean | null
  /** Share of signals that are known, 0 to 1. */
  readonly coverage: number
}

export class RiskScorer extends Context.Tag("token-risk/RiskScorer")<
  RiskScorer,
  { readonly methodology: string; readonly assess: (screening: Screening) => Assessment }
>() {}
