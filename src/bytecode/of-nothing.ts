import type { Arena, Expr } from "./evm/expression.ts"
import { fractionOf } from "./fraction.ts"
import { type Outcome, listed } from "./evm/path.ts"
import { substitute } from "./substitute.ts"

/** Where so small a share of an amount is nothing, what the amount is worth is nothing, whatever the decimals. */
const DUST = 1n << 20n

/**
 * The argument that a condition says is zero, all of it: of one that is masked or shifted only some bits are. One of which
 * a fixed share is nothing is too little to matter: a tax is taken only "where there is one".
 */
export const zeroArgument = (expr: Expr, holds: boolean): Expr | undefined => {
  if (holds) return undefined
  const share = expr.op === "div" ? fractionOf(expr) : undefined
  const word = share !== undefined && share.part * DUST > share.whole ? share.of : expr
  return word.op === "calldata" ? word : undefined
}

/**
 * A word as it is on a path that is open to arguments of zero alone. Older SafeMath multiplies nothing on a way of its
 * own: without this a transfer that keeps nearly all would seem to have a way on which it keeps nothing, and a fee a way
 * on which it is not taken.
 */
export const knownZeros = (arena: Arena, { conditions }: Outcome): ((word: Expr) => Expr) => {
  const zeros = new Set<Expr>()
  for (const { expr, holds } of listed(conditions)) {
    const word = zeroArgument(expr, holds)
    if (word !== undefined) zeros.add(word)
  }
  if (zeros.size === 0) return (word) => word
  return (word) => substitute(arena, word, (e) => (zeros.has(e) ? arena.constant(0n) : undefined))
}
