import type { ContractModel } from "../../../../bytecode/contract.ts"
import { FROM_STORAGE, type Expr } from "../../../../bytecode/evm/expression.ts"
import { listed } from "../../../../bytecode/evm/path.ts"
import type { Finding } from "../findings.ts"
import { PROXY_SLOT_LIST } from "../proxy-slots.ts"
import { findingOf } from "./verdict.ts"

const isStored = (target: Expr): boolean => (target.from & FROM_STORAGE) !== 0

const NAMED: ReadonlySet<bigint> = new Set(PROXY_SLOT_LIST.map(BigInt))

/**
 * The code can change after the screening: delegatecall or callcode to a stored address, SELFDESTRUCT, or another name
 * put where proxies find the code they run.
 */
export const replaceableFinding = (contract: ContractModel): Finding => {
  const selectors: Array<string> = []
  for (const [selector, { paths }] of contract.functions)
    for (const { calls, outcome } of paths) {
      for (const { kind, target } of calls)
        if (kind === "selfdestruct" || ((kind === "delegatecall" || kind === "callcode") && isStored(target)))
          selectors.push(selector)
      if (
        outcome.end !== "revert" &&
        [...listed(outcome.writes)].some(({ key }) => key.op === "const" && NAMED.has(key.value))
      )
        selectors.push(selector)
    }
  return findingOf(contract, selectors, "the code can be replaced or destroyed")
}
