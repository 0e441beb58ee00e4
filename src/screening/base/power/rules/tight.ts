import type { ContractModel } from "../../../../bytecode/contract.ts"
import { type Expr, contains } from "../../../../bytecode/evm/expression.ts"
import { fractionOf } from "../../../../bytecode/fraction.ts"
import { stripped } from "../../../../bytecode/guard.ts"
import { readsOf } from "../../../../bytecode/location.ts"
import { argument, isAmount } from "../../../../bytecode/summary.ts"
import type { Gate } from "../../../../bytecode/transfer-path.ts"
import { PARTS, isForAll, supplyIn } from "./room.ts"
import type { Words } from "./set-up.ts"

const CALLER = 0x33

/** A supply that nobody read is taken for no more than this: a trillion, of 18 decimals. */
const MOST_USUAL_SUPPLY = 10n ** 30n

/** The code itself makes the most so little that it is no sale: a number, or a small share of what somebody has, or of all there is. */
const isLittle = (contract: ContractModel, most: Expr, words: Words): boolean => {
  if (most.op === "const") return most.value * PARTS < supplyIn(contract, words, MOST_USUAL_SUPPLY)
  const share = fractionOf(stripped(most))
  return (
    share !== undefined &&
    share.part * PARTS < share.whole &&
    readsOf(share.of).some((field) => isAmount(contract.model, field)) &&
    readsOf(share.of).every((field) => isAmount(contract.model, field))
  )
}

/** One side of the comparison is a sender, the other one stands in storage or in the code. */
const namesSender = ({ arena }: ContractModel, { args }: Expr): boolean => {
  const senders = new Set([arena.env(CALLER), argument(arena, 0)])
  const [a, b] = args.map(stripped)
  if (a === undefined || b === undefined) return false
  const named = senders.has(a) ? b : senders.has(b) ? a : undefined
  return named !== undefined && (named.op === "sload" || named.op === "const")
}

/**
 * Conditions that let nobody through who sells more than a trifle, or who then holds more, by what the code itself says: who
 * has to pass them does not sell.
 */
export const tightIn = (contract: ContractModel, words: Words): ReadonlySet<Expr> => {
  const { arena, gates } = contract
  const amounts = [argument(arena, 1), argument(arena, 2)]
  const isTight = (gate: Gate): boolean => {
    const stops = gate.failsWhen ?? gate.shuts
    if (gate.expr.op !== "lt" || stops === undefined) return false
    const [most, amount] = stops ? gate.expr.args : gate.expr.args.toReversed()
    if (most === undefined || amount === undefined || !amounts.some((one) => contains(amount, one)))
      return false
    return isLittle(contract, most, words) || (most.op === "const" && isForAll(contract, gate, amount))
  }
  return new Set(gates.filter(isTight).map(({ expr }) => expr))
}

/** Such a condition is not asked of a sender whom the code or storage names, and of everybody else it is, or the other way round. */
export const isSparing = (contract: ContractModel, tight: ReadonlySet<Expr>, gate: Gate): boolean => {
  const { decides, expr, failsWhen, onHoldDecides, shuts } = gate
  if (tight.has(expr)) return failsWhen === undefined && shuts !== undefined
  return (
    expr.op === "eq" &&
    namesSender(contract, expr) &&
    decides.some((one) => tight.has(one) && !onHoldDecides.includes(one))
  )
}
