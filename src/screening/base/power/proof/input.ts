import { constantValue } from "../../../../bytecode/exact/hash.ts"
import { ADDRESS_MASK, type Expr, WORD_MASK, isEnv } from "../../../../bytecode/evm/expression.ts"
import { substitute } from "../../../../bytecode/substitute.ts"
import { CALL_BYTES } from "./delivery.ts"
import { type View, isAmount } from "./view.ts"
import { isWideEnough } from "./width.ts"

const CALLDATASIZE = 0x36n
const WORD_BYTES = 32n
const SELECTOR_BYTES = 4n

/** A condition on nothing but the length of the call, which every ordinary call meets. */
export const isInputTest = ({ order, roles: { arena } }: View, expr: Expr, failsWhen: boolean): boolean => {
  if (expr.op === "const" || !isOfLength(expr)) return false
  const length = arena.constant(CALL_BYTES[order.kind])
  const met = substitute(arena, expr, (word) => (isEnv(word, CALLDATASIZE) ? length : undefined))
  const value = constantValue(met)
  return value !== undefined && (value !== 0n) !== failsWhen
}

const isOfLength = (expr: Expr): boolean => {
  const words: Array<Expr> = [expr]
  for (let word = words.pop(); word !== undefined; word = words.pop()) {
    if (word.op === "const" || isEnv(word, CALLDATASIZE)) continue
    if (!["lt", "slt", "eq", "xor", "add", "sub", "iszero", "and", "or", "not"].includes(word.op))
      return false
    words.push(...word.args)
  }
  return true
}

/** `x == x & mask`: the argument is as narrow as its type. */
export const isWidthTest = (view: View, a: Expr, b: Expr): boolean => {
  const [mask, inner] = b.args
  if (b.op !== "and" || mask?.op !== "const" || inner !== a) return false
  return isAmount(view, a) ? isRoomFor(view, mask.value) : isArgument(a) && isAddressWide(mask.value)
}

/** Every amount that exists fits; approvals may be of any size. */
const isRoomFor = ({ order }: View, mask: bigint): boolean =>
  order.kind === "approve" ? mask === WORD_MASK : isWideEnough(mask)

/** A whole argument of the call. */
const isArgument = ({ op, args: [at] }: Expr): boolean =>
  op === "calldata" && at?.op === "const" && at.value % WORD_BYTES === SELECTOR_BYTES

const isAddressWide = (mask: bigint): boolean => (mask & ADDRESS_MASK) === ADDRESS_MASK

/** `x >> n`, not zero where the argument is wider than its type. */
export const isWidthShift = (view: View, { op, args: [by, word] }: Expr): boolean => {
  if (op !== "shr" || by?.op !== "const" || word === undefined || !isArgument(word) || by.value > 255n)
    return false
  const mask = (1n << by.value) - 1n
  return isAmount(view, word) ? isRoomFor(view, mask) : isAddressWide(mask)
}
