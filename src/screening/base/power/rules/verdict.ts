import type { ContractModel } from "../../../../bytecode/contract.ts"
import type { Finding } from "../findings.ts"

/** Why "nothing found" would be a claim too many; undefined where the code was read whole. */
export const doubt = (contract: ContractModel): string | undefined => {
  if (contract.model.balances.size === 0) return "the balances could not be located in this code"
  if (!contract.transfersFollowed) return "transfers could not be followed to the balances"
  if (contract.delegates) return "part of the code is elsewhere"
  if (contract.unresolved) return "a jump target could not be resolved"
  if (!contract.complete) return "the step budget was used up"
  return undefined
}

/** A rule's answer: found where some function shows it, undecided where the code was not read whole. */
export const findingOf = (
  contract: ContractModel,
  selectors: ReadonlyArray<string>,
  note: string
): Finding => {
  if (selectors.length > 0) return { state: "found", selectors: [...new Set(selectors)].toSorted(), note }
  const why = doubt(contract)
  return why === undefined ? { state: "not-found" } : { state: "undecided", why }
}
