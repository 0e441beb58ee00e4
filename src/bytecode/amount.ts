import type { Expr } from "./evm/expression.ts"
import { stripped } from "./guard.ts"

/** How a write changes an amount: what is added and taken away, or `replaced` where the old amount plays no part. */
export interface Delta {
  readonly replaced: boolean
  readonly plus: ReadonlyArray<Expr>
  readonly minus: ReadonlyArray<Expr>
}

const MAX_DEPTH = 24

/** Splits `value` into terms; `key` is the storage key whose old content counts as the old amount. */
export const deltaOf = (key: Expr, value: Expr): Delta => {
  const plus: Array<Expr> = []
  const minus: Array<Expr> = []
  let old = false
  const walk = (word: Expr, positive: boolean, depth: number): void => {
    const e = stripped(word)
    const [a, b] = e.args
    if (e.op === "sload" && a === key && positive) old = true
    else if ((e.op === "add" || e.op === "or") && a !== undefined && b !== undefined && depth < MAX_DEPTH) {
      walk(a, positive, depth + 1)
      walk(b, positive, depth + 1)
    } else if (e.op === "sub" && a !== undefined && b !== undefined && depth < MAX_DEPTH) {
      walk(a, positive, depth + 1)
      walk(b, !positive, depth + 1)
    } else if (e.op === "const" && e.value >= 1n << 255n) (positive ? minus : plus).push(e)
    else if (e.op !== "const" || e.value !== 0n) (positive ? plus : minus).push(e)
  }
  walk(value, true, 0)
  return { replaced: !old, plus, minus }
}
