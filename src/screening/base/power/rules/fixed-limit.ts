import type { ContractModel } from "../../../../bytecode/contract.ts"
import { type Expr, isEnv } from "../../../../bytecode/evm/expression.ts"
import { stripped } from "../../../../bytecode/guard.ts"
import { argument } from "../../../../bytecode/summary.ts"
import type { Gate } from "../../../../bytecode/transfer-path.ts"
import { addressText, isNobody } from "../../addresses.ts"

/** A transfer to an account that the code or storage names, a market's, is for the privileged alone, whatever is set. */
export const isReservedSale = ({ arena }: ContractModel, { expr, shuts }: Gate): boolean => {
  if (expr.op !== "eq" || shuts !== true) return false
  const [a, b] = expr.args.map(stripped)
  if (a === undefined || b === undefined) return false
  const recipients = new Set([argument(arena, 0), argument(arena, 1)])
  const [to, named] = recipients.has(a) ? [a, b] : [b, a]
  if (!recipients.has(to)) return false
  return named.op === "sload" || (named.op === "const" && !isNobody(addressText(named.value)))
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
