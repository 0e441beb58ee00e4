import type { CodeFindings, CodeProof, Finding } from "../findings.ts"
import { SELECTOR } from "../../../../bytecode/selector.ts"
import type { Hole, HoleKind } from "./hole.ts"

type Found = Pick<CodeFindings, "hiddenMint" | "limitingSell" | "leakingToken" | "balanceSeizure">
/** What the proof may exclude. */
type Excluded = Found & Pick<CodeFindings, "blacklist" | "pause" | "unboundedFee">

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

const seen = (
  finding: Finding,
  proof: CodeProof,
  kinds: ReadonlySet<HoleKind>,
  aside: ReadonlySet<string>,
  setUp: ReadonlySet<string>
): Finding => {
  const { holes } = proof.conservation
  const unclear = new Set(holes.flatMap(({ kind, selector }) => (kind === "unknown" ? [selector] : [])))
  const selectors = holes.flatMap((hole) =>
    isPower(hole) &&
    kinds.has(hole.kind) &&
    !unclear.has(hole.selector) &&
    !aside.has(hole.selector) &&
    !(hole.kind === "creates" && setUp.has(hole.selector)) &&
    !isOwnBusiness(hole)
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

const without = <A extends Excluded>(
  rules: A,
  proven: keyof Pick<CodeProof, "conservation" | "transferPath">,
  names: ReadonlyArray<keyof Excluded>
): A => {
  const finding: Finding = { state: "not-found", proven }
  const others = names.filter((name) => rules[name].state !== "not-found")
  return { ...rules, ...Object.fromEntries(others.map((name) => [name, finding])) }
}

/**
 * What a part of the proof without holes excludes, whatever the rules took it for, as far as that part holds: it takes
 * something for granted of the token that only the chain can say. A limit is judged by itself.
 */
const cleared = <A extends Excluded>(
  rules: A,
  { conservation, transferPath }: CodeProof,
  aside: ReadonlySet<string>
): A => {
  const kept =
    conservation.holes.length === 0 ? without(rules, "conservation", ["hiddenMint", "balanceSeizure"]) : rules
  if (transferPath.holes.some(({ limit }) => limit === undefined)) return kept
  const open = without(kept, "transferPath", ["blacklist", "pause", "unboundedFee"])
  return aside.size === 0 ? without(open, "transferPath", ["limitingSell"]) : open
}

/**
 * The rules' findings, with what the proof came upon and excludes: paths that break what must be conserved.
 * @param aside functions that only move balances to where their holders cannot use them, and back
 * @param setUp functions that set the contract up
 */
export const withPowersShown = <A extends Excluded>(
  rules: A,
  proof: CodeProof,
  aside: ReadonlySet<string>,
  setUp: ReadonlySet<string>
): A => {
  const rest = cleared(rules, proof, aside)
  const shown = (rule: keyof Found): Finding => seen(rest[rule], proof, SHOWN[rule], aside, setUp)
  return {
    ...rest,
    hiddenMint: shown("hiddenMint"),
    limitingSell: shown("limitingSell"),
    leakingToken: shown("leakingToken"),
    balanceSeizure: shown("balanceSeizure")
  }
}
