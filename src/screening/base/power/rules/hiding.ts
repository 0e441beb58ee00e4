import type { ContractModel } from "../../../../bytecode/contract.ts"
import type { Expr } from "../../../../bytecode/evm/expression.ts"
import { listed } from "../../../../bytecode/evm/path.ts"
import { stripped } from "../../../../bytecode/guard.ts"
import { type Field, overlaps, readsOf } from "../../../../bytecode/location.ts"
import { SELECTOR } from "../../../../bytecode/selector.ts"
import { type PathSummary, argument, isAmount } from "../../../../bytecode/summary.ts"
import { privilegedPaths } from "./chosen.ts"
import { isFlag } from "./flag.ts"

const isNothing = ({ outcome }: PathSummary): boolean => outcome.returned?.op === "const"

/** What the answer hangs on besides amounts: the holder's own entries, switches, and all that is asked of a holder by name. */
const decidingOn = (
  { model }: ContractModel,
  { outcome }: PathSummary,
  holder: Expr
): ReadonlyArray<Field> => {
  const conditions = [...listed(outcome.conditions)]
  const isNamed = conditions.some(
    ({ expr, holds }) => holds && expr.op === "eq" && expr.args.map(stripped).includes(holder)
  )
  return conditions
    .flatMap(({ expr }) => readsOf(expr))
    .filter(
      (field) =>
        !isAmount(model, field) && (isNamed || field.location.keys.includes(holder) || isFlag(field.mask))
    )
}

/**
 * Accounts that somebody privileged marks or names are said to hold nothing, or all of them are: a pool that is among them
 * takes no more sales.
 */
export const hidingPaths = (contract: ContractModel): ReadonlyArray<PathSummary> => {
  const answers = contract.functions.get(SELECTOR.balanceOf)?.paths ?? []
  if (answers.every(isNothing)) return []
  const holder = argument(contract.arena, 0)
  const deciding = answers.filter(isNothing).flatMap((path) => decidingOn(contract, path, holder))
  return privilegedPaths(contract, (_, change) => deciding.some((field) => overlaps(field, change)))
}
