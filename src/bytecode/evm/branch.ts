import { type Arena, type Expr, isEnv } from "./expression.ts"
import { OPCODE } from "./opcode.ts"
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

/** Nobody has the key of the zero address, and no code lives there: it calls nothing. */
const isSomebody = (expr: Expr): boolean =>
  isEnv(expr, BigInt(OPCODE.CALLER)) || isEnv(expr, BigInt(OPCODE.ADDRESS))

/** Code that runs outside a constructor stands at its own address. */
const isOwnCode = ({ args: [account], op, value }: Expr): boolean =>
  op === "env" &&
  value === BigInt(OPCODE.EXTCODESIZE) &&
  account !== undefined &&
  isEnv(account, BigInt(OPCODE.ADDRESS))

/**
 * Whether the conditions already passed decide this one, or it is decided anywhere.
 * @param told is told the condition that decides it
 */
export const decidedBy = (
  conditions: Condition | undefined,
  expr: Expr,
  told?: (known: Expr) => void
): boolean | undefined => {
  if (expr.op === "const") return expr.value !== 0n
  if (isSomebody(expr) || isOwnCode(expr)) return true
  for (const { expr: known, holds } of listed(conditions)) {
    const excludes = holds && expr.op === "eq" && known.op === "eq" && expr.args[0] === known.args[0]
    // x == c holds, so x == d does not.
    const isOther = excludes && expr.args[1]?.op === "const" && known.args[1]?.op === "const"
    if (known !== expr && !isOther) continue
    told?.(known)
    return known === expr && holds
  }
  return undefined
}
