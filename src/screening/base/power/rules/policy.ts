import type { ContractModel } from "../../../../bytecode/contract.ts"
import {
  type Expr,
  FROM_CALL,
  FROM_CALLDATA,
  FROM_CALLER,
  FROM_STORAGE,
  WORD_MASK,
  contains,
  observes
} from "../../../../bytecode/evm/expression.ts"
import { stripped } from "../../../../bytecode/guard.ts"
import { type Field, overlaps, readsOf } from "../../../../bytecode/location.ts"
import { argument, isAmount } from "../../../../bytecode/summary.ts"
import { privilegedFields } from "./chosen.ts"
import { type Fee, bearableFees } from "./fee.ts"

const ADDRESS_BITS = 160

/** Comparing addresses tells who trades; it does not limit by itself. */
export const isAddressTest = (expr: Expr): boolean => {
  const word = stripped(expr)
  if (word.op === "sload" && expr.bits === ADDRESS_BITS) return true
  return (
    expr.op === "eq" && expr.args.some((side) => stripped(side).op === "sload" && side.bits === ADDRESS_BITS)
  )
}

/** An account of the transfer is compared with the stored one; that a fee has somebody to go to is no such test. */
export const namesParty = (expr: Expr): boolean =>
  expr.op === "eq" && expr.args.some((side) => (side.from & (FROM_CALLDATA | FROM_CALLER)) !== 0)

/** BALANCE, EXTCODESIZE and EXTCODEHASH: what kind of account somebody is. */
const ACCOUNT_OPCODES: ReadonlySet<bigint> = new Set([0x31n, 0x3bn, 0x3fn])

/** Whether a failing condition has to do with anything besides amounts, what they are worked out with, and arguments. */
export type IsPolicy = (expr: Expr) => boolean

const HALF = 1n << 255n

/** What a counter that goes up is asked for its end by, before it does or after: a whole word never comes there. */
const isEnd = ({ args, op }: Expr): boolean =>
  op === "eq"
    ? args.some(({ value }) => value === WORD_MASK)
    : op === "add" && args.some((step) => step.op === "const" && step.value < HALF)

/** The words of which a call's success, or its answer, is asked: the contract, and what it is given. */
const callsIn = (expr: Expr): ReadonlyArray<Expr> =>
  (expr.from & FROM_CALL) === 0 ? [] : expr.op === "call" ? [expr] : expr.args.flatMap(callsIn)

const CALLER = 0x33

/** Who gives in a transfer, and who gets, as its first word or the caller says. */
const partiesOf = ({ arena }: ContractModel): ReadonlyArray<Expr> => [arena.env(CALLER), argument(arena, 0)]

const EXTCODESIZE = 0x3bn
const RETURNDATASIZE = 0x3dn
const OPCODE = 0xffn

/** The condition asks whether somebody took ether that he was sent without a word. */
const isOfPayment = (expr: Expr): boolean => {
  const calls = callsIn(expr)
  return (
    calls.length > 0 &&
    calls.every(({ args: [, ...given] }) => given.every(({ value, op }) => op === "const" && value === 0n))
  )
}

/** The code names an account for good: itself, or in storage that nothing writes any more. */
const fixedIn = ({ functions }: ContractModel): ((word: Expr | undefined) => boolean) => {
  const written = [...functions.values()].flatMap(({ paths }) => paths.flatMap(({ others }) => others))
  return (word) => {
    if (word === undefined) return false
    const named = stripped(word)
    return (
      named.op === "const" ||
      (named.op === "sload" && !readsOf(word).some((field) => written.some((one) => overlaps(one, field))))
    )
  }
}

/**
 * The condition asks how a call went to a contract that the code names for good, which is not told who trades: a router that
 * sells what the contract took, and no judge of transfers.
 */
const isOfFixed = (
  expr: Expr,
  parties: ReadonlyArray<Expr>,
  isFixed: ReturnType<typeof fixedIn>
): boolean => {
  if (expr.op === "env" && expr.value === EXTCODESIZE) return isFixed(expr.args[0])
  if (stripped(expr).op === "sload" && isFixed(expr)) return true
  if (expr.args.some(({ op, value }) => op === "env" && (value & OPCODE) === RETURNDATASIZE)) return true
  const calls = callsIn(expr)
  return (
    calls.length > 0 &&
    calls.every(
      ({ args: [target, ...given] }) =>
        isFixed(target) && !given.some((word) => parties.some((party) => contains(word, party)))
    )
  )
}

/** Whether a condition asks no more than how it went when the contract sold what it took. */
export const ownSaleOf = (contract: ContractModel): ((expr: Expr) => boolean) => {
  const parties = partiesOf(contract)
  const isFixed = fixedIn(contract)
  return (expr) => isOfFixed(expr, parties, isFixed) || isOfPayment(expr)
}

export const policyOf = (contract: ContractModel, fees: ReadonlyArray<Fee>): IsPolicy => {
  const known = [...contract.factors, ...bearableFees(contract, fees)]
  const set = privilegedFields(contract)
  const isCounted = (expr: Expr): boolean =>
    isEnd(expr) && !readsOf(expr).some((field) => set.some((one) => overlaps(one, field)))
  const isOther = (field: Field): boolean =>
    !isAmount(contract.model, field) && !known.some((one) => overlaps(one, field))
  return (expr) =>
    isAddressTest(expr) ||
    observes(expr, ACCOUNT_OPCODES) ||
    (readsOf(expr).some(isOther) && !isCounted(expr)) ||
    (expr.from & (FROM_STORAGE | FROM_CALLDATA)) === 0
}

/** Accounts that a condition only names to other contracts, as who gets what they hand out: they do not decide. */
export const namedToOthers = (expr: Expr): ReadonlyArray<Field> => {
  const calls = callsIn(expr)
  const asked = calls.flatMap(({ args }) => args.slice(0, 1).flatMap(readsOf))
  return calls
    .flatMap(({ args }) => args.slice(1))
    .filter((word) => word.bits === ADDRESS_BITS && stripped(word).op === "sload")
    .flatMap(readsOf)
    .filter((field) => !asked.some((one) => overlaps(one, field)))
}
