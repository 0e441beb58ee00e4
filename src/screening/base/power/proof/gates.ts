import {
  Facts,
  type Sum,
  fractionOf,
  minus,
  plus,
  sidesOf,
  sumOf
} from "../../../../bytecode/exact/linear.ts"
import type { Fork } from "../../../../bytecode/exact/tree.ts"
import { ADDRESS_MASK, type Expr } from "../../../../bytecode/evm/expression.ts"
import { type Condition, listed } from "../../../../bytecode/evm/path.ts"
import { PERMIT2 } from "../permit2.ts"
import { isPermit2 } from "./consent.ts"
import { type Order, isTransfer } from "./delivery.ts"
import { substitute } from "../../../../bytecode/substitute.ts"
import { constantValue } from "../../../../bytecode/exact/hash.ts"
import { casesOf, frameOf, saidEqual } from "./frame.ts"
import { type Limit, limitAt } from "./limit.ts"
import { type Roles, accountOf, allowanceRead, balanceRead, mostOf } from "./roles.ts"
import { isVoteTest } from "./votes/gates.ts"
import { type View, isAmount, isWideEnough } from "./view.ts"

const THIS = 0x30n
const CALLDATASIZE = 0x36n
const CALLVALUE = 0x34n
const DEAD = 0xdeadn
/** No amount that exists is as large. */
const UNREACHABLE = 1n << 128n
const MAX_FACTOR = 1n << 64n

const isEnv = (e: Expr, opcode: bigint): boolean =>
  e.op === "env" && e.value === opcode && e.args.length === 0

const partiesOf = ({ roles, order }: View): ReadonlyArray<Expr> => [
  roles.caller,
  accountOf(order.from),
  accountOf(order.to)
]

const isParty = (view: View, word: Expr): boolean => partiesOf(view).includes(accountOf(word))

/** Nobody sells to himself; but a spender may well be the recipient. */
const isSameParty = (view: View, a: Expr, b: Expr): boolean => {
  const pair = new Set([accountOf(a), accountOf(b)])
  const isSpenderHimself = view.order.kind === "transferFrom" && pair.has(view.roles.caller)
  return isParty(view, b) && !(isSpenderHimself && pair.has(accountOf(view.order.to)))
}

/** Nobody sells to the token, to zero or to the burn address. */
const isNobodysAccount = (word: Expr): boolean =>
  isEnv(word, THIS) || (word.op === "const" && (word.value === 0n || word.value === DEAD))

const isOwnFunds = ({ roles, order }: View, word: Expr): boolean => {
  if (!isTransfer(order)) return false
  const balance = balanceRead(roles, word)
  if (balance !== undefined) return accountOf(balance.account) === accountOf(order.from)
  const allowance = order.kind === "transferFrom" ? allowanceRead(roles, word) : undefined
  return (
    allowance !== undefined &&
    accountOf(allowance.owner) === accountOf(order.from) &&
    accountOf(allowance.spender) === roles.caller
  )
}

/** The allowance that an approval replaces: some tokens ask that it be given back first. */
const isReplaced = ({ roles, order }: View, word: Expr): boolean => {
  const allowance = order.kind === "approve" ? allowanceRead(roles, word) : undefined
  return (
    allowance !== undefined &&
    accountOf(allowance.owner) === accountOf(order.from) &&
    accountOf(allowance.spender) === accountOf(order.to)
  )
}

/** Words no larger than what exists: balances, allowances spent, the amount and shares of it. */
const isBounded = (view: View, word: Expr): boolean => {
  if (balanceRead(view.roles, word) !== undefined || isOwnFunds(view, word) || isAmount(view, word))
    return true
  const fraction = fractionOf(word, mostOf(view.roles))
  return fraction !== undefined && fraction.part <= fraction.whole && isBounded(view, fraction.of)
}

/** `amount >= 0`, or own funds that suffice for the amount or a share of it. */
const isFundsTest = (view: View, room: Sum): boolean => {
  if ([...room.terms.keys()].some((word) => !isBounded(view, word))) return false
  if (room.constant < 0n) return false
  if (view.facts.atLeastZero(room)) return true
  const amount = sumOf(view.order.amount)
  return [...room.terms].some(([word, count]) => {
    if (count !== 1n || !isOwnFunds(view, word)) return false
    return view.facts.atLeastZero(plus(minus(room, sumOf(word)), amount))
  })
}

/** `MAX - x - y`: the room left before a sum of existing amounts wraps. */
const isHeadroom = (view: View, room: Sum): boolean =>
  room.constant === -1n && [...room.terms].every(([word, count]) => count === -1n && isBounded(view, word))

/** What calls of the ordinary functions are long, in bytes. */
const LENGTH = { transfer: 68n, transferFrom: 100n, approve: 68n, balanceOf: 36n } as const

/** A condition on nothing but the length of the call, which every ordinary call meets. */
const isInputTest = ({ order, roles: { arena } }: View, expr: Expr, failsWhen: boolean): boolean => {
  if (expr.op === "const" || !isOfLength(expr)) return false
  const length = arena.constant(LENGTH[order.kind])
  const met = substitute(arena, expr, (word) => (isEnv(word, CALLDATASIZE) ? length : undefined))
  const value = constantValue(met)
  return value !== undefined && (value !== 0n) !== failsWhen
}

const isOfLength = (expr: Expr): boolean => {
  const words: Array<Expr> = [expr]
  for (let word = words.pop(); word !== undefined; word = words.pop()) {
    if (word.op === "const" || isEnv(word, CALLDATASIZE)) continue
    if (!["lt", "slt", "add", "sub", "iszero", "and", "or", "not"].includes(word.op)) return false
    words.push(...word.args)
  }
  return true
}

