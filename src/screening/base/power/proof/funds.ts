import { type Sum, minus, negated, plus, sumOf } from "../../../../bytecode/exact/linear.ts"
import { fractionOf } from "../../../../bytecode/fraction.ts"
import type { Expr } from "../../../../bytecode/evm/expression.ts"
import { listed } from "../../../../bytecode/evm/path.ts"
import { isTransfer } from "./delivery.ts"
import { accountOf, allowanceRead, balanceRead, mostOf } from "./roles.ts"
import { type View, isAmount } from "./view.ts"
import { UNREACHABLE } from "./width.ts"

const MAX_FACTOR = 1n << 64n

const isOwnFunds = ({ roles, order }: View, word: Expr): boolean => {
  if (!isTransfer(order)) return false
  const balance = balanceRead(roles, word)
  if (balance !== undefined)
    return balance.version === 0n && accountOf(balance.account) === accountOf(order.from)
  const allowance = order.kind === "transferFrom" ? allowanceRead(roles, word) : undefined
  return (
    allowance !== undefined &&
    word.value === 0n &&
    accountOf(allowance.owner) === accountOf(order.from) &&
    accountOf(allowance.spender) === roles.caller
  )
}

/** Own funds as they were before the transfer, whenever they are read. */
export const isOwnBefore = (view: View, word: Expr): boolean => {
  const { constant, terms } = view.worth(word)
  const [[read, count] = []] = terms
  return terms.size === 1 && constant === 0n && count === 1n && read !== undefined && isOwnFunds(view, read)
}

/** The allowance that an approval replaces: some tokens ask that it be taken back first. */
export const isReplaced = ({ roles, order }: View, word: Expr): boolean => {
  const allowance = order.kind === "approve" ? allowanceRead(roles, word) : undefined
  return (
    allowance !== undefined &&
    accountOf(allowance.owner) === accountOf(order.from) &&
    accountOf(allowance.spender) === accountOf(order.to)
  )
}

/** Words no larger than what exists: balances, the amount and shares of them. */
export const isBounded = (view: View, word: Expr): boolean => {
  if (balanceRead(view.roles, word) !== undefined || isAmount(view, word)) return true
  const fraction = fractionOf(word, mostOf(view.roles))
  return fraction !== undefined && fraction.part <= fraction.whole && isBounded(view, fraction.of)
}

/** A word of this worth wraps neither way: one number less others that are no more, or a few that exist together. */
const isExact = (view: View, sum: Sum): boolean => {
  if (!view.facts.atLeastZero(sum)) return false
  const added = [...sum.terms].filter(([, count]) => count > 0n)
  const isFew = sum.constant < UNREACHABLE && added.every(([, count]) => count <= MAX_FACTOR)
  return view.facts.isExact(sum) || (isFew && added.every(([word]) => isBounded(view, word)))
}

/** `amount >= 0`, or own funds that suffice for the amount or a share of it. */
export const isFundsTest = (view: View, a: Sum, b: Sum): boolean => {
  const room = minus(a, b)
  if (!isExact(view, a) || !isExact(view, b)) return false
  if ([...room.terms.keys()].some((word) => !isBounded(view, word) && !isOwnFunds(view, word))) return false
  if (room.constant < 0n) return false
  if (view.facts.atLeastZero(room)) return true
  const amount = sumOf(view.order.amount)
  return [...room.terms].some(([word, count]) => {
    if (count !== 1n || !isOwnFunds(view, word)) return false
    return view.facts.atLeastZero(plus(minus(room, sumOf(word)), amount))
  })
}

const areTaken = (view: View, { terms }: Sum): boolean =>
  [...terms].every(([word, count]) => count === -1n && isBounded(view, word))

/** `MAX - x >= y`: the room left before a sum of existing amounts wraps. */
export const isHeadroom = (view: View, a: Sum, b: Sum): boolean =>
  a.constant === -1n && b.constant === 0n && areTaken(view, a) && areTaken(view, negated(b))

/** Division by zero answers zero, so the test of a product asks nothing only where the divisor is something. */
const isSomething = ({ conditions, order }: View, word: Expr): boolean =>
  (word.op === "const" && word.value !== 0n) ||
  word === order.amount ||
  [...listed(conditions)].some(({ expr, holds }) => holds && expr === word)

/** The two factors of a product. One of a power of two is written as a shift, and one of one not at all. */
const factorsOf = ({ roles: { arena } }: View, product: Expr): readonly [Expr, Expr] | undefined => {
  const [x, y] = product.args
  if (product.op === "mul") return x === undefined || y === undefined ? undefined : [x, y]
  if (product.op !== "shl") return [product, arena.one]
  return x?.op === "const" && x.value < 256n && y !== undefined
    ? [y, arena.constant(1n << x.value)]
    : undefined
}

/**
 * `x * c / c == x`, or `x * c / x == c`: the check that a product does not wrap, of existing amounts.
 * @param something what is known not to be zero beside
 */
export const isProductTest = (view: View, a: Expr, b: Expr, something?: Expr): boolean => {
  const [product, divisor] = a.args
  if (a.op !== "div" || product === undefined || divisor === undefined) return false
  if (divisor !== something && !isSomething(view, divisor)) return false
  const [x, y] = factorsOf(view, product) ?? []
  if (x === undefined || y === undefined) return false
  const most = mostOf(view.roles)
  const isFactor = (word: Expr): boolean => (most(word) ?? MAX_FACTOR + 1n) <= MAX_FACTOR
  return (
    (isFactor(x) || isFactor(y)) &&
    [x, y].every((word) => isFactor(word) || isBounded(view, word)) &&
    ((x === divisor && y === b) || (y === divisor && x === b))
  )
}

/** `x == 0 || x * c / x == c`, as compilers write it. */
export const isGuardedProduct = (view: View, zero: Expr, test: Expr): boolean => {
  const [factor] = zero.args
  const [a, b] = test.args
  if (zero.op !== "iszero" || test.op !== "eq" || a === undefined || b === undefined) return false
  return isProductTest(view, a, b, factor) || isProductTest(view, b, a, factor)
}
