import type { ContractModel } from "../../../../bytecode/contract.ts"
import { type Expr, FROM_CALLDATA, contains } from "../../../../bytecode/evm/expression.ts"
import { listed } from "../../../../bytecode/evm/path.ts"
import { readsOf } from "../../../../bytecode/location.ts"
import { type BalanceChange, type PathSummary, shrinks } from "../../../../bytecode/summary.ts"
import { isLostIn } from "./wrapping.ts"

/**
 * The path compares the balance with the amount, or with what the amount is a part of, or somebody's entry elsewhere which
 * is no allowance.
 */
const isAsked = (contract: ContractModel, path: PathSummary, key: Expr, amount: Expr): boolean => {
  const balance = contract.arena.node("sload", [key])
  const isEntry = (word: Expr): boolean =>
    readsOf(word).some(
      ({ location }) => location.keys.length > 0 && !contract.model.allowances.has(location.base)
    )
  const isAbout = (side: Expr): boolean =>
    side.op !== "const" && (contains(amount, side) || contains(side, amount))
  return [...listed(path.outcome.conditions)].some(
    ({ expr }) =>
      expr.args.some(isAbout) &&
      (contains(expr, balance) || isEntry(expr)) &&
      // What is left of an entry is compared with it, or the amount is.
      expr.args.every((side) => isEntry(side) || !isLostIn(contract, path, side, amount))
  )
}

const isTakenUnasked = (contract: ContractModel, path: PathSummary, { delta, key }: BalanceChange): boolean =>
  !delta.replaced &&
  delta.minus.some(
    (amount) =>
      amount.bits === 256 && (amount.from & FROM_CALLDATA) !== 0 && !isAsked(contract, path, key, amount)
  )

/**
 * The path takes what the caller chooses from a balance and never asks whether there is as much: what falls below zero
 * wraps around, and is more than there ever was.
 */
export const wrapsBalance = (contract: ContractModel, path: PathSummary): boolean =>
  path.balances.some((change) => shrinks(change) && isTakenUnasked(contract, path, change))
