import type { Facts, Sum } from "../../../../bytecode/exact/linear.ts"
import type { Expr } from "../../../../bytecode/evm/expression.ts"
import type { Condition } from "../../../../bytecode/evm/path.ts"
import type { Order } from "./delivery.ts"
import type { Roles } from "./roles.ts"

/** A supply from here on is none that the proof speaks of: no coin of 18 decimals has as many. */
export const MOST_SUPPLY = 1n << 112n
const SMALLEST_WIDTH = MOST_SUPPLY - 1n

/** What a condition of an ordinary function is looked at with. */
export interface View {
  readonly roles: Roles
  readonly order: Order
  readonly conditions: Condition | undefined
  readonly facts: Facts
  readonly worth: (word: Expr) => Sum
}

/** A mask that no amount that exists exceeds. */
export const isWideEnough = (mask: bigint): boolean => mask >= SMALLEST_WIDTH

/** The amount that the call is about, cut to its type or not. */
export const isAmount = ({ order }: View, word: Expr): boolean => {
  if (word === order.amount) return true
  const [a, b] = word.args
  return word.op === "and" && a?.op === "const" && isWideEnough(a.value) && b === order.amount
}