/** `x * c / c == x`, or `x * c / x == c`: the check that a product does not wrap, of existing amounts. */
const isProductTest = (view: View, a: Expr, b: Expr): boolean => {
  const [product, divisor] = a.args
  if (a.op !== "div" || product?.op !== "mul" || divisor === undefined) return false
  const [x, y] = product.args
  if (x === undefined || y === undefined) return false
  const most = mostOf(view.roles)
  const isFactor = (word: Expr): boolean => (most(word) ?? MAX_FACTOR + 1n) <= MAX_FACTOR
  return (
    (isFactor(x) || isFactor(y)) &&
    [x, y].every((word) => isFactor(word) || isBounded(view, word)) &&
    ((x === divisor && y === b) || (y === divisor && x === b))
  )
}

/** `x == x & mask`: the argument is as narrow as its type. */
const isWidthTest = (view: View, a: Expr, b: Expr): boolean => {
  const [mask, inner] = b.args
  if (b.op !== "and" || mask?.op !== "const" || inner !== a) return false
  return isAmount(view, a) ? isWideEnough(mask.value) : a.op === "calldata" && isAddressWide(mask.value)
}

const isAddressWide = (mask: bigint): boolean => (mask & ADDRESS_MASK) === ADDRESS_MASK

/** `x >> n`, not zero where the argument is wider than its type. */
const isWidthShift = (view: View, { op, args: [by, word] }: Expr): boolean => {
  if (op !== "shr" || by?.op !== "const" || word?.op !== "calldata" || by.value > 255n) return false
  const mask = (1n << by.value) - 1n
  return isAmount(view, word) ? isWideEnough(mask) : isAddressWide(mask)
}

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

const isOrdinaryComparison = (view: View, a: Expr, b: Expr, failsWhen: boolean): boolean => {
  if (failsWhen) {
    // Asked: a >= b.
    if (a.op === "const" && a.value >= UNREACHABLE && isBounded(view, b)) return true
    const room = minus(view.worth(a), view.worth(b))
    return isHeadroom(view, room) || isFundsTest(view, room)
  }
  // Asked: a < b.
  if (b.op === "const" && b.value >= UNREACHABLE) return isBounded(view, a)
  return a.op === "const" && a.value === 0n && (isAmount(view, b) || isOwnFunds(view, b))
}

/**
 * Whether a condition that fails on one side is arithmetic over the parties' own balances and allowances, the amount
 * and constants, and refuses nothing but what no holder could mean: too little balance or allowance, a nonsense
 * recipient, a malformed call.
 */
const isOrdinary = (view: View, expr: Expr, failsWhen: boolean): boolean => {
  const [a, b] = expr.args
  if (expr.op === "iszero" && a !== undefined) return isOrdinary(view, a, !failsWhen)
  if (isInputTest(view, expr, failsWhen)) return true
  if (expr.op === "xor" && a !== undefined && b !== undefined)
    return isOrdinaryEquality(view, a, b, !failsWhen)
  const isEither = expr.op === "or" || (expr.op === "and" && expr.bits === 1 && a?.op !== "const")
  if (isEither && a !== undefined && b !== undefined) {
    const either = (expr.op === "or") !== failsWhen
    const [x, y] = [isOrdinary(view, a, failsWhen), isOrdinary(view, b, failsWhen)]
    return either ? x || y : x && y
  }
  if (expr.op === "eq" && a !== undefined && b !== undefined) return isOrdinaryEquality(view, a, b, failsWhen)
  const sides = expr.op === "lt" ? sidesOf(expr) : undefined
  if (sides !== undefined) return isOrdinaryComparison(view, ...sides, failsWhen)
  if (failsWhen) {
    return isEnv(expr, CALLVALUE) || isWidthShift(view, expr) || isReplaced(view, expr)
  }
  return isParty(view, expr) || isAmount(view, expr) || isOwnFunds(view, expr)
}

/** Cases in which nothing is at stake: transfers to oneself, of nothing, to or from nobody. */
const isIdle = (roles: Roles, order: Order, conditions: Condition | undefined): boolean => {
  const { arena } = roles
  if (order.kind === "approve") return roles.trustsPermit2 && isPermit2(conditions, order.to)
  if (order.kind === "balanceOf") return saidEqual(conditions, order.from, arena.zero) === true
  return (
    saidEqual(conditions, order.from, order.to) === true ||
    saidEqual(conditions, order.from, arena.zero) === true ||
    saidEqual(conditions, order.to, arena.zero) === true ||
    [...listed(conditions)].some(({ expr, holds }) => expr === order.amount && !holds)
  )
}

/** What stands in the way at one branch: in words, and where it is a bounded limit, which. */
export interface Gate {
  readonly why: string
  readonly limit?: Limit
}

/** Why a branch of which one side fails is no ordinary condition; `undefined` where it is one. */
export const gateReason = (
  roles: Roles,
  order: Order,
  { expr, conditions, writes }: Fork,
  failsWhen: boolean
): Gate | undefined => {
  if (isIdle(roles, order, conditions)) return undefined
  const parties = casesOf(roles, writes, conditions)?.[0]
  const frame = parties === undefined ? "many" : frameOf(roles, writes, parties)
  if (typeof frame === "string") return { why: describe(roles, expr) }
  const view: View = {
    roles,
    order,
    conditions,
    facts: new Facts(conditions, frame.replace, mostOf(roles)),
    worth: frame.worth
  }
  if (isOrdinary(view, expr, failsWhen) || isVoteTest(view, expr, failsWhen)) return undefined
  const limit = limitAt(view, expr, failsWhen)
  return limit === undefined ? { why: describe(roles, expr) } : { why: "a limit", limit }
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
