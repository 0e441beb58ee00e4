import type { Judgement, Signal, SignalResult } from "../domain/signal.ts"

/** Longest message a judge may give; ours are one sentence. */
const MESSAGE_LIMIT = 240

const NOT_JUDGED: Judgement = { state: "unknown", message: "The evidence could not be judged." }

/**
 * Points as they stand in a report: 0 to 100 in tenths. A weight that is no number counts as 100, because a broken
 * weight must not make a finding vanish.
 */
export const toPoints = (points: number): number =>
  Number.isNaN(points) ? 100 : Math.round(Math.min(100, Math.max(0, points)) * 10) / 10

/** Controls, bidi overrides and lone surrogates never leave: a judge that quotes foreign text by mistake stays harmless. */
const toMessage = (message: string): string => message.replace(/\p{C}/gu, "?").slice(0, MESSAGE_LIMIT)

const judgeSafely = <E>(signal: Signal<E>, evidence: E): Judgement => {
  try {
    return signal.judge(evidence)
  } catch {
    return NOT_JUDGED
  }
}

const isCritical = <E>(signal: Signal<E>, evidence: E): boolean => {
  if (typeof signal.critical === "boolean") return signal.critical
  try {
    return signal.critical(evidence)
  } catch {
    return true
  }
}

const pointsOf = <E>(signal: Signal<E>, judgement: Judgement): number => {
  switch (judgement.state) {
    case "pass":
      return 0
    case "unknown":
      return toPoints(signal.unknownPoints)
    case "fail":
      return toPoints(judgement.points ?? signal.points)
  }
}

/**
 * Judges one signal. Total: a judge that throws yields `unknown`, a criticality that throws yields critical. Missing
 * evidence is never good evidence.
 */
export const judgeOne = <E>(signal: Signal<E>, evidence: E): SignalResult => {
  const judgement = judgeSafely(signal, evidence)
  return {
    id: signal.id,
    state: judgement.state,
    points: pointsOf(signal, judgement),
    critical: isCritical(signal, evidence),
    hard: judgement.state === "fail" ? (judgement.hard ?? signal.hard) : signal.hard,
    source: signal.source,
    message: toMessage(judgement.message),
    ...(signal.group === undefined ? {} : { group: signal.group })
  }
}

/** Judges a whole table over one token's evidence, in the table's order. */
export const judgeAll = <E>(table: ReadonlyArray<Signal<E>>, evidence: E): ReadonlyArray<SignalResult> =>
  table.map((signal) => judgeOne(signal, evidence))

/**
 * What is wrong with a table, in words; empty when it keeps the rules the scorer's monotony rests on: an unknown never
 * weighs more than the failure it may hide, and ids are stable upper-snake codes, each once.
 */
export const tableErrors = <E>(table: ReadonlyArray<Signal<E>>): ReadonlyArray<string> => {
  const seen = new Set<string>()
  return table.flatMap((signal) => {
    const errors: Array<string> = []
    if (!/^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/.test(signal.id))
      errors.push(`${signal.id}: id is not upper snake case`)
    if (seen.has(signal.id)) errors.push(`${signal.id}: id is used twice`)
    seen.add(signal.id)
    for (const [name, points] of Object.entries({
      points: signal.points,
      unknownPoints: signal.unknownPoints
    })) {
      if (!(points >= 0 && points <= 100)) errors.push(`${signal.id}: ${name} is not within 0 and 100`)
    }
    if (signal.unknownPoints > signal.points) errors.push(`${signal.id}: unknown weighs more than failed`)
    if (signal.reads.trim() === "") errors.push(`${signal.id}: does not say what it reads`)
    return errors
  })
}
