import type { ContractModel } from "../../../../bytecode/contract.ts"
import { answerOf } from "../../../../bytecode/evm/data.ts"
import { type Expr, FROM_CALL, FROM_CALLDATA, isEnv } from "../../../../bytecode/evm/expression.ts"
import { type CallRecord, listed } from "../../../../bytecode/evm/path.ts"
import { stripped } from "../../../../bytecode/guard.ts"
import { type Field, overlaps, readsOf } from "../../../../bytecode/location.ts"
import { SELECTOR } from "../../../../bytecode/selector.ts"
import type { PathSummary } from "../../../../bytecode/summary.ts"
import { addressText, isNobody } from "../../addresses.ts"

const CALLER = 0x33n
const THIS = 0x30n

const isChosen = (word: Expr, chosen: ReadonlyArray<Field>): boolean =>
  readsOf(word).some((read) => chosen.some((field) => overlaps(field, read)))

/** Whoever pays the project can be the project. */
const isKept = (word: Expr): boolean => {
  const to = stripped(word)
  return isEnv(to, THIS) || (to.op === "const" && isNobody(addressText(to.value)))
}

/** `transfer` or `transferFrom` of a token. */
const TOKEN_TRANSFERS: ReadonlySet<bigint> = new Set([SELECTOR.transfer, SELECTOR.transferFrom].map(BigInt))

export const isTokenTransfer = ({ kind, selector }: CallRecord): boolean =>
  kind === "call" && selector?.op === "const" && TOKEN_TRANSFERS.has(selector.value)

const FAILED = 0xf1n

/** The transfers of tokens without which the path is not taken: those that fail end it. */
const askedTransfers = (
  { arena }: ContractModel,
  { calls, outcome }: PathSummary
): ReadonlyArray<CallRecord> =>
  calls.filter((call) => {
    if (!isTokenTransfer(call)) return false
    const answer = answerOf(arena, call)
    return [...listed(outcome.conditions)].some(
      ({ expr, holds }) => expr.op === "env" && expr.value === FAILED && expr.args[0] === answer && !holds
    )
  })

/** What the caller pays on the path in a token that nobody chooses: it stays in the contract, or is burned. */
const paymentsOf = (
  contract: ContractModel,
  path: PathSummary,
  chosen: ReadonlyArray<Field>
): ReadonlyArray<Expr> =>
  askedTransfers(contract, path).flatMap(({ input: [from, to, amount], target }) => {
    if (from === undefined || to === undefined || amount === undefined) return []
    const isNamed = (target.from & (FROM_CALLDATA | FROM_CALL)) === 0 && !isChosen(target, chosen)
    return isNamed && isEnv(stripped(from), CALLER) && isKept(to) ? [amount] : []
  })

/** The amount, or so many times it, or its share, as nobody chooses. */
const isProportional = (word: Expr, amount: Expr, chosen: ReadonlyArray<Field>): boolean => {
  if (word === amount) return true
  if (word.op !== "mul" && word.op !== "div") return false
  const [a, b] = word.args
  if (a === undefined || b === undefined) return false
  const isRate = (rate: Expr): boolean => (rate.from & FROM_CALLDATA) === 0 && !isChosen(rate, chosen)
  return (
    (isProportional(a, amount, chosen) && isRate(b)) ||
    (word.op === "mul" && isProportional(b, amount, chosen) && isRate(a))
  )
}

/** All that the path adds to balances is paid for in another token, as much for each of it: a wrapper, shares of a vault. */
export const isBought = (
  contract: ContractModel,
  path: PathSummary,
  chosen: ReadonlyArray<Field>
): boolean => {
  const gained = path.balances.flatMap(({ delta }) => delta.plus)
  const payments = paymentsOf(contract, path, chosen)
  return gained.every((word) => payments.some((amount) => isProportional(word, amount, chosen)))
}

/** What a token answers that is to hand over something decides whether the path is open, though it pays for nothing. */
export const asksTransfer = (
  contract: ContractModel,
  path: PathSummary,
  chosen: ReadonlyArray<Field>
): boolean =>
  askedTransfers(contract, path).length > 0 &&
  !isBought(contract, path, chosen) &&
  path.balances.some(({ delta }) => delta.plus.some(({ from }) => (from & FROM_CALL) === 0))
