import type { ContractModel } from "../../../../bytecode/contract.ts"
import { FROM_STORAGE, type Expr } from "../../../../bytecode/evm/expression.ts"
import type { Finding } from "../findings.ts"
import { findingOf } from "./verdict.ts"

const isStored = (target: Expr): boolean => (target.from & FROM_STORAGE) !== 0

/** The code can change after the screening: delegatecall or callcode to a stored address, or SELFDESTRUCT. */
export const replaceableFinding = (contract: ContractModel): Finding => {
  const selectors: Array<string> = []
  for (const [selector, { paths }] of contract.functions)
    for (const { calls } of paths)
      for (const { kind, target } of calls)
        if (kind === "selfdestruct" || ((kind === "delegatecall" || kind === "callcode") && isStored(target)))
          selectors.push(selector)
  return findingOf(contract, selectors, "the code can be replaced or destroyed")
}
