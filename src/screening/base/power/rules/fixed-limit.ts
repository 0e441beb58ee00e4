import type { ContractModel } from "../../../../bytecode/contract.ts"
import { type Expr, isEnv } from "../../../../bytecode/evm/expression.ts"
import { stripped } from "../../../../bytecode/guard.ts"
import { argument } from "../../../../bytecode/summary.ts"
import { SELECTOR } from "../../../../bytecode/selector.ts"
import { type Gate, isJudged } from "../../../../bytecode/transfer-path.ts"
import { partiesIn } from "../../../../bytecode/work.ts"
import { addressText, isNobody } from "../../addresses.ts"

/** The recipient is an account that the code or storage names, a market's. */
const isSale = ({ arena }: ContractModel, expr: Expr): boolean => {
  if (expr.op !== "eq") return false
  const [a, b] = expr.args.map(stripped)
  if (a === undefined || b === undefined) return false
  const recipients = new Set([argument(arena, 0), argument(arena, 1)])
  const [to, named] = recipients.has(a) ? [a, b] : [b, a]
  if (!recipients.has(to)) return false
  return named.op === "sload" || (named.op === "const" && !isNobody(addressText(named.value)))
}

/** Such a transfer is for the privileged alone, whatever is set. */
export const isReservedSale = (contract: ContractModel, { expr, shuts }: Gate): boolean =>
  shuts === true && isSale(contract, expr)

/** Such a transfer, and no other, depends on what another contract says that is told who trades. */
export const isJudgedSale = (contract: ContractModel, { expr, onHoldDecides }: Gate): boolean => {
  const parties = partiesIn(contract.arena, SELECTOR.transfer)
  return isSale(contract, expr) && onHoldDecides.some((one) => isJudged(one, parties))
}

const TIMESTAMP = 0x42n
const NUMBER = 0x43n

const isNow = (word: Expr): boolean => isEnv(word, TIMESTAMP) || isEnv(word, NUMBER)

/** Dates and block numbers that are kept in 32 bits end here, which is not meant as an end. */
const END_OF_COUNTING = (1n << 32n) - 1n

/** From a date on that the code fixes nobody but the privileged gets through. */
export const isLastDate = ({ expr, failsWhen, shuts }: Gate): boolean => {
  const [early, late] = expr.op === "lt" ? expr.args : []
  if (early === undefined || late === undefined) return false
  const [date, after] = isNow(early) ? [late, false] : [early, true]
  return (
    (isNow(early) || isNow(late)) &&
    date.op === "const" &&
    date.value < END_OF_COUNTING &&
    (failsWhen ?? shuts) === after
  )
}
