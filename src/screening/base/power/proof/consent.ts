import { toHex } from "viem"
import { type Facts, type Sum, minus, sumOf } from "../../../../bytecode/exact/linear.ts"
import type { Leaf } from "../../../../bytecode/exact/tree.ts"
import type { Expr } from "../../../../bytecode/evm/expression.ts"
import { type Condition, type StorageWrite, listed } from "../../../../bytecode/evm/path.ts"
import { mayBeSame } from "../../../../bytecode/exact/same.ts"
import { PERMIT2 } from "../permit2.ts"
import { SELECTOR } from "../../../../bytecode/selector.ts"
import { errandOf, isWithin, spendingOf } from "./errands.ts"
import { isGiving } from "./giving.ts"
import { type Frame, type Party, forgottenBefore, inOrder } from "./frame.ts"
import { type Roles, accountOf, allowanceRead, isContracts } from "./roles.ts"
import { saidFixed, saidSame } from "./said.ts"
import { MOST_SUPPLY } from "./width.ts"
import { entryOf } from "../../../../bytecode/exact/entry.ts"

/** The least of all words of ones that may stand for an allowance without limit: what is kept in 96 bits. */
const LEAST_ONES = (1n << 96n) - 1n
const PERMIT2_ADDRESS = toHex(PERMIT2, { size: 20 })

const holds = (condition: Condition | undefined, test: (expr: Expr, holds: boolean) => boolean): boolean =>
  [...listed(condition)].some((one) => test(one.expr, one.holds))

/** Whoever calls. */
export const isCallers = ({ caller }: Roles, { state }: Leaf, account: Expr): boolean =>
  accountOf(account) === caller || saidSame(state.conditions, account, caller)

/** What one account, of those that are one party, loses on a path. */
export interface Debit {
  readonly account: Expr
  readonly party: Party
  readonly lost: Sum
}

/** Whoever calls loses something by a function of which nobody knows whether he meant to. */
export const isOwnByAnyName = (roles: Roles, selector: string, leaf: Leaf, account: Expr): boolean =>
  errandOf(roles, selector) === undefined && isCallers(roles, leaf, account)

/**
 * Whoever loses something does it himself, by a function whose name says so, or allowed the caller to take it; or the token's
 * own contract does. An approval moves nothing, and a transfer no more than it is asked to and from nobody else: they are
 * called by pools, routers and Permit2, which hold tokens for others or may spend what others hold, and ask for nothing
 * beyond it.
 */
export const isOwnLoss = (
  roles: Roles,
  leaf: Leaf,
  selector: string,
  frame: Frame,
  facts: Facts,
  { account, lost, party }: Debit
): boolean => {
  if (isContracts(account)) return true
  const { conditions } = leaf.state
  const errand = errandOf(roles, selector)
  if (errand !== undefined && !isWithin(leaf, facts, errand, account, lost)) return false
  if (isCallers(roles, leaf, account)) return errand !== undefined || isGiving(selector)
  if (selector === SELECTOR.transferFrom && isPermit2(conditions, roles.caller)) return true
  return (
    spendingOf(roles, selector) !== undefined &&
    allowsSpending(roles, leaf, frame, facts, { account, lost, party })
  )
}

/** The branches taken say that the account is Permit2. */
export const isPermit2 = (conditions: Condition | undefined, account: Expr): boolean =>
  saidFixed(conditions, account, true).includes(PERMIT2_ADDRESS)

const isOnes = ({ op, value }: Expr): boolean =>
  op === "const" && value >= LEAST_ONES && (value & (value + 1n)) === 0n

/** More than there is: an allowance of a part, however large, is no allowance of everything. */
const isBeyondSupply = ({ op, value }: Expr): boolean => op === "const" && value >= MOST_SUPPLY

/** The branches taken say that what is allowed has no limit. */
export const isUnlimited = (conditions: Condition | undefined, read: Expr): boolean =>
  holds(conditions, (expr, held) => {
    const [a, b] = expr.args
    if (expr.op === "not" && !held) return a === read
    if (a === undefined || b === undefined) return false
    if (expr.op === "eq" && held) return (a === read && isOnes(b)) || (b === read && isOnes(a))
    if (expr.op !== "lt") return false
    return held ? isBeyondSupply(a) && b === read : a === read && isBeyondSupply(b)
  })

/** Every way through `transferFrom` that Permit2 can take is its own, and looks at no allowance. */
export const trustsPermit2 = (roles: Roles, leaves: ReadonlyArray<Leaf>): boolean => {
  const moving = leaves.filter(({ ending, state }) => ending !== "revert" && state.writes !== undefined)
  const free = moving.filter((leaf) => allowanceReads(roles, leaf).size === 0)
  return (
    free.some(({ state }) => isPermit2(state.conditions, roles.caller)) &&
    moving.every(
      (leaf) =>
        free.includes(leaf) || saidFixed(leaf.state.conditions, roles.caller, false).includes(PERMIT2_ADDRESS)
    )
  )
}

/** Allowances that the path looks at. */
export const allowanceReads = (roles: Roles, { state }: Leaf): ReadonlySet<Expr> => {
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

/** A later write sets the same allowance under another name of its owner; the contract's own is nobody's. */
const isOverwritten = ({ allowances, arena }: Roles, { state }: Leaf, { id, key }: StorageWrite): boolean =>
  inOrder(state.writes).some((write) => {
    if (write.havoc === true || write.id <= id || write.key === key || !mayBeSame(write.key, key))
      return false
    const [owner] = entryOf(arena, allowances, write.key) ?? []
    return owner !== undefined && !isContracts(owner)
  })

/** The account allowed the caller at least what it loses, and the allowance falls by as much or is unlimited. */
const allowsSpending = (
  roles: Roles,
  leaf: Leaf,
  frame: Frame,
  facts: Facts,
  { account, lost, party }: Debit
): boolean =>
  [...allowanceReads(roles, leaf)].some((word) => {
    const read = allowanceRead(roles, word)
    if (read === undefined || accountOf(read.spender) !== roles.caller) return false
    const isOwner = accountOf(read.owner) === accountOf(account) || party.accounts.includes(read.owner)
    if (!isOwner) return false
    if (word.value === 0n && isUnlimited(leaf.state.conditions, word)) return true
    const write = inOrder(leaf.state.writes).findLast(
      ({ key, havoc }) =>
        havoc !== true && key === read.key && entryOf(roles.arena, roles.allowances, key) !== undefined
    )
    if (write === undefined || isOverwritten(roles, leaf, write)) return false
    // Whoever was asked something meanwhile may have spent it, too.
    if (word.value !== forgottenBefore(write)) return false
    const after = frame.worth(write.value)
    return facts.atLeastZero(after) && facts.atLeastZero(minus(minus(sumOf(word), after), lost))
  })
