import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import type { SignalResult } from "../../src/domain/signal.ts"
import { RiskScorer } from "../../src/screening/risk-scorer.ts"
import {
  assess as assessScreening,
  METHODOLOGY,
  RiskScorerLive
} from "../../src/screening/risk-scorer-live.ts"
import { good, result, screeningOf } from "../support/screening/screenings.ts"

const assess = (...signals: ReadonlyArray<SignalResult>) => assessScreening({ signals })
const failed = (id: string, points: number, over: Partial<SignalResult> = {}) =>
  result({ id, state: "fail", points, ...over })

const states = ["pass", "unknown", "fail"] as const
const verdicts = ["allow", "caution", "avoid"] as const

const anySignal: fc.Arbitrary<SignalResult> = fc
  .record({
    id: fc.constantFrom("A", "B", "C", "D", "E", "F"),
    state: fc.constantFrom(...states),
    points: fc.integer({ min: 0, max: 1000 }).map((tenths) => tenths / 10),
    critical: fc.boolean(),
    hard: fc.boolean(),
    group: fc.constantFrom("one", "two", undefined)
  })
  .map(({ group, ...over }) => result(group === undefined ? over : { ...over, group }))

const anySignals = fc.array(anySignal, { maxLength: 12 })

/** The same signal with a state and points that are no better. */
const worsened = (signal: SignalResult) =>
  fc
    .record({
      state: fc.constantFrom(...states.slice(states.indexOf(signal.state))),
      extra: fc.integer({ min: 0, max: 500 }).map((tenths) => tenths / 10),
      hardens: fc.boolean()
    })
    .map(({ state, extra, hardens }) =>
      Object.assign({}, signal, {
        state,
        points: Math.min(100, signal.points + extra),
        hard: signal.hard || hardens
      })
    )

