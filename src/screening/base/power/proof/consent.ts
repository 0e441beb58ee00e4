import { type Facts, type Sum, minus, sumOf } from "../../../../bytecode/exact/linear.ts"
import type { Leaf } from "../../../../bytecode/exact/tree.ts"
import type { Expr } from "../../../../bytecode/evm/expression.ts"
import { type Condition, listed } from "../../../../bytecode/evm/path.ts"
import { PERMIT2 } from "../permit2.ts"
import { type Frame, type Party, inOrder, saidEqual } from "./frame.ts"
import { type Roles, accountOf, allowanceRead } from "./roles.ts"
import { entryOf } from "../../../../bytecode/exact/entry.ts"

const THIS = 0x30n
/** Allowances from here on count as unlimited, and need not be lowered. */
const UNLIMITED = 1n << 95n

const holds = (condition: Condition | undefined, test: (expr: Expr, holds: boolean) => boolean): boolean =>
  [...listed(condition)].some((one) => test(one.expr, one.holds))

/** The account is the caller's own, or the token contract's. */
export const isOwnAct = ({ caller }: Roles, { state }: Leaf, account: Expr): boolean => {
  const bare = accountOf(account)
  if (bare === caller || (bare.op === "env" && bare.value === THIS && bare.args.length === 0)) return true
  return saidEqual(state.conditions, account, caller) === true || isPermit2(state.conditions, caller)
}

export const isPermit2 = (conditions: Condition | undefined, account: Expr): boolean =>
  holds(conditions, (expr, held) => {
    const sides = held && expr.op === "eq" ? expr.args.map(accountOf) : []
    return (
      sides.includes(accountOf(account)) && sides.some(({ op, value }) => op === "const" && value === PERMIT2)
    )
  })

const isUnlimited = (conditions: Condition | undefined, read: Expr): boolean =>
  holds(conditions, (expr, held) => {
    const [a, b] = expr.args
    if (expr.op === "not" && !held) return a === read
    if (expr.op === "eq" && held)
      return (
        (a === read && b?.op === "const" && b.value >= UNLIMITED) ||
        (b === read && a?.op === "const" && a.value >= UNLIMITED)
      )
    if (expr.op !== "lt" || a === undefined || b === undefined) return false
    return held
      ? a.op === "const" && a.value >= UNLIMITED && b === read
      : a === read && b.op === "const" && b.value >= UNLIMITED
  })

/** Some way through `transferFrom` is Permit2's own and looks at no allowance. */
export const trustsPermit2 = (roles: Roles, leaves: ReadonlyArray<Leaf>): boolean =>
  leaves.some(
    (leaf) =>
      leaf.ending === "success" &&
      leaf.state.writes !== undefined &&
      isPermit2(leaf.state.conditions, roles.caller) &&
      allowanceReads(roles, leaf).size === 0
  )

const allowanceReads = (roles: Roles, { state }: Leaf): ReadonlySet<Expr> => {
  const found = new Set<Expr>()
  const seen = new Set<Expr>()
  const visit = (word: Expr): void => {
    if (seen.has(word)) return
    seen.add(word)
    if (allowanceRead(roles, word) !== undefined) found.add(word)
    else word.args.forEach(visit)
  }
  for (const { expr } of listed(state.conditions)) visit(expr)
  for (const { value } of listed(state.writes)) visit(value)
  return found
}

/** The account allowed the caller at least what it loses, and the allowance falls by as much or is unlimited. */
export const allowsSpending = (
  roles: Roles,
  leaf: Leaf,
  frame: Frame,
  facts: Facts,
  account: Expr,
  party: Party,
  lost: Sum
): boolean =>
  [...allowanceReads(roles, leaf)].some((word) => {
    const read = allowanceRead(roles, word)
    if (read === undefined || word.value !== 0n || accountOf(read.spender) !== roles.caller) return false
    const isOwner = accountOf(read.owner) === accountOf(account) || party.accounts.includes(read.owner)
    if (!isOwner) return false
    if (isUnlimited(leaf.state.conditions, word)) return true
    const write = inOrder(leaf.state.writes).findLast(
      ({ key, havoc }) =>
        havoc !== true && key === read.key && entryOf(roles.arena, roles.allowances, key) !== undefined
    )
    if (write === undefined) return false
    const after = frame.worth(write.value)
    return facts.atLeastZero(after) && facts.atLeastZero(minus(minus(sumOf(word), after), lost))
  })
