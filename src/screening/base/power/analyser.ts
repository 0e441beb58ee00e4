import { Cache, Duration, Effect, Exit } from "effect"
import type { Hex } from "viem"
import { type AnalysisBudget, DEFAULT_BUDGET, analyseCode, analyseInSlices } from "./analyse.ts"
import type { CodeFindings } from "./findings.ts"

/** Codes whose findings are kept: clones and copies make most tokens repeat. At most 24 KB of code each. */
const KEPT = 256

export interface AnalyserOptions {
  readonly budget: AnalysisBudget
  /** How long the analysis runs before others get their turn. */
  readonly turnMilliseconds: number
}

export const DEFAULT_ANALYSER: AnalyserOptions = { budget: DEFAULT_BUDGET, turnMilliseconds: 10 }

const othersFirst = Effect.async<void>((resume) => {
  const handle = setImmediate(() => resume(Effect.void))
  return Effect.sync(() => clearImmediate(handle))
})

/**
 * One analysis in turns: between two of them the event loop serves whatever waits. Turns were preferred to a worker
 * thread because most contracts take less than one or two of them, while handing 24 KB and a result across threads,
 * and keeping workers alive and supervised, costs more than it saves; only running time counts against the budget.
 */
const analyseInTurns = (
  code: Hex,
  { budget, turnMilliseconds }: AnalyserOptions
): Effect.Effect<CodeFindings> =>
  Effect.suspend(() => {
    let ran = 0
    let turnStarted = performance.now()
    const work = analyseInSlices(code, budget, () => ran + performance.now() - turnStarted)
    const turn: Effect.Effect<CodeFindings> = Effect.suspend(() => {
      turnStarted = performance.now()
      for (;;) {
        const { done, value } = work.next()
        if (done === true) return Effect.succeed(value)
        if (performance.now() - turnStarted > turnMilliseconds) break
      }
      ran += performance.now() - turnStarted
      return Effect.zipRight(othersFirst, turn)
    })
    return turn
  })

/** Analyses code without holding the event loop up; equal code is analysed once, also when asked for twice at a time. */
export interface CodeAnalyser {
  readonly findings: (code: Hex) => Effect.Effect<CodeFindings>
  /** The last findings of this code, at once; where there are none yet it is analysed without a pause. */
  readonly last: (code: Hex) => CodeFindings
}

/** An undecided answer may come from a machine under load: it is asked again after this time. */
const UNDECIDED_KEPT = Duration.minutes(1)

const isDecided = ({ hiddenMint, limitingSell, leakingToken }: CodeFindings): boolean =>
  [hiddenMint, limitingSell, leakingToken].every(({ state }) => state !== "undecided")

export const makeCodeAnalyser = (options: AnalyserOptions = DEFAULT_ANALYSER): Effect.Effect<CodeAnalyser> =>
  Effect.suspend(() => {
    const done = new Map<Hex, CodeFindings>()
    const keep = (code: Hex, findings: CodeFindings): void => {
      done.delete(code)
      const oldest = done.keys().next()
      if (done.size >= KEPT && oldest.done !== true) done.delete(oldest.value)
      done.set(code, findings)
    }
    const last = (code: Hex): CodeFindings => {
      const findings = done.get(code) ?? analyseCode(code, options)
      keep(code, findings)
      return findings
    }
    return Effect.map(
      Cache.makeWith({
        capacity: KEPT,
        timeToLive: (exit: Exit.Exit<CodeFindings>) =>
          Exit.isSuccess(exit) && isDecided(exit.value) ? Duration.infinity : UNDECIDED_KEPT,
        lookup: (code: Hex) =>
          Effect.tap(analyseInTurns(code, options), (findings) => Effect.sync(() => keep(code, findings)))
      }),
      (cache) => ({ findings: (code) => cache.get(code), last })
    )
  })