describe("RiskScorer", () => {
  it("calls a token safe only when every critical signal is known and good", () => {
    expect(assess(good)).toMatchObject({ safe: true, verdict: "allow", score: 0, band: "low" })
    expect(assess(good, failed("X", 5)).safe).toBe(true)
    expect(assess(good, result({ state: "unknown", critical: true })).safe).toBeNull()
    expect(assess(good, failed("X", 5, { critical: true })).safe).toBe(false)
    expect(assess(good, failed("X", 5, { hard: true })).safe).toBe(false)
  })

  it("never calls a token safe, or allows it, without any critical signal", () => {
    expect(assess()).toMatchObject({
      safe: null,
      verdict: "caution",
      score: 35,
      band: "elevated",
      coverage: 0
    })
    expect(assess(result({}))).toMatchObject({ safe: null, verdict: "caution", score: 35 })
  })

  it("a fired hard rule means avoid and at least 70", () => {
    expect(assess(good, failed("X", 1, { hard: true }))).toMatchObject({
      score: 70,
      verdict: "avoid",
      band: "high"
    })
    expect(assess(good, failed("X", 90, { hard: true }))).toMatchObject({ score: 90, band: "critical" })
  })

  it("a hard rule that is unknown has not fired", () => {
    expect(assess(good, result({ state: "unknown", hard: true, points: 10 }))).toMatchObject({
      score: 10,
      verdict: "allow"
    })
  })

  it("an unknown critical signal means caution and at least 35", () => {
    expect(assess(good, result({ state: "unknown", critical: true, points: 10 }))).toMatchObject({
      score: 35,
      verdict: "caution",
      band: "elevated"
    })
  })

  it("a failed critical signal weighs no less than an unknown one", () => {
    expect(assess(good, failed("X", 1, { critical: true }))).toMatchObject({ score: 35, verdict: "caution" })
  })

  it.each([
    [24.9, "low", "allow"],
    [25, "elevated", "allow"],
    [34.9, "elevated", "allow"],
    [35, "elevated", "caution"],
    [49.9, "elevated", "caution"],
    [50, "high", "caution"],
    [69.9, "high", "caution"],
    [70, "high", "avoid"],
    [74.9, "high", "avoid"],
    [75, "critical", "avoid"],
    [100, "critical", "avoid"]
  ])("a score of %d is in band %s with verdict %s", (points, band, verdict) => {
    expect(assess(good, failed("X", points))).toMatchObject({ score: points, band, verdict })
  })

  it("counts only the heaviest signal of a group, and everything else in full", () => {
    const group = "owner"
    const signals = [failed("A", 20, { group }), failed("B", 30, { group }), failed("C", 10), failed("D", 5)]
    expect(assess(good, ...signals).score).toBe(45)
  })

  it("sums tenths exactly and stops at 100", () => {
    expect(assess(good, failed("A", 0.1), failed("B", 0.2)).score).toBe(0.3)
    expect(assess(good, failed("A", 80), failed("B", 80)).score).toBe(100)
  })

  it("ignores points a passing signal carries", () => {
    expect(assess(good, result({ points: 50 })).score).toBe(0)
  })

  it("gives at most two reasons, what forced the verdict first, then the heaviest", () => {
    const { reasons } = assess(
      good,
      failed("LIGHT", 5),
      failed("HEAVY", 40),
      failed("HARD", 10, { hard: true }),
      failed("MIDDLE", 20)
    )
    expect(reasons).toEqual([
      { code: "HARD", message: "A message.", points: 10 },
      { code: "HEAVY", message: "A message.", points: 40 }
    ])
  })

  it("names the unknown critical signal that holds a token at caution", () => {
    const doubt = result({ id: "DOUBT", state: "unknown", critical: true, points: 5 })
    expect(assess(good, doubt, failed("MINOR", 20)).reasons.map(({ code }) => code)).toEqual([
      "DOUBT",
      "MINOR"
    ])
  })

  it("does not give two reasons for one weakness", () => {
    const group = "owner"
    const signals = [failed("A", 20, { group }), failed("B", 30, { group }), failed("C", 10)]
    expect(assess(good, ...signals).reasons.map(({ code }) => code)).toEqual(["B", "C"])
  })

  it("gives no reason where there is none", () => {
    expect(assess(good, result({})).reasons).toEqual([])
  })

  it("shows full coverage only when every signal is known", () => {
    const gap = result({ state: "unknown" })
    expect(assess(good).coverage).toBe(1)
    expect(assess(good, gap).coverage).toBe(0.5)
    expect(assess(...Array.from({ length: 9999 }, () => good), gap).coverage).toBe(0.999)
  })

  it("verdict, score, band, safe and reasons never contradict one another", () => {
    fc.assert(
      fc.property(anySignals, (signals) => {
        const { verdict, score, band, safe, reasons, coverage } = assess(...signals)
        expect(score >= 0 && score <= 100 && Math.abs(score * 10 - Math.round(score * 10)) < 1e-9).toBe(true)
        expect(verdict).toBe(score >= 70 ? "avoid" : score >= 35 ? "caution" : "allow")
        expect(band).toBe(score >= 75 ? "critical" : score >= 50 ? "high" : score >= 25 ? "elevated" : "low")
        const isHard = signals.some((signal) => signal.hard && signal.state === "fail")
        const isInDoubt = signals.some((signal) => signal.critical && signal.state !== "pass")
        expect(isHard && (verdict !== "avoid" || safe !== false)).toBe(false)
        expect(verdict === "allow" && (isInDoubt || safe !== true)).toBe(false)
        expect(safe === true && !signals.some(({ critical }) => critical)).toBe(false)
        expect(reasons.length).toBeLessThanOrEqual(2)
        expect(coverage >= 0 && coverage <= 1).toBe(true)
      })
    )
  })

  it("does not depend on the order of the signals", () => {
    fc.assert(
      fc.property(
        fc
          .uniqueArray(anySignal, { selector: ({ id }) => id })
          .chain((signals) =>
            fc.tuple(fc.constant(signals), fc.shuffledSubarray(signals, { minLength: signals.length }))
          ),
        ([signals, shuffled]) => {
          expect(assess(...shuffled)).toEqual(assess(...signals))
        }
      )
    )
  })

  it("is monotone: anything worse never lowers the score nor improves verdict or safety", () => {
    const rankOfSafe = (safe: boolean | null) => (safe === true ? 0 : safe === null ? 1 : 2)
    fc.assert(
      fc.property(
        anySignals.chain((signals) => fc.tuple(fc.constant(signals), fc.tuple(...signals.map(worsened)))),
        ([signals, worse]) => {
          const before = assess(...signals)
          const after = assess(...worse)
          expect(after.score).toBeGreaterThanOrEqual(before.score)
          expect(verdicts.indexOf(after.verdict)).toBeGreaterThanOrEqual(verdicts.indexOf(before.verdict))
          expect(rankOfSafe(after.safe)).toBeGreaterThanOrEqual(rankOfSafe(before.safe))
        }
      ),
      { numRuns: 500 }
    )
  })

  it.effect("is a service that says by which method it scored", () =>
    Effect.gen(function* () {
      const scorer = yield* RiskScorer
      expect(scorer.methodology).toBe(METHODOLOGY)
      expect(scorer.assess(screeningOf()).verdict).toBe("allow")
    }).pipe(Effect.provide(RiskScorerLive))
  )
})
