import { toFunctionSelector } from "viem"
import { type Facts, type Sum, minus, plus, sumOf } from "../../../../bytecode/exact/linear.ts"
import type { Leaf } from "../../../../bytecode/exact/tree.ts"
import type { Expr } from "../../../../bytecode/evm/expression.ts"
import { type Condition, type StorageWrite, listed } from "../../../../bytecode/evm/path.ts"
import { mayBeSame } from "../../../../bytecode/exact/same.ts"
import { FALLBACK } from "../../../../bytecode/contract.ts"
import { CALLBACKS } from "./callbacks.ts"
import { PERMIT2 } from "../permit2.ts"
import { SELECTOR } from "../../../../bytecode/selector.ts"
import { type Frame, type Party, inOrder } from "./frame.ts"
import { type Roles, accountOf, allowanceRead, argument } from "./roles.ts"
import { saidSame } from "./said.ts"
import { entryOf } from "../../../../bytecode/exact/entry.ts"

const THIS = 0x30n
/** Allowances from here on count as unlimited, and need not be lowered. */
const UNLIMITED = 1n << 95n

const holds = (condition: Condition | undefined, test: (expr: Expr, holds: boolean) => boolean): boolean =>
  [...listed(condition)].some((one) => test(one.expr, one.holds))

const isContracts = (account: Expr): boolean => {
  const { args, op, value } = accountOf(account)
  return op === "env" && value === THIS && args.length === 0
}

const isCallers = ({ caller }: Roles, { state }: Leaf, account: Expr): boolean =>
  accountOf(account) === caller || saidSame(state.conditions, account, caller)

/** What one account, of those that are one party, loses on a path. */
export interface Debit {
  readonly account: Expr
  readonly party: Party
  readonly lost: Sum
}

/** What the functions that others call for a holder, or that a holder calls in passing, may take, from whom. */
interface Errand {
  readonly from: Expr
  readonly amount: Expr
}

const errandOf = ({ arena, caller }: Roles, selector: string): Errand | undefined => {
  if (selector === SELECTOR.transfer) return { from: caller, amount: argument(arena, 1) }
  if (selector === SELECTOR.transferFrom) return { from: argument(arena, 0), amount: argument(arena, 2) }
  return SETTING.has(selector) || isUnwilling(selector) ? { from: caller, amount: arena.zero } : undefined
}

/** What sets an allowance moves nothing: routers with everybody's allowance call it too. Source: ERC-2612, ERC-7597, DAI. */
const SETTING: ReadonlySet<string> = new Set([
  SELECTOR.approve,
  SELECTOR.permit,
  toFunctionSelector("permit(address,address,uint256,uint256,bytes)"),
  toFunctionSelector("permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)")
])

const spending = (
  places: readonly [number, number],
  signatures: ReadonlyArray<string>
): ReadonlyArray<readonly [string, readonly [number, number]]> =>
  signatures.map((signature) => [toFunctionSelector(signature), places])

/**
 * Functions by which an allowance is spent, with the places of the owner and the amount among their arguments. Routers that
 * hold everybody's allowance call others too, for anybody and with whatever he likes. Source: ERC-20, ERC-1363, ERC-7802,
 * OpenZeppelin's ERC20Burnable, IOptimismMintableERC20.
 */
const SPENDING: ReadonlyMap<string, readonly [number, number]> = new Map([
  ...spending(
    [0, 2],
    [
      "transferFrom(address,address,uint256)",
      "transferFromAndCall(address,address,uint256)",
      "transferFromAndCall(address,address,uint256,bytes)"
    ]
  ),
  ...spending(
    [0, 1],
    ["burnFrom(address,uint256)", "burn(address,uint256)", "crosschainBurn(address,uint256)"]
  )
])

/** In a callback, or in a call of any function name, the caller does not act of their own will. */
const isUnwilling = (selector: string): boolean => CALLBACKS.has(selector) || selector === FALLBACK

/** The sum with an argument in the place of what a mask leaves of it, which is no more. */
const atMost = ({ terms, constant }: Sum, whole: Expr): Sum => {
  let sum: Sum = { terms: new Map(), constant }
  for (const [word, count] of terms) {
    const isPart = count > 0n && word.op === "and" && word.args.includes(whole)
    sum = plus(sum, sumOf(isPart ? whole : word), count)
  }
  return sum
}

/**
 * Whoever loses something does it himself, or allowed the caller to take it; or the token's own contract does. An approval
 * moves nothing, and a transfer no more than it is asked to and from nobody else: they are called by
 * pools, routers and Permit2, which hold tokens for others or may spend what others hold, and ask for nothing beyond it.
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
  if (isCallers(roles, leaf, account)) return true
  if (selector === SELECTOR.transferFrom && isPermit2(conditions, roles.caller)) return true
  const [from, amount] = (SPENDING.get(selector) ?? []).map((n) => argument(roles.arena, n))
  return (
    from !== undefined &&
    amount !== undefined &&
    isWithin(leaf, facts, { from, amount }, account, lost) &&
    allowsSpending(roles, leaf, frame, facts, { account, lost, party })
  )
}

/** The account is the one that is named, and loses no more than is asked for. */
const isWithin = (
  { state }: Leaf,
  facts: Facts,
  { amount, from }: Errand,
  account: Expr,
  lost: Sum
): boolean =>
  (accountOf(account) === accountOf(from) || saidSame(state.conditions, account, from)) &&
  facts.atLeastZero(minus(sumOf(amount), atMost(lost, amount)))

const MOVING: ReadonlySet<string> = new Set([SELECTOR.transfer, SELECTOR.transferFrom])

/**
 * The owner himself allows it, to a spender he names: to nobody else in the same call, and never by a transfer. An owner
 * may take an allowance back, but not by a call that approves somebody else.
 */
export const isOwnGrant = (
  roles: Roles,
  leaf: Leaf,
  selector: string,
  owner: Expr,
  spender: Expr,
  value: Expr
): boolean => {
  if (MOVING.has(selector) || isUnwilling(selector)) return false
  if (!(isContracts(owner) || isCallers(roles, leaf, owner))) return false
  const named = accountOf(spender)
  if (selector === SELECTOR.approve) return named === argument(roles.arena, 0)
  return named.op === "calldata" || value === roles.arena.zero
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
    if (read === undefined || word.value !== 0n || accountOf(read.spender) !== roles.caller) return false
    const isOwner = accountOf(read.owner) === accountOf(account) || party.accounts.includes(read.owner)
    if (!isOwner) return false
    if (isUnlimited(leaf.state.conditions, word)) return true
    const write = inOrder(leaf.state.writes).findLast(
      ({ key, havoc }) =>
        havoc !== true && key === read.key && entryOf(roles.arena, roles.allowances, key) !== undefined
    )
    if (write === undefined || isOverwritten(roles, leaf, write)) return false
    const after = frame.worth(write.value)
    return facts.atLeastZero(after) && facts.atLeastZero(minus(minus(sumOf(word), after), lost))
  })
