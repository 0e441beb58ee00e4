import type { ContractModel } from "../contract.ts"
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

export const mintPaths = (contract: ContractModel): ReadonlyArray<PathSummary> =>
  [...contract.functions.values()].flatMap((f) => f.paths.filter(isMint))
