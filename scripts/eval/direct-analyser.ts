/** The analyser for scripts and tests: on this thread and without a database, as fast as one caller can have it. */
import { Effect, Layer } from "effect"
import type { Hex } from "viem"
import { withoutPause } from "../../src/bytecode/evm/slices.ts"
import { CodeAnalyser } from "../../src/screening/base/analysis/analyser.ts"
import { hookInSlices } from "../../src/screening/base/pools/hook/analyse.ts"
import { noWayOutInSlices } from "../../src/screening/base/pools/way-out.ts"
import { analyseCode } from "../../src/screening/base/power/analyse.ts"
import { faithfulInSlices } from "../../src/screening/base/power/faithful.ts"
import type { CodeFindings } from "../../src/screening/base/power/findings.ts"

/** Findings are remembered, as a run screens many copies of the same code. */
export const directAnalyser = (): CodeAnalyser["Type"] => {
  const known = new Map<Hex, CodeFindings>()
  return {
    findings: (code) =>
      Effect.sync(() => {
        const findings = known.get(code) ?? analyseCode(code)
        known.set(code, findings)
        return findings
      }),
    settled: (code, state, around) => Effect.sync(() => analyseCode(code, { state, ...around })),
    hasNoWayOut: (code) => Effect.sync(() => withoutPause(noWayOutInSlices(code, () => performance.now()))),
    isFaithful: (code, words) =>
      Effect.sync(() => withoutPause(faithfulInSlices(code, () => performance.now(), words))),
    hook: (code, state) => Effect.sync(() => withoutPause(hookInSlices(code, () => performance.now(), state)))
  }
}

export const DirectAnalyserLive = Layer.sync(CodeAnalyser, directAnalyser)
