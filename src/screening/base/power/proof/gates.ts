import { sidesOf } from "../../../../bytecode/exact/linear.ts"
import type { Fork } from "../../../../bytecode/exact/tree.ts"
import { type Expr, isEnv } from "../../../../bytecode/evm/expression.ts"
import { type Condition, listed } from "../../../../bytecode/evm/path.ts"
import { PERMIT2 } from "../permit2.ts"
import { isPermit2 } from "./consent.ts"
import { type Order, isTransfer, partyOf } from "./delivery.ts"
import { type Party, casesOf, factsIn, frameOf } from "./frame.ts"
import {
  isBounded,
  isFundsTest,
  isGuardedProduct,
  isHeadroom,
  isOwnBefore,
  isProductTest,
  isReplaced
} from "./funds.ts"
import { isInputTest, isWidthShift, isWidthTest } from "./input.ts"
import { type Limit, limitAt } from "./limit.ts"
import { type Roles, accountOf, allowanceRead, balanceRead, THIS } from "./roles.ts"
import { saidSame } from "./said.ts"
import { isVoteTest } from "./votes/gates.ts"
import { type View, isAmount } from "./view.ts"
import { UNREACHABLE } from "./width.ts"

const CALLVALUE = 0x34n
const DEAD = 0xdeadn

const partiesOf = ({ roles, order }: View): ReadonlyArray<Expr> => [
  roles.caller,
  accountOf(order.from),
  accountOf(order.to)
]

const isParty = (view: View, word: Expr): boolean => partiesOf(view).includes(accountOf(word))

/** Nobody sells to himself; but a spender may well be the recipient. */
const isSameParty = (view: View, a: Expr, b: Expr): boolean => {
  // A pool asks for its own balance.
  if (view.order.kind === "balanceOf") return false
  const pair = new Set([accountOf(a), accountOf(b)])
  const isSpenderHimself = view.order.kind === "transferFrom" && pair.has(view.roles.caller)
  return isParty(view, b) && !(isSpenderHimself && pair.has(accountOf(view.order.to)))
}

/** Nobody sells to the token, to zero or to the burn address. */
const isNobodysAccount = (word: Expr): boolean =>
  isEnv(word, THIS) || (word.op === "const" && (word.value === 0n || word.value === DEAD))

/** An approval refused to Permit2 alone, which needs none: it spends without. */
const isTrustedSpender = ({ roles, order }: View, a: Expr, b: Expr): boolean =>
  order.kind === "approve" &&
  roles.trustsPermit2 &&
  accountOf(a) === accountOf(order.to) &&
  b.op === "const" &&
  b.value === PERMIT2

const isOrdinaryEquality = (view: View, a: Expr, b: Expr, failsWhen: boolean): boolean => {
  if (!failsWhen) {
    const product = isProductTest(view, a, b) || isProductTest(view, b, a)
    return product || isWidthTest(view, a, b) || isWidthTest(view, b, a)
  }
  if (isTrustedSpender(view, a, b) || isTrustedSpender(view, b, a)) return true
  if (isParty(view, a)) return isSameParty(view, a, b) || isNobodysAccount(accountOf(b))
  if (isParty(view, b)) return isNobodysAccount(accountOf(a))
  return false
}

/** Of this size there is none that a party has or could move; approvals may be of any size. */
const isNeverReached = (view: View, bound: Expr, word: Expr): boolean => {
  if (bound.op !== "const" || bound.value < UNREACHABLE || !isBounded(view, word)) return false
  const balance = balanceRead(view.roles, word)
  return balance === undefined ? isTransfer(view.order) : isParty(view, balance.account)
}

const isOrdinaryComparison = (view: View, a: Expr, b: Expr, failsWhen: boolean): boolean => {
  if (failsWhen) {
    // Asked: a >= b.
    if (isNeverReached(view, a, b)) return true
    const [x, y] = [view.worth(a), view.worth(b)]
    return isHeadroom(view, x, y) || isFundsTest(view, x, y)
  }
  // Asked: a < b.
  if (b.op === "const" && b.value >= UNREACHABLE) return isNeverReached(view, b, a)
  return a.op === "const" && a.value === 0n && (isAmountMoved(view, b) || isOwnBefore(view, b))
}

/** The word says whether something is asked for: that it is (true), or that it is not. */
const saysSome = (view: View, word: Expr): boolean | undefined => {
  const [inner] = word.args
  const said = word.op === "iszero" && inner !== undefined ? saysSome(view, inner) : undefined
  return said === undefined ? isAmount(view, word) || undefined : !said
}

/** A transfer of nothing may fail; an approval of nothing takes back what stands, and must not. */
const isAmountMoved = (view: View, word: Expr): boolean => isTransfer(view.order) && isAmount(view, word)

/** The branches taken say that something is asked for, so that whoever takes all of it back is refused nothing. */
const asksForSome = (view: View): boolean =>
  [...listed(view.conditions)].some(({ expr, holds }) => holds && isAmount(view, expr))

/**
 * Whether a condition that fails on one side is arithmetic over the parties' own balances and allowances, the amount
 * and constants, and refuses nothing but what no holder could mean: too little balance or allowance, a nonsense
 * recipient, a malformed call.
 * @param sparesZero it does not fail for an amount of zero, by what it stands beside
 */
