import { type ContractModel, SELECTOR } from "../contract.ts"
import { FROM_CALLDATA } from "../evm/expression.ts"
import { deltaOf } from "../amount.ts"
import type { Change } from "../location.ts"
import type { PathSummary } from "../summary.ts"

/** A privileged path on which some balance grows and none shrinks. */
export const isMint = (path: PathSummary): boolean => {
  if (path.guards.length === 0) return false
  let grows = false
  for (const { delta, value } of path.balances) {
    if (!delta.replaced && delta.minus.length > 0) return false
    if (delta.replaced ? !(value.op === "const" && value.value === 0n) : delta.plus.length > 0) grows = true
    else if (delta.replaced) return false
  }
  return grows
}

const FLAG_MASK_BITS = 8n

const isAmountEntry = ({ location, mask }: Change): boolean =>
  location.keys.length > 0 &&
  mask >> FLAG_MASK_BITS !== 0n &&
  location.keys.some((key) => (key.from & FROM_CALLDATA) !== 0)

const entryDelta = (change: Change): "grows" | "shrinks" | "other" => {
  const [part] = change.parts
  if (part === undefined || change.parts.length > 1) return "other"
  const { replaced, plus, minus } = deltaOf(change.key, part)
  if (replaced) return "other"
  return minus.length > 0 ? "shrinks" : plus.length > 0 ? "grows" : "other"
}

/**
 * The same in a contract that keeps accounts without being an ERC-20 token: a privileged path adds to an account of
 * the caller's choice, and nothing pays for it.
 */
export const creditsLedger = (path: PathSummary): boolean => {
  if (path.guards.length === 0) return false
  const deltas = path.others.filter(isAmountEntry).map(entryDelta)
  return deltas.includes("grows") && !deltas.includes("shrinks")
}

export const mintPaths = (contract: ContractModel): ReadonlyArray<PathSummary> => {
  const isToken = contract.functions.has(SELECTOR.transfer)
  return [...contract.functions.values()].flatMap(({ paths }) =>
    paths.filter((path) => isMint(path) || (!isToken && creditsLedger(path)))
  )
}
