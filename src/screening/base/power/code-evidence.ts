import type { Address, Hex } from "viem"
import { keccak256 } from "viem"
import type { Fact } from "../../../domain/fact.ts"
import { known, missing } from "../../../domain/fact.ts"
import { type CodeFindings, type Finding, slotsToRead } from "./findings.ts"
import { nothingProven } from "./proof/prove.ts"
import type { Proxy } from "./proxy.ts"

/** Reads powers out of runtime code. Pure and slow (milliseconds to a second), so its answers are kept by code hash. */
export type AnalyseCode = (code: Hex) => CodeFindings

/** Codes whose findings are kept: clones and copies make most tokens repeat. */
const KEPT = 512

/** Every rule came to a conclusion: more time would not change it. */
export const isDecided = ({ gateSlots: _gates, steps: _steps, proof, ...findings }: CodeFindings): boolean =>
  proof.whole && Object.values(findings).every(({ state }) => state !== "undecided")

/**
 * The analyser with a memory: equal code is analysed once.
 * @param keep which findings stay; those a busy machine left undecided should not
 */
export const rememberFindings = (
  analyse: AnalyseCode,
  keep: (findings: CodeFindings) => boolean = () => true
): AnalyseCode => {
  const kept = new Map<Hex, CodeFindings>()
  return (code) => {
    const hash = keccak256(code)
    const found = kept.get(hash)
    if (found !== undefined) return found
    const findings = analyse(code)
    if (!keep(findings)) return findings
    const oldest = kept.keys().next()
    if (kept.size >= KEPT && oldest.done !== true) kept.delete(oldest.value)
    kept.set(hash, findings)
    return findings
  }
}

/** What one facet does not do, another may: absence proves nothing in a diamond. */
const onlyWhatIsThere = (finding: Finding): Finding =>
  finding.state === "not-found" ? { state: "undecided", why: "other facets were not read" } : finding

const facetFindings = (findings: CodeFindings): CodeFindings => ({
  ...findings,
  hiddenMint: onlyWhatIsThere(findings.hiddenMint),
  limitingSell: onlyWhatIsThere(findings.limitingSell),
  leakingToken: onlyWhatIsThere(findings.leakingToken),
  balanceSeizure: onlyWhatIsThere(findings.balanceSeizure),
  blacklist: onlyWhatIsThere(findings.blacklist),
  pause: onlyWhatIsThere(findings.pause),
  unboundedFee: onlyWhatIsThere(findings.unboundedFee),
  hiddenOwner: onlyWhatIsThere(findings.hiddenOwner),
  proof: nothingProven("all code is known: other facets were not read")
})

/** Where the code that runs is: the token's own, or what it delegates to; `undefined` for a beacon, asked separately. */
export const implementationOf = (proxy: Proxy): Address | undefined => {
  switch (proxy.kind) {
    case "minimal":
    case "upgradeable":
      return proxy.implementation
    case "diamond":
      return proxy.facet
    case "none":
    case "beacon":
      return undefined
  }
}

/** Findings about the code that really runs. `undefined` implementation code means it could not be read. */
export const judgeCode = (
  analyse: AnalyseCode,
  proxy: Proxy,
  code: Hex,
  implementationCode: Hex | undefined
): Fact<CodeFindings> => {
  if (proxy.kind === "none") return known(analyse(code))
  if (implementationCode === undefined || implementationCode === "0x") {
    return missing("the code behind the proxy could not be read")
  }
  const findings = analyse(implementationCode)
  return known(proxy.kind === "diamond" ? facetFindings(findings) : findings)
}

/**
 * Slots read from a proxy beside those its implementation turns out to name: the implementation's code arrives in the
 * same round trip as these. The first thirteen, and OpenZeppelin's namespaced `Ownable` (ERC-7201).
 */
export const PROXY_STATE_SLOTS: ReadonlyArray<Hex> = [
  ...Array.from({ length: 13 }, (_, index): Hex => `0x${index.toString(16).padStart(64, "0")}`),
  "0x9016d09d72d40fdae2fd8ceac6b6234c7706214fd39c1cd1e609a0528c199300"
]

/** Values of the slots that findings depend on; missing as soon as a power's gate was not read. */
export const gateValues = (
  findings: Fact<CodeFindings>,
  slots: ReadonlyArray<string>,
  values: ReadonlyArray<Hex>
): Fact<ReadonlyArray<{ readonly slot: string; readonly value: bigint }>> => {
  if (!findings.known) return missing(findings.why)
  const read = new Map(slots.map((slot, index) => [BigInt(slot), values[index]]))
  const present = slotsToRead(findings.value).flatMap((slot) => {
    const value = read.get(BigInt(slot))
    return value === undefined ? [] : [{ slot, value: BigInt(value) }]
  })
  const wasRead = new Set(present.map(({ slot }) => slot))
  return findings.value.gateSlots.every((slot) => wasRead.has(slot))
    ? known(present)
    : missing("a gate's slot was not read")
}

/** `unlock()` of SafeMoon's Ownable, pushed as a selector somewhere in the code. */
export const hasUnlock = (code: Hex): boolean => code.includes("63a69df4b5") && code.includes("63dd467064")
