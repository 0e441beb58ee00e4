import type { BytecodeSummary, RuleResult } from "./bytecode-track.ts"
import type { ChainSummary } from "./chain-summary.ts"

export const fixed = (value: number | null, digits = 3): string =>
  value === null ? "–" : value.toFixed(digits)
export const percent = (share: number): string => `${(100 * share).toFixed(1)} %`

/** Columns padded to their widest cell. */
const table = (rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? "").length))
  )
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd()
    )
    .join("\n")
}

export const RULE_COLUMNS = [
  "set",
  "rule",
  "TP",
  "FP",
  "FN",
  "TN",
  "precision",
  "recall",
  "F1",
  "undecided"
] as const

export const ruleCells = ({ set, rule, quality, undecided, judged }: RuleResult): ReadonlyArray<string> => [
  set,
  rule,
  String(quality.truePositive),
  String(quality.falsePositive),
  String(quality.falseNegative),
  String(quality.trueNegative),
  fixed(quality.precision),
  fixed(quality.recall),
  fixed(quality.f1),
  `${undecided}/${judged}`
]

const errors = ({ set, rule, falsePositives, falseNegatives }: RuleResult): ReadonlyArray<string> => [
  ...(falsePositives.length > 0
    ? [`  ${set} ${rule}, found but labelled false: ${falsePositives.join(" ")}`]
    : []),
  ...(falseNegatives.length > 0
    ? [`  ${set} ${rule}, labelled true but not found: ${falseNegatives.join(" ")}`]
    : [])
]

export const bytecodeText = (summary: BytecodeSummary): string => {
  const powers = Object.keys(summary.foundByClass[0]?.found ?? {})
  return [
    `Bytecode track: ${summary.contracts} contracts`,
    table([RULE_COLUMNS, ...summary.rules.map(ruleCells)]),
    ...summary.rules.flatMap(errors),
    "",
    `found on plain library tokens: ${summary.foundInLibrary.length === 0 ? "nothing" : summary.foundInLibrary.join(", ")}`,
    `undecided answers: ${percent(summary.undecidedShare)}`,
    `time per contract: median ${fixed(summary.medianMilliseconds, 1)} ms, p95 ${fixed(summary.p95Milliseconds, 1)} ms`,
    "",
    table([
      ["class", "contracts", ...powers],
      ...summary.foundByClass.map((row) => [
        row.class,
        String(row.contracts),
        ...powers.map((power) => String(row.found[power] ?? 0))
      ])
    ])
  ].join("\n")
}

export const chainText = (summary: ChainSummary): string =>
  [
    `Chain track: ${summary.tokens} tokens, ${summary.failed} failed, AUC scam against benign ${fixed(summary.auc)}`,
    `time per token: median ${fixed(summary.medianMilliseconds, 0)} ms, p95 ${fixed(summary.p95Milliseconds, 0)} ms`,
    table([
      ["class", "allow", "caution", "avoid", "failed"],
      ...summary.verdicts.map(({ class: kind, counts }) => [
        kind,
        ...["allow", "caution", "avoid", "failed"].map((verdict) => String(counts[verdict] ?? 0))
      ])
    ]),
    "",
    ...summary.promises.map(
      ({ what, kept, of, broken }) =>
        `${kept}/${of}  ${what}${broken.length === 0 ? "" : `; not: ${broken.join(", ")}`}`
    )
  ].join("\n")
