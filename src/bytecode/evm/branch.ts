import type { Arena, Expr } from "./expression.ts"
import { type Condition, listed } from "./path.ts"
import { isZero } from "./simplify.ts"

/**
 * The expression that decides a branch, with negations stripped and differences read as comparisons, and whether the
 * branch is taken when the expression is nonzero.
 */
export const normalised = (
  arena: Arena,
  condition: Expr
): { readonly expr: Expr; readonly positive: boolean } => {
  let expr = condition
  let positive = true
  for (;;) {
    const [inner] = expr.args
    const zero = isZero(arena, expr)
    const [same] = zero.args
    if (expr.op === "iszero" && inner !== undefined) expr = inner
    else if (zero.op === "eq") expr = zero
    else if (zero.op === "iszero" && same !== undefined && same !== expr) {
      // `0 - x` is zero where `x` is.
      expr = same
      continue
    } else return { expr, positive }
    positive = !positive
  }
}

/** Whether the conditions already passed decide this one. */
export const decidedBy = (conditions: Condition | undefined, expr: Expr): boolean | undefined => {
  for (const { expr: known, holds } of listed(conditions)) {
    if (known === expr) return holds
    const excludes = holds && expr.op === "eq" && known.op === "eq" && expr.args[0] === known.args[0]
    // x == c holds, so x == d does not.
    if (excludes && expr.args[1]?.op === "const" && known.args[1]?.op === "const") return false
  }
  return undefined
}
