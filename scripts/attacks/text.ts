/** The results of an attack run as text, and whether they keep what the service promises. */
import type { Answer, AttackResults, ControlRow, TrapRow } from "./run.ts"

/** Share of the spotless controls, those of which nothing but `allow` is right, that must reach it. */
const ALLOWED_SHARE = 0.8

export const isPassed = ({ verdict, safe }: Answer): boolean => verdict === "allow" || safe === true

const answerText = ({ verdict, score, safe, reasons, milliseconds }: Answer): string =>
  `${verdict.padEnd(8)}${String(score).padStart(5)}  safe ${String(safe).padEnd(5)} ${String(Math.round(milliseconds)).padStart(5)} ms  ${reasons.join(", ")}`

const harmText = ({ harm }: TrapRow): string =>
  harm === null ? "" : harm.harmed ? `  [harm: ${harm.how}]` : `  [HARM NOT SHOWN: ${harm.detail}]`

const undecidedText = (answer: Answer): string => {
  const doubts = answer.signals.filter(({ critical, state }) => critical && state !== "pass")
  return doubts.map(({ id, state, message }) => `      ${state} ${id}: ${message}`).join("\n")
}

/** One line per case, then what was promised and what came out. */
export const attackText = ({ traps, controls }: AttackResults, verbose: boolean): string => {
  const line = (name: string, mark: string, answer: Answer, more = "") =>
    `${mark} ${name.padEnd(44)} ${answerText(answer)}${more}${verbose ? `\n${undecidedText(answer)}` : ""}`
  return [
    "traps",
    ...traps.map((row) =>
      line(
        `${row.trap.name} (${row.trap.class})`,
        isPassed(row.answer) ? "!" : " ",
        row.answer,
        harmText(row)
      )
    ),
    "controls",
    ...controls.map(({ control, answer }) =>
      line(control.name, control.expected.verdictIn.some((one) => one === answer.verdict) ? " " : "!", answer)
    )
  ].join("\n")
}

/** What of the promises is broken, in words; empty when all are kept. */
export const brokenPromises = ({ traps, controls }: AttackResults): ReadonlyArray<string> => {
  const names = (rows: ReadonlyArray<{ readonly name: string }>) => rows.map(({ name }) => name).join(", ")
  const passed = traps.filter(({ answer }) => isPassed(answer)).map(({ trap }) => trap)
  const unproven = traps.filter(({ harm }) => harm !== null && !harm.harmed).map(({ trap }) => trap)
  const failed = traps.filter(({ answer }) => answer.verdict === "failed").map(({ trap }) => trap)
  const refused = controls
    .filter(({ answer }) => answer.verdict === "avoid" || answer.verdict === "failed")
    .map(({ control }) => control)
  const wrong = controls
    .filter(({ control, answer }) => !control.expected.verdictIn.some((one) => one === answer.verdict))
    .map(({ control }) => control)
  const spotless = controls.filter(({ control }) =>
    control.expected.verdictIn.every((one) => one === "allow")
  )
  const allowed = spotless.filter(({ answer }) => answer.verdict === "allow").length
  return [
    ...(passed.length === 0 ? [] : [`${passed.length} traps are allowed or safe: ${names(passed)}`]),
    ...(unproven.length === 0 ? [] : [`harm not shown: ${names(unproven)}`]),
    ...(failed.length === 0 ? [] : [`no report for traps: ${names(failed)}`]),
    ...(refused.length === 0 ? [] : [`honest controls avoided: ${names(refused)}`]),
    ...(wrong.length === 0 ? [] : [`controls with another verdict than expected: ${names(wrong)}`]),
    ...(allowed >= spotless.length * ALLOWED_SHARE
      ? []
      : [`only ${allowed} of ${spotless.length} spotless controls are allowed`])
  ]
}

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** The figures in one paragraph. */
export const attackSummary = ({ traps, controls }: AttackResults): string => {
  const count = (rows: ReadonlyArray<TrapRow | ControlRow>, verdict: Answer["verdict"]) =>
    rows.filter(({ answer }) => answer.verdict === verdict).length
  const figures = (rows: ReadonlyArray<TrapRow | ControlRow>) =>
    `${rows.length}: allow ${count(rows, "allow")}, caution ${count(rows, "caution")}, avoid ${count(rows, "avoid")}`
  const harmed = traps.filter(({ harm }) => harm?.harmed === true).length
  const times = [...traps, ...controls].map(({ answer }) => answer.milliseconds)
  return [
    `traps ${figures(traps)}; harm proven by transactions for ${harmed}`,
    `controls ${figures(controls)}`,
    `median deep ${Math.round(median(times))} ms`
  ].join("\n")
}
