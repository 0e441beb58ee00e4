import type { ContractModel } from "../../../../bytecode/contract.ts"
import { SELECTOR } from "../../../../bytecode/selector.ts"
import type { Finding } from "../findings.ts"

/**
 * The code has functions, was read whole, runs no other code, and has no `transfer`: there are no holders that anything
 * could be done to.
 */
export const isNoToken = ({ functions, delegates, unresolved, complete }: ContractModel): boolean =>
  functions.size > 1 && !functions.has(SELECTOR.transfer) && !delegates && !unresolved && complete

/** Why "nothing found" would be a claim too many; undefined where the code was read whole. */
const doubt = (contract: ContractModel): string | undefined => {
  if (isNoToken(contract)) return undefined
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
