import type { CodeFindings, CodeProof, Finding } from "../findings.ts"
import { SELECTOR } from "../../../../bytecode/contract.ts"
import type { Hole, HoleKind } from "./hole.ts"

type Found = Pick<CodeFindings, "hiddenMint" | "limitingSell" | "leakingToken" | "balanceSeizure">

/** What somebody privileged does through such holes. Code chosen by the caller and words written at will can do anything. */
const SHOWN: Readonly<Record<keyof Found, ReadonlySet<HoleKind>>> = {
  hiddenMint: new Set(["creates", "stores"]),
  limitingSell: new Set(["stores"]),
  leakingToken: new Set(["takes", "allows", "calls", "stores"]),
  balanceSeizure: new Set(["takes", "allows", "stores"])
}

const ORDINARY: ReadonlySet<string> = new Set([SELECTOR.transfer, SELECTOR.transferFrom])

const NOTE = "shown by following every path of the function"

/** Fees and payouts inside a transfer are told apart by the rules; a debit without an allowance is not. */
const isOwnBusiness = ({ selector, kind }: Hole): boolean =>
  ORDINARY.has(selector) && kind !== "takes" && kind !== "allows"

const seen = (finding: Finding, proof: CodeProof, kinds: ReadonlySet<HoleKind>): Finding => {
  const { holes } = proof.conservation
  const unclear = new Set(holes.flatMap(({ kind, selector }) => (kind === "unknown" ? [selector] : [])))
  const selectors = holes.flatMap((hole) =>
    hole.privileged && kinds.has(hole.kind) && !unclear.has(hole.selector) && !isOwnBusiness(hole)
      ? [hole.selector]
      : []
  )
  if (selectors.length === 0) return finding
  const before = finding.state === "found" ? finding : { selectors: [], note: NOTE }
  return {
    state: "found",
    selectors: [...new Set([...before.selectors, ...selectors])].toSorted(),
    note: before.note
  }
}

/** The rules' findings, with what the proof came upon: a privileged path that breaks what must be conserved. */
export const withPowersShown = <A extends Found>(rules: A, proof: CodeProof): A => ({
  ...rules,
  hiddenMint: seen(rules.hiddenMint, proof, SHOWN.hiddenMint),
  limitingSell: seen(rules.limitingSell, proof, SHOWN.limitingSell),
  leakingToken: seen(rules.leakingToken, proof, SHOWN.leakingToken),
  balanceSeizure: seen(rules.balanceSeizure, proof, SHOWN.balanceSeizure)
})
