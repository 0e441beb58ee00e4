/** Counts of a yes/no judgement against a yes/no truth. */
export interface Confusion {
  readonly truePositive: number
  readonly falsePositive: number
  readonly falseNegative: number
  readonly trueNegative: number
}

export interface Quality extends Confusion {
  /** Fractions of 1; null where the denominator is zero. */
  readonly precision: number | null
  readonly recall: number | null
  readonly f1: number | null
}

export interface Judged {
  readonly truth: boolean
  readonly said: boolean
}

const ratio = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole)

const count = (pairs: ReadonlyArray<Judged>, truth: boolean, said: boolean): number =>
  pairs.filter((pair) => pair.truth === truth && pair.said === said).length

export const quality = (pairs: ReadonlyArray<Judged>): Quality => {
  const truePositive = count(pairs, true, true)
  const falsePositive = count(pairs, false, true)
  const falseNegative = count(pairs, true, false)
  return {
    truePositive,
    falsePositive,
    falseNegative,
    trueNegative: count(pairs, false, false),
    precision: ratio(truePositive, truePositive + falsePositive),
    recall: ratio(truePositive, truePositive + falseNegative),
    f1: ratio(2 * truePositive, 2 * truePositive + falsePositive + falseNegative)
  }
}

export interface Scored {
  readonly bad: boolean
  readonly score: number
}

/** Chance that a bad case scores above a good one, ties counted half (Mann–Whitney); null without both kinds. */
export const areaUnderCurve = (cases: ReadonlyArray<Scored>): number | null => {
  const bad = cases.filter((one) => one.bad)
  const good = cases.filter((one) => !one.bad)
  let wins = 0
  for (const b of bad) for (const g of good) wins += b.score > g.score ? 1 : b.score === g.score ? 0.5 : 0
  return ratio(wins, bad.length * good.length)
}

export interface RocPoint {
  readonly falsePositiveRate: number
  readonly truePositiveRate: number
}

/** The ROC curve from (0,0) to (1,1), one point per distinct score. */
export const rocCurve = (cases: ReadonlyArray<Scored>): ReadonlyArray<RocPoint> => {
  const bad = cases.filter((one) => one.bad).length
  const good = cases.length - bad
  const thresholds = [...new Set(cases.map(({ score }) => score))].toSorted((a, b) => b - a)
  const points = thresholds.map((threshold) => {
    const flagged = cases.filter(({ score }) => score >= threshold)
    return {
      falsePositiveRate: ratio(flagged.filter((one) => !one.bad).length, good) ?? 0,
      truePositiveRate: ratio(flagged.filter((one) => one.bad).length, bad) ?? 0
    }
  })
  return [{ falsePositiveRate: 0, truePositiveRate: 0 }, ...points]
}

/** The value below which the given share of the values lies (nearest rank). */
export const quantile = (values: ReadonlyArray<number>, share: number): number => {
  const sorted = [...values].toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0
}
