import { type Facts, type Sum, minus, sumOf } from "../../../../bytecode/exact/linear.ts"
import type { Leaf } from "../../../../bytecode/exact/tree.ts"
import type { Expr } from "../../../../bytecode/evm/expression.ts"
import type { StorageWrite } from "../../../../bytecode/evm/path.ts"
import { entryOf } from "../../../../bytecode/exact/entry.ts"
import { SELECTOR, selectorsOf } from "../../../../bytecode/selector.ts"
import { isCallers } from "./consent.ts"
import { isUnwilling, isWithin, spendingOf } from "./errands.ts"
import { forgottenBefore } from "./frame.ts"
import { isGiving } from "./giving.ts"
import { type Roles, accountOf, argument, isContracts } from "./roles.ts"
import { permits } from "./signature.ts"

const SETTING: ReadonlySet<string> = new Set([
  SELECTOR.approve,
  ...selectorsOf(["approveAndCall(address,uint256)", "approveAndCall(address,uint256,bytes)"])
])

const RAISING: ReadonlySet<string> = new Set(
  selectorsOf(["increaseAllowance(address,uint256)", "increaseApproval(address,uint256)"])
)

const MOVING: ReadonlySet<string> = new Set([SELECTOR.transfer, SELECTOR.transferFrom])

/** One allowance that a path writes, before and after. */
interface Allowance {
  readonly owner: Expr
  readonly spender: Expr
  readonly value: Expr
  readonly before: Sum
  readonly after: Sum
  /** Others were called before, and may have been told of an allowance that was raised already. */
  readonly isLate: boolean
}

/** An argument that stands behind the first. */
const isArgument = ({ op, args: [at] }: Expr): boolean =>
  op === "calldata" && at?.op === "const" && at.value >= 36n && at.value % 32n === 4n

/**
 * The caller allows the one spender he names, and no more than he names: by a function that is there to allow, or by one
 * by which holders give, where he names the amount word for word.
 */
const isAsked = (
  roles: Roles,
  selector: string,
  facts: Facts,
  { after, before, isLate, spender, value }: Allowance
): boolean => {
  if (accountOf(spender) !== argument(roles.arena, 0)) return false
  const amount = argument(roles.arena, 1)
  if (SETTING.has(selector)) return value === amount
  if (isGiving(selector)) return isArgument(value)
  const raised = minus(after, before)
  if (isLate || !RAISING.has(selector)) return false
  return facts.atLeastZero(after) && facts.atLeastZero(minus(sumOf(amount), raised))
}

const falls = (facts: Facts, { after, before }: Allowance): boolean =>
  facts.atLeastZero(after) && facts.atLeastZero(minus(before, after))

/**
 * The owner himself allows it, by a function that is there to allow, and never by a transfer. He may take an allowance
 * back by others too, but not by a call that approves somebody else. What the contract itself allows is nobody's.
 */
const isOwnGrant = (
  roles: Roles,
  leaf: Leaf,
  selector: string,
  facts: Facts,
  allowance: Allowance
): boolean => {
  const { owner, spender, value } = allowance
  if (MOVING.has(selector) || isUnwilling(selector)) return false
  const isBack = value === roles.arena.zero || falls(facts, allowance)
  if (isContracts(owner)) return accountOf(spender).op === "calldata" || isBack
  if (!isCallers(roles, leaf, owner)) return false
  if (isAsked(roles, selector, facts, allowance)) return true
  return isBack && (!SETTING.has(selector) || accountOf(spender) === argument(roles.arena, 0))
}

/** The caller uses what the owner allowed him, as much as is asked for, and no more of the allowance is gone. */
const isSpent = (roles: Roles, leaf: Leaf, selector: string, facts: Facts, allowance: Allowance): boolean => {
  const { after, before, owner, spender } = allowance
  const errand = spendingOf(roles, selector)
  return (
    errand !== undefined &&
    accountOf(spender) === roles.caller &&
    falls(facts, allowance) &&
    isWithin(leaf, facts, errand, owner, minus(before, after))
  )
}

/** Whether an allowance is written as its owner wants it: given, taken back, signed for or spent. */
export const isAllowed = (
  roles: Roles,
  selector: string,
  leaf: Leaf,
  facts: Facts,
  worth: (word: Expr) => Sum,
  write: StorageWrite
): boolean => {
  const { key, value } = write
  const [owner, spender] = entryOf(roles.arena, roles.allowances, key) ?? []
  if (owner === undefined || spender === undefined) return true
  const version = forgottenBefore(write)
  const before = sumOf(roles.arena.node("sload", [key], version))
  const allowance = { owner, spender, value, before, after: worth(value), isLate: version !== 0n }
  return (
    isOwnGrant(roles, leaf, selector, facts, allowance) ||
    permits(roles, leaf, owner, spender, value) ||
    isSpent(roles, leaf, selector, facts, allowance)
  )
}
