import { type KnownBits, isKnownZero } from "../../../../bytecode/exact/bits.ts"
import { ADDRESS_MASK, type Expr, isEnv } from "../../../../bytecode/evm/expression.ts"
import { type Condition, listed } from "../../../../bytecode/evm/path.ts"
import { isNobody } from "../../addresses.ts"
import { accountOf, isContracts } from "./roles.ts"

const CALLER = 0x33n

export const isCaller = (e: Expr): boolean => isEnv(e, CALLER)

/** No key signs for it, so it never calls. */
const neverCalls = (account: bigint): boolean =>
  account <= ADDRESS_MASK && isNobody(`0x${account.toString(16).padStart(40, "0")}`)

const EXTCODESIZE = 0x3bn

/** Code that runs outside a constructor stands at its own address. */
const isOwnCode = ({ args: [account], op, value }: Expr): boolean =>
  op === "env" && value === EXTCODESIZE && account !== undefined && isContracts(account)

/** Whoever calls is not nobody, and a contract that is called has code. */
export const decidesCaller = (expr: Expr): boolean | undefined => {
  if (isCaller(accountOf(expr)) || isOwnCode(expr)) return true
  const sides = expr.op === "eq" ? expr.args.map(accountOf) : []
  const asked = sides.some(isCaller) ? sides.find(({ op }) => op === "const") : undefined
  return asked !== undefined && neverCalls(asked.value) ? false : undefined
}

/** A condition that asks the caller to be somebody who never calls. Whatever stands above the account in its word is none of it. */
const asksNobody = (bits: KnownBits, expr: Expr): boolean => {
  const sides = expr.op === "eq" ? expr.args.map(accountOf) : []
  if (!sides.some(isCaller)) return false
  return sides.some((side) => {
    const { mask, value } = bits.of(side)
    return (mask & ADDRESS_MASK) === ADDRESS_MASK && neverCalls(value & ADDRESS_MASK)
  })
}

/** Whether a path with these conditions can be taken while the settled slots hold what they hold. */
export const isPossible = (
  { bits }: { readonly bits: KnownBits },
  conditions: Condition | undefined
): boolean => {
  for (const { expr, holds } of listed(conditions)) {
    const zero = isKnownZero(bits.of(expr))
    if (zero === holds) return false
    if (holds ? asksNobody(bits, expr) : isCaller(accountOf(expr))) return false
  }
  return true
}
