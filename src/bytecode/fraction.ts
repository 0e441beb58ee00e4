import type { Expr } from "./evm/expression.ts"

/** The largest number a word can be, where that is known. */
export type Most = (word: Expr) => bigint | undefined

export const constantOnly: Most = ({ op, value }) => (op === "const" ? value : undefined)

/** `x * c / d` with a constant `d` and a `c` that is bounded: the largest fraction of `x` it can be. */
export const fractionOf = (
  word: Expr,
  most: Most = constantOnly
): { readonly of: Expr; readonly part: bigint; readonly whole: bigint } | undefined => {
  const [product, whole] = word.args
  if (word.op !== "div" && word.op !== "shr") return undefined
  const [numerator, divisor] =
    word.op === "div"
      ? [product, whole?.op === "const" ? whole.value : undefined]
      : [whole, product?.op === "const" && product.value < 256n ? 1n << product.value : undefined]
  if (numerator === undefined || divisor === undefined || divisor === 0n) return undefined
  const [x, y] = numerator.args
  if (numerator.op === "mul" && x !== undefined && y !== undefined) {
    const [first, second] = [most(x), most(y)]
    if (first !== undefined) return { of: y, part: first, whole: divisor }
    if (second !== undefined) return { of: x, part: second, whole: divisor }
  }
  if (numerator.op === "shl" && x?.op === "const" && y !== undefined && x.value < 256n)
    return { of: y, part: 1n << x.value, whole: divisor }
  return { of: numerator, part: 1n, whole: divisor }
}
