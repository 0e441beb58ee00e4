import { type Bits, KnownBits, type Stored } from "../../../../bytecode/exact/bits.ts"
import { type Expr, WORD_MASK } from "../../../../bytecode/evm/expression.ts"
import { type Condition, listed } from "../../../../bytecode/evm/path.ts"

/**
 * The branches taken leave a word nothing to be but `now`: compared, as it is, with what is known, it can be neither less nor
 * more. So it is with a number at its most, to which only nothing can be added. Of storage counts what stood there before the
 * call alone: what is read later may be what the path wrote.
 */
export const isOnly = (
  stored: Stored,
  conditions: Condition | undefined,
  word: Expr,
  { mask, value: now }: Bits
): boolean => {
  if (mask !== WORD_MASK) return false
  const bits = new KnownBits(stored, { trusts: () => false })
  let [least, most] = [0n, WORD_MASK]
  for (const { expr, holds } of listed(conditions)) {
    const [a, b] = expr.args
    if (expr.op !== "lt" || a === undefined || b === undefined || (a === word) === (b === word)) continue
    const other = bits.of(a === word ? b : a)
    if (other.mask !== WORD_MASK) continue
    const isBelow = (a === word) === holds
    const limit = holds ? (isBelow ? other.value - 1n : other.value + 1n) : other.value
    if (isBelow) most = limit < most ? limit : most
    else least = limit > least ? limit : least
  }
  return least === now && most === now
}
