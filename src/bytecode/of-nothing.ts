import type { Arena, Expr } from "./evm/expression.ts"
import { fractionOf } from "./fraction.ts"
import { type Outcome, listed } from "./evm/path.ts"
import { substitute } from "./substitute.ts"

/** The argument that a condition says is zero, all of it: of one that is masked or shifted only some bits are. */
export const zeroArgument = (expr: Expr, holds: boolean): Expr | undefined =>
  !holds && expr.op === "calldata" ? expr : undefined

/** Where so small a share of an amount is nothing, what the amount is worth is nothing, whatever the decimals. */
const DUST = 1n << 20n

/**
 * The same, or one of which a fixed share is nothing: too little of it arrives to be a delivery, where a tax is taken only
 * "if there is one". It is not zero: what somebody makes of it may be any multiple.
 */
export const trifleArgument = (expr: Expr, holds: boolean): Expr | undefined => {
  const share = expr.op === "div" ? fractionOf(expr) : undefined
  return zeroArgument(share !== undefined && share.part * DUST > share.whole ? share.of : expr, holds)
}

/**
 * A word as it is on a path that is open to arguments of zero alone. Older SafeMath multiplies nothing on a way of its
 * own: without this a transfer that keeps nearly all would seem to have a way on which it keeps nothing, and a fee a way
 * on which it is not taken.
 * @param nothing the argument that a condition says is nothing
 */
export const knownZeros = (
  arena: Arena,
  { conditions }: Outcome,
  nothing: typeof zeroArgument = zeroArgument
): ((word: Expr) => Expr) => {
  const zeros = new Set<Expr>()
  for (const { expr, holds } of listed(conditions)) {
    const word = nothing(expr, holds)
    if (word !== undefined) zeros.add(word)
  }
  if (zeros.size === 0) return (word) => word
  return (word) => substitute(arena, word, (e) => (zeros.has(e) ? arena.constant(0n) : undefined))
}
