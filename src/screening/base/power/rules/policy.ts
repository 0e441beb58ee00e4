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

/** Whether a condition compares with a stored address. That tells who trades, and limits nobody by itself. */
export const isAddressTest = (expr: Expr): boolean => {
  const word = stripped(expr)
  if (word.op === "sload" && expr.bits === ADDRESS_BITS) return true
  return (
    expr.op === "eq" && expr.args.some((side) => stripped(side).op === "sload" && side.bits === ADDRESS_BITS)
  )
}

/**
 * Whether a comparison has a party to the transfer on one side, so the caller or an argument. A test that a fee has a
 * recipient at all has none.
 */
export const namesParty = (expr: Expr): boolean =>
  expr.op === "eq" && expr.args.some((side) => (side.from & (FROM_CALLDATA | FROM_CALLER)) !== 0)

/** BALANCE, EXTCODESIZE and EXTCODEHASH: by these code tells contracts from wallets. */
const ACCOUNT_OPCODES: ReadonlySet<bigint> = new Set([0x31n, 0x3bn, 0x3fn])

/** Whether a condition depends on anything besides amounts, the factors they are computed with, and arguments. */
export type IsPolicy = (expr: Expr) => boolean

const HALF = 1n << 255n

/** The overflow test of a counter that goes up, before or after its step: no 256-bit counter ever gets there. */
const isEnd = ({ args, op }: Expr): boolean =>
  op === "eq"
    ? args.some(({ value }) => value === WORD_MASK)
    : op === "add" && args.some((step) => step.op === "const" && step.value < HALF)

/** The calls whose success or answer the expression depends on. Their arguments: the contract, then what it is given. */
const callsIn = (expr: Expr): ReadonlyArray<Expr> =>
  (expr.from & FROM_CALL) === 0 ? [] : expr.op === "call" ? [expr] : expr.args.flatMap(callsIn)

const CALLER = 0x33

/** The parties to a transfer: the caller, and the account in the first argument. */
const partiesOf = ({ arena }: ContractModel): ReadonlyArray<Expr> => [arena.env(CALLER), argument(arena, 0)]

const EXTCODESIZE = 0x3bn
const RETURNDATASIZE = 0x3dn
const OPCODE = 0xffn

/** Whether the condition only asks if ether that was sent without calldata was accepted. */
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
 * Whether the condition asks how a call went to a contract at a constant address that is not told who trades: it is a
 * router that sells the fees the token took, and judges no transfers.
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

/** Recognises conditions that only ask whether the contract's own sale of fees it took went through. */
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

/**
 * Stored addresses that a condition only passes to other contracts as an argument, for instance as the recipient of a
 * payment: they do not decide. Left out are those of contracts that are called.
 */
export const namedToOthers = (expr: Expr): ReadonlyArray<Field> => {
  const calls = callsIn(expr)
  const asked = calls.flatMap(({ args }) => args.slice(0, 1).flatMap(readsOf))
  return calls
    .flatMap(({ args }) => args.slice(1))
    .filter((word) => word.bits === ADDRESS_BITS && stripped(word).op === "sload")
    .flatMap(readsOf)
    .filter((field) => !asked.some((one) => overlaps(one, field)))
}