const isOrdinary = (view: View, expr: Expr, failsWhen: boolean, sparesZero = false): boolean => {
  const [a, b] = expr.args
  if (expr.op === "iszero" && a !== undefined) return isOrdinary(view, a, !failsWhen, sparesZero)
  if (isInputTest(view, expr, failsWhen)) return true
  if (expr.op === "xor" && a !== undefined && b !== undefined)
    return isOrdinaryEquality(view, a, b, !failsWhen)
  const isEither = expr.op === "or" || (expr.op === "and" && a?.bits === 1 && b?.bits === 1)
  if (isEither && a !== undefined && b !== undefined) {
    if (expr.op === "or" && !failsWhen && (isGuardedProduct(view, a, b) || isGuardedProduct(view, b, a)))
      return true
    const either = (expr.op === "or") !== failsWhen
    const sparing = (word: Expr): boolean => sparesZero || (either && saysSome(view, word) === failsWhen)
    const [x, y] = [isOrdinary(view, a, failsWhen, sparing(b)), isOrdinary(view, b, failsWhen, sparing(a))]
    return either ? x || y : x && y
  }
  if (expr.op === "eq" && a !== undefined && b !== undefined) return isOrdinaryEquality(view, a, b, failsWhen)
  const sides = expr.op === "lt" ? sidesOf(expr) : undefined
  if (sides !== undefined) return isOrdinaryComparison(view, ...sides, failsWhen)
  if (failsWhen) {
    const isRefused = isReplaced(view, expr) && (sparesZero || asksForSome(view))
    return isEnv(expr, CALLVALUE) || isWidthShift(view, expr) || isRefused
  }
  return isParty(view, expr) || isAmountMoved(view, expr) || isOwnBefore(view, expr)
}

/** Cases in which nothing is at stake: transfers to oneself, of nothing, to or from nobody. */
export const isIdle = (roles: Roles, order: Order, conditions: Condition | undefined): boolean => {
  const { arena } = roles
  if (order.kind === "approve") return roles.trustsPermit2 && isPermit2(conditions, order.to)
  if (order.kind === "balanceOf") return saidSame(conditions, order.from, arena.zero)
  return (
    saidSame(conditions, order.from, order.to) ||
    saidSame(conditions, order.from, arena.zero) ||
    saidSame(conditions, order.to, arena.zero) ||
    [...listed(conditions)].some(({ expr, holds }) => expr === order.amount && !holds)
  )
}

/** What stands in the way at one branch: in words, and where it is a bounded limit, which. */
export interface Gate {
  readonly why: string
  readonly limit?: Limit
}

/** Why a branch of which one side fails is no ordinary condition in one case of who is whom; `undefined` where it is one. */
const caseReason = (
  roles: Roles,
  order: Order,
  fork: Fork,
  failsWhen: boolean,
  parties: ReadonlyArray<Party>
): Gate | undefined => {
  const { expr, conditions, writes } = fork
  const frame = frameOf(roles, fork, parties)
  if (typeof frame === "string") return { why: describe(roles, expr) }
  const view: View = {
    roles,
    order,
    conditions,
    writes,
    facts: factsIn(roles, conditions, frame),
    worth: frame.worth
  }
  if (isOrdinary(view, expr, failsWhen) || isVoteTest(view, expr, failsWhen)) return undefined
  const limit = limitAt(view, expr, failsWhen)
  return limit === undefined ? { why: describe(roles, expr) } : { why: "a limit", limit }
}

/** The sender is the recipient, and nothing is at stake. */
const isToOneself = ({ from, to }: Order, parties: ReadonlyArray<Party>): boolean => {
  const sender = partyOf(parties, from)
  return sender !== undefined && sender === partyOf(parties, to)
}

/**
 * Why a branch of which one side fails is no ordinary condition, whoever else the parties are: a fee may go to anybody, the
 * recipient among them. None where it is one.
 */
export const gateReasons = (
  roles: Roles,
  order: Order,
  fork: Fork,
  failsWhen: boolean
): ReadonlyArray<Gate> => {
  const { conditions, expr, writes } = fork
  if (isIdle(roles, order, conditions)) return []
  const cases = casesOf(roles, writes, conditions)
  if (cases === undefined) return [{ why: describe(roles, expr) }]
  return cases
    .filter((parties) => !isToOneself(order, parties))
    .flatMap((parties) => caseReason(roles, order, fork, failsWhen, parties) ?? [])
}

const ASKED: ReadonlyArray<readonly [ReadonlyArray<number>, string]> = [
  [[0x42, 0x43], "the time"],
  [[0x40, 0x41, 0x44, 0x45, 0x48, 0x49, 0x4a], "the block"],
  [[0x32, 0x3a], "who started the transaction"],
  [[0x31, 0x47], "a balance of ether"],
  [[0x3b, 0x3c, 0x3f], "another account's code"],
  [[0x5a, 0x59], "the gas left"],
  [[0xf1, 0x3d], "another contract"]
]

/** What a condition depends on that a transfer should not: in plain words. */
const describe = (roles: Roles, expr: Expr): string => {
  const seen = new Set<Expr>()
  const found = new Set<string>()
  const visit = (word: Expr): void => {
    if (seen.has(word)) return
    seen.add(word)
    if (balanceRead(roles, word) !== undefined || allowanceRead(roles, word) !== undefined) return
    if (word.op === "call" || word.op === "ret") found.add("another contract")
    if (word.op === "unknown") found.add("a value that could not be followed")
    if (word.op === "sload")
      found.add(word.args[0]?.op === "const" ? "a stored switch or number" : "a stored table")
    if (word.op === "env")
      for (const [opcodes, what] of ASKED) if (opcodes.includes(Number(word.value & 0xffn))) found.add(what)
    if (word.op !== "sload") word.args.forEach(visit)
  }
  visit(expr)
  const [first] = found
  return first ?? "more than the parties' own balances and the amount"
}
