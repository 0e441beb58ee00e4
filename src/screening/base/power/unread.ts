import type { CodeFindings, Finding, RuleName } from "./findings.ts"
import { nothingProven } from "./proof/prove.ts"

/**
 * Findings of code beside which other code may run: what is not found in it may be in that, and nothing of it is proven.
 * @param why no rule can say that something is not there
 * @param unproven why nothing is proven
 */
export const besideUnread = (findings: CodeFindings, why: string, unproven: string): CodeFindings => {
  const judged = (finding: Finding): Finding =>
    finding.state === "not-found" ? { state: "undecided", why } : finding
  // Named one by one: a new rule is not forgotten here.
  const rules: Pick<CodeFindings, RuleName> = {
    hiddenMint: judged(findings.hiddenMint),
    limitingSell: judged(findings.limitingSell),
    leakingToken: judged(findings.leakingToken),
    balanceSeizure: judged(findings.balanceSeizure),
    blacklist: judged(findings.blacklist),
    pause: judged(findings.pause),
    unboundedFee: judged(findings.unboundedFee),
    hiddenOwner: judged(findings.hiddenOwner),
    replaceableCode: judged(findings.replaceableCode),
    environmentGate: judged(findings.environmentGate)
  }
  return { ...findings, ...rules, proof: nothingProven(unproven) }
}
