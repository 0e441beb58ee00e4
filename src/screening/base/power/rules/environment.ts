import type { ContractModel } from "../../../../bytecode/contract.ts"
import { SELECTOR } from "../../../../bytecode/selector.ts"
import type { Expr } from "../../../../bytecode/evm/expression.ts"
import type { Finding } from "../findings.ts"
import { findingOf } from "./verdict.ts"

/** ORIGIN, GASPRICE, COINBASE, PREVRANDAO, GASLIMIT, BASEFEE, BLOBBASEFEE: what a simulation may have different. */
const OBSERVED: ReadonlySet<number> = new Set([0x32, 0x3a, 0x41, 0x44, 0x45, 0x48, 0x4a])

const observes = (word: Expr, seen: Set<Expr>): boolean => {
  if (seen.has(word)) return false
  seen.add(word)
  if (word.op === "env" && OBSERVED.has(Number(word.value))) return true
  return word.args.some((arg) => observes(arg, seen))
}

/** A condition on the transfer path asks for something by which a simulation can be told from a trade. */
export const environmentFinding = (contract: ContractModel): Finding => {
  const seen = new Set<Expr>()
  const asked = contract.gates.some(({ expr }) => observes(expr, seen))
  return findingOf(
    contract,
    asked ? [SELECTOR.transfer] : [],
    "transfers depend on who started or mined the transaction"
  )
}
