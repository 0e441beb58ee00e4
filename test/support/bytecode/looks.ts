/** What the engine finds in a contract, as the service asks it: twice, the second time over its storage. */
import type { Hex } from "viem"
import { analyseCode } from "../../../src/screening/base/power/analyse.ts"
import type { CodeFindings } from "../../../src/screening/base/power/findings.ts"
import type { SlotValue } from "../../../src/screening/base/power/proof/slot-value.ts"

const found = new Map<string, CodeFindings>()

/** An analysis takes longer than all else in its test, and several tests make claims about one contract. */
const once = (key: string, find: () => CodeFindings): CodeFindings => {
  const known = found.get(key)
  if (known !== undefined) return known
  const findings = find()
  found.set(key, findings)
  return findings
}

/** By the code alone. */
export const firstLook = (code: Hex): CodeFindings => once(code, () => analyseCode(code))

/**
 * Over what the slots hold that the first look named.
 * @param like another contract's code whose first look names the same slots
 */
export const lookOver = (code: Hex, wordAt: (slot: bigint) => bigint, like = code): CodeFindings => {
  const state = firstLook(like).proof.settledBy.map((slot): SlotValue => ({
    slot,
    value: wordAt(BigInt(slot))
  }))
  const words = state.map(({ value }) => value)
  return once(`${code} ${words.join(" ")}`, () => analyseCode(code, { state }))
}
