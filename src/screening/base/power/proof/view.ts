import type { Facts, Sum } from "../../../../bytecode/exact/linear.ts"
import type { Expr } from "../../../../bytecode/evm/expression.ts"
import type { Condition, StorageWrite } from "../../../../bytecode/evm/path.ts"
import type { Order } from "./delivery.ts"
import type { Roles } from "./roles.ts"
import { isWideEnough } from "./width.ts"

/** What is known while a condition of an ordinary function is examined. */
export interface View {
  readonly roles: Roles
  readonly order: Order
  readonly conditions: Condition | undefined
  /** What was written before. */
  readonly writes: StorageWrite | undefined
  readonly facts: Facts
  readonly worth: (word: Expr) => Sum
}

/** The amount that the call is about, cut to its type or not. */
export const isAmount = ({ order }: View, word: Expr): boolean => {
  if (word === order.amount) return true
  const [a, b] = word.args
  return word.op === "and" && a?.op === "const" && isWideEnough(a.value) && b === order.amount
}
