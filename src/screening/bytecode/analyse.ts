import type { Hex } from "viem"
import { bytesOfHex, decode } from "./evm/code.ts"
import { type ContractModel, SELECTOR, readContract } from "./contract.ts"
import type { CodeFindings, Finding } from "./findings.ts"
import { judge } from "./rules/judge.ts"

/** What one analysis may cost. */
export interface AnalysisBudget {
  /** Executed instructions, all functions together. */
  readonly steps: number
  /** Wall clock. */
  readonly milliseconds: number
}

/** Sized from the development data: the median contract needs under 20,000 steps. */
export const DEFAULT_BUDGET: AnalysisBudget = { steps: 400_000, milliseconds: 3_000 }

export interface AnalysisOptions {
  readonly budget?: AnalysisBudget
}

const undecided = (why: string): Finding => ({ state: "undecided", why })

/** All rules undecided for one reason. */
export const undecidedFindings = (why: string): CodeFindings => ({
  hiddenMint: undecided(why),
  limitingSell: undecided(why),
  leakingToken: undecided(why),
  balanceSeizure: undecided(why),
  blacklist: undecided(why),
  pause: undecided(why),
  unboundedFee: undecided(why),
  hiddenOwner: undecided(why),
  replaceableCode: undecided(why),
  environmentGate: undecided(why),
  gateSlots: [],
  steps: 0
})

/** The contract as the rules see it. Exported for the evaluation and for debugging a finding. */
export const readCode = (
  code: Hex,
  budget: AnalysisBudget = DEFAULT_BUDGET
): { readonly contract: ContractModel; readonly steps: number } => {
  const left = {
    steps: budget.steps,
    deadline: performance.now() + budget.milliseconds,
    now: () => performance.now()
  }
  const contract = readContract(decode(bytesOfHex(code)), left)
  return { contract, steps: budget.steps - Math.max(0, left.steps) }
}

/**
 * What a privileged caller can do to holders, read from runtime code by bounded symbolic execution of every function.
 * Synchronous; a rule that the budget did not suffice for is undecided, never "not-found".
 */
export const analyseCode = (code: Hex, options: AnalysisOptions = {}): CodeFindings => {
  if (code === "0x" || code.length <= 2) return undecidedFindings("no code")
  const { contract, steps } = readCode(code, options.budget)
  if (!contract.functions.has(SELECTOR.transfer))
    return { ...undecidedFindings("no transfer function in this code"), ...judge(contract), steps }
  return { ...judge(contract), steps }
}
