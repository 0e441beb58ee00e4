import { analyseCode } from "../../src/screening/base/power/analyse.ts"
import type { CodeFindings, Finding, RuleName } from "../../src/screening/base/power/findings.ts"
import { RULES, type Rule, type Sample } from "./dataset.ts"
import { type Quality, quality, quantile } from "./metrics.ts"

export interface BytecodeRow extends Omit<Sample, "code"> {
  readonly findings: CodeFindings
  readonly milliseconds: number
}

/** Analyses every contract by itself, as the service would on first sight of its code. */
export const runBytecodeTrack = (samples: ReadonlyArray<Sample>): ReadonlyArray<BytecodeRow> =>
  samples.map(({ code, ...about }) => {
    const started = performance.now()
    const findings = analyseCode(code)
    return { ...about, findings, milliseconds: performance.now() - started }
  })

export interface RuleResult {
  readonly set: Sample["set"]
  readonly rule: Rule
  readonly quality: Quality
  readonly undecided: number
  readonly judged: number
  readonly falsePositives: ReadonlyArray<string>
  readonly falseNegatives: ReadonlyArray<string>
}

const isFound = (finding: Finding): boolean => finding.state === "found"

/** One rule over one set. Undecided counts as not found, and is counted beside. */
const judgeRule = (rows: ReadonlyArray<BytecodeRow>, set: Sample["set"], rule: Rule): RuleResult => {
  const judged = rows.flatMap((row) => {
    const truth = row.truth[rule]
    return row.set !== set || truth === null ? [] : [{ id: row.id, truth, finding: row.findings[rule] }]
  })
  return {
    set,
    rule,
    quality: quality(judged.map(({ truth, finding }) => ({ truth, said: isFound(finding) }))),
    undecided: judged.filter(({ finding }) => finding.state === "undecided").length,
    judged: judged.length,
    falsePositives: judged.filter(({ truth, finding }) => !truth && isFound(finding)).map(({ id }) => id),
    falseNegatives: judged.filter(({ truth, finding }) => truth && !isFound(finding)).map(({ id }) => id)
  }
}

const POWERS = [
  ...RULES,
  "balanceSeizure",
  "blacklist",
  "pause",
  "unboundedFee",
  "hiddenOwner",
  "replaceableCode",
  "environmentGate"
] as const satisfies ReadonlyArray<RuleName>

export interface BytecodeSummary {
  readonly rules: ReadonlyArray<RuleResult>
  /** Powers found in tokens of a class, as `id rule`. */
  readonly foundInLibrary: ReadonlyArray<string>
  readonly foundByClass: ReadonlyArray<{
    readonly class: string
    readonly contracts: number
    readonly found: Readonly<Record<string, number>>
  }>
  readonly undecidedShare: number
  readonly medianMilliseconds: number
  readonly p95Milliseconds: number
  readonly contracts: number
}

const foundIn = (row: BytecodeRow): ReadonlyArray<string> =>
  POWERS.filter((power) => isFound(row.findings[power]))

const byClass = (rows: ReadonlyArray<BytecodeRow>): BytecodeSummary["foundByClass"] => {
  const classes = [...new Set(rows.map((row) => row.class))].toSorted()
  return classes.map((kind) => {
    const members = rows.filter((row) => row.class === kind)
    const found = Object.fromEntries(
      POWERS.map((power) => [power, members.filter((row) => isFound(row.findings[power])).length])
    )
    return { class: kind, contracts: members.length, found }
  })
}

export const summarise = (rows: ReadonlyArray<BytecodeRow>): BytecodeSummary => {
  const sets = [...new Set(rows.map((row) => row.set))]
  const rules = sets.flatMap((set) => RULES.map((rule) => judgeRule(rows, set, rule)))
  const answers = rows.flatMap((row) => RULES.map((rule) => row.findings[rule].state))
  const times = rows.map((row) => row.milliseconds)
  return {
    rules,
    foundInLibrary: rows
      .filter((row) => row.class === "library")
      .flatMap((row) => foundIn(row).map((power) => `${row.id} ${power}`)),
    foundByClass: byClass(rows),
    undecidedShare: answers.filter((state) => state === "undecided").length / Math.max(1, answers.length),
    medianMilliseconds: quantile(times, 0.5),
    p95Milliseconds: quantile(times, 0.95),
    contracts: rows.length
  }
}
