import type { Address, Hex } from "viem"
import type { Fact } from "../../../domain/fact.ts"
import { known, missing } from "../../../domain/fact.ts"
import { type CodeFindings, slotsToRead } from "./findings.ts"
import type { Proxy } from "./proxy.ts"
import { besideUnread } from "./unread.ts"

/** What one facet does not do, another may: absence proves nothing in a diamond. */
const facetFindings = (findings: CodeFindings): CodeFindings =>
  besideUnread(findings, "other facets were not read", "all code is known: other facets were not read")

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

/** Findings about the code that really runs; `undefined` where that code could not be read. */
export const findingsBehind = (proxy: Proxy, findings: CodeFindings | undefined): Fact<CodeFindings> => {
  if (findings === undefined) return missing("the code behind the proxy could not be read")
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

/** It is proven that transfers ask neither the block nor the time. */
export const isTimeless = (findings: Fact<CodeFindings>): boolean =>
  findings.known && findings.value.proof.transferPath.holes.length === 0

/** `unlock()` of SafeMoon's Ownable, pushed as a selector somewhere in the code. */
export const hasUnlock = (code: Hex): boolean => code.includes("63a69df4b5") && code.includes("63dd467064")
