import type { ContractModel } from "../../../../bytecode/contract.ts"
import { SELECTOR } from "../../../../bytecode/selector.ts"
import { type Expr, observes } from "../../../../bytecode/evm/expression.ts"
import type { Finding } from "../findings.ts"
import { findingOf } from "./verdict.ts"

/** ORIGIN, GASPRICE, COINBASE, PREVRANDAO, GASLIMIT, BASEFEE, BLOBBASEFEE: what a simulation may have different. */
const OBSERVED: ReadonlySet<bigint> = new Set([0x32n, 0x3an, 0x41n, 0x44n, 0x45n, 0x48n, 0x4an])

/** A condition on the transfer path asks for something by which a simulation can be told from a trade. */
export const environmentFinding = (contract: ContractModel): Finding => {
  const seen = new Set<Expr>()
  const asked = contract.gates.some(({ expr }) => observes(expr, OBSERVED, seen))
  return findingOf(
    contract,
    asked ? [SELECTOR.transfer] : [],
    "transfers depend on who started or mined the transaction"
  )
}
