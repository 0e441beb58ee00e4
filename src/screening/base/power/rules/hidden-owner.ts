import type { ContractModel } from "../../../../bytecode/contract.ts"
import type { Finding } from "../findings.ts"
import type { Guard } from "../../../../bytecode/guard.ts"
import type { PathSummary } from "../../../../bytecode/summary.ts"
import { findingOf } from "./verdict.ts"

const isOwner = (contract: ContractModel, guard: Guard): boolean =>
  guard.kind === "stored" && contract.ownerSlots.has(guard.field.location.base)

/** A dangerous power that stays usable when `owner()` is zero: none of its gates is the public owner. */
export const hiddenOwnerFinding = (
  contract: ContractModel,
  dangerous: ReadonlyArray<PathSummary>
): Finding => {
  const hidden = dangerous.filter(
    (path) => path.guards.length > 0 && !path.guards.some((guard) => isOwner(contract, guard))
  )
  return findingOf(
    contract,
    hidden.map((path) => path.selector),
    "a power has a gate other than owner()"
  )
}
