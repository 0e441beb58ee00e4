import type { ChainTrackRow } from "./chain-track.ts"
import { type RocPoint, areaUnderCurve, quantile, rocCurve } from "./metrics.ts"

/** One promise of the service about a group of tokens: how many keep it. */
export interface Promised {
  readonly what: string
  readonly kept: number
  readonly of: number
  readonly broken: ReadonlyArray<string>
}

export interface Histogram {
  readonly class: string
  /** Tokens per score decade: 0–9, 10–19, …, 90–100. */
  readonly counts: ReadonlyArray<number>
}

export interface ChainSummary {
  readonly tokens: number
  readonly failed: number
  readonly auc: number | null
  readonly roc: ReadonlyArray<RocPoint>
  readonly histograms: ReadonlyArray<Histogram>
  readonly verdicts: ReadonlyArray<{
    readonly class: string
    readonly counts: Readonly<Record<string, number>>
  }>
  readonly promises: ReadonlyArray<Promised>
  readonly medianMilliseconds: number
  readonly p95Milliseconds: number
}

const isScam = (row: ChainTrackRow): boolean => row.class.startsWith("scam")
const isBenign = (row: ChainTrackRow): boolean => row.class.startsWith("benign")
const UNSELLABLE: ReadonlySet<string> = new Set(["honeypot", "trading-blocked", "tax>=50%"])
const DECADES = 10

const promise = (
  rows: ReadonlyArray<ChainTrackRow>,
  what: string,
  concerns: (row: ChainTrackRow) => boolean,
  keeps: (row: ChainTrackRow) => boolean
): Promised => {
  const group = rows.filter(concerns)
  const broken = group.filter((row) => !keeps(row)).map((row) => `${row.id} (${row.verdict}, ${row.score})`)
  return { what, kept: group.length - broken.length, of: group.length, broken }
}

const promises = (rows: ReadonlyArray<ChainTrackRow>): ReadonlyArray<Promised> => [
  promise(
    rows,
    "sell fails or is taxed ≥ 50 %: avoid",
    (row) => UNSELLABLE.has(row.behaviour),
    (row) => row.verdict === "avoid"
  ),
  promise(
    rows,
    "scam: at least caution",
    isScam,
    (row) => row.verdict !== "allow" && row.verdict !== "failed"
  ),
  promise(rows, "scam: avoid (wanted ≥ 90 %)", isScam, (row) => row.verdict === "avoid"),
  promise(rows, "benign: not avoid", isBenign, (row) => row.verdict !== "avoid" && row.verdict !== "failed"),
  promise(
    rows,
    "capability: not allow",
    (row) => row.class === "capability",
    (row) => row.verdict !== "allow"
  ),
  promise(
    rows,
    "benign without privileges, LP burned or locked: score below 50 (wanted ≥ 95 %)",
    (row) => row.class === "benign" && row.lpLocked,
    (row) => row.score < 50
  )
]

const tally = (values: ReadonlyArray<string>): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {}
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1
  return counts
}

export const summariseChain = (rows: ReadonlyArray<ChainTrackRow>): ChainSummary => {
  const classes = [...new Set(rows.map((row) => row.class))].toSorted()
  const scored = rows
    .filter((row) => isScam(row) || isBenign(row))
    .map((row) => ({ bad: isScam(row), score: row.score }))
  const times = rows.map((row) => row.milliseconds)
  return {
    tokens: rows.length,
    failed: rows.filter((row) => row.verdict === "failed").length,
    auc: areaUnderCurve(scored),
    roc: rocCurve(scored),
    histograms: classes.map((kind) => {
      const counts = Array.from({ length: DECADES }, () => 0)
      for (const row of rows.filter((one) => one.class === kind)) {
        const decade = Math.min(DECADES - 1, Math.floor(row.score / DECADES))
        counts[decade] = (counts[decade] ?? 0) + 1
      }
      return { class: kind, counts }
    }),
    verdicts: classes.map((kind) => ({
      class: kind,
      counts: tally(rows.filter((row) => row.class === kind).map((row) => row.verdict))
    })),
    promises: promises(rows),
    medianMilliseconds: quantile(times, 0.5),
    p95Milliseconds: quantile(times, 0.95)
  }
}
