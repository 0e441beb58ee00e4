import type { CodeFindings, CodeProof, Finding } from "../findings.ts"
import { SELECTOR } from "../../../../bytecode/contract.ts"
import type { Hole, HoleKind } from "./hole.ts"

type Found = Pick<CodeFindings, "hiddenMint" | "limitingSell" | "leakingToken" | "balanceSeizure">

/** What somebody privileged does through such holes. Code chosen by the caller and words written at will can do anything. */
const SHOWN: Readonly<Record<keyof Found, ReadonlySet<HoleKind>>> = {
  hiddenMint: new Set(["creates", "stores"]),
  limitingSell: new Set(["stores"]),
  leakingToken: new Set(["takes", "allows", "draws", "calls", "stores"]),
  balanceSeizure: new Set(["takes", "allows", "stores"])
}

const ORDINARY: ReadonlySet<string> = new Set([SELECTOR.transfer, SELECTOR.transferFrom])

const NOTE = "shown by following every path of the function"

/** What is a power even where everybody has it. */
const OPEN: ReadonlySet<HoleKind> = new Set(["stores"])

const isPower = ({ kind, privileged }: Hole): boolean => privileged || OPEN.has(kind)

/** Fees and payouts inside a transfer are told apart by the rules; a debit without an allowance is not. */
const isOwnBusiness = ({ selector, kind }: Hole): boolean =>
  ORDINARY.has(selector) && kind !== "takes" && kind !== "allows"

const seen = (finding: Finding, proof: CodeProof, kinds: ReadonlySet<HoleKind>): Finding => {
  const { holes } = proof.conservation
  const unclear = new Set(holes.flatMap(({ kind, selector }) => (kind === "unknown" ? [selector] : [])))
  const selectors = holes.flatMap((hole) =>
    isPower(hole) && kinds.has(hole.kind) && !unclear.has(hole.selector) && !isOwnBusiness(hole)
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

const CLEARED = [
  "hiddenMint",
  "limitingSell",
  "balanceSeizure",
  "blacklist",
  "pause",
  "unboundedFee"
] as const

const NOT_FOUND: Finding = { state: "not-found" }

/** What a whole proof excludes, whatever the rules took it for. */
const cleared = <A extends Found>(rules: A, { conservation, transferPath }: CodeProof): A => {
  const isWhole = conservation.holes.length === 0 && transferPath.holes.length === 0
  return isWhole ? { ...rules, ...Object.fromEntries(CLEARED.map((rule) => [rule, NOT_FOUND])) } : rules
}

/** The rules' findings, with what the proof came upon and excludes: paths that break what must be conserved. */
export const withPowersShown = <A extends Found>(rules: A, proof: CodeProof): A => ({
  ...cleared(rules, proof),
  hiddenMint: seen(rules.hiddenMint, proof, SHOWN.hiddenMint),
  limitingSell: seen(rules.limitingSell, proof, SHOWN.limitingSell),
  leakingToken: seen(rules.leakingToken, proof, SHOWN.leakingToken),
  balanceSeizure: seen(rules.balanceSeizure, proof, SHOWN.balanceSeizure)
})
