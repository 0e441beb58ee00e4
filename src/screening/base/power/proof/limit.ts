import type { Address } from "viem"
import { minus, sidesOf, sumOf } from "../../../../bytecode/exact/linear.ts"
import { type Expr, FROM_STORAGE } from "../../../../bytecode/evm/expression.ts"
import { isTransfer } from "./delivery.ts"
import { fieldOf } from "./field.ts"
import { type Roles, accountOf, balanceRead } from "./roles.ts"
import { saidFixed } from "./said.ts"
import { shareNow } from "./supply.ts"
import { type View, isAmount } from "./view.ts"

/** A limit on transfers that nobody can make tighter than this. */
export interface Limit {
  /** On what one transfer moves, or on what its recipient holds afterwards. */
  readonly of: "amount" | "holding"
  /** What always passes, in parts of a million of the supply. */
  readonly millionths: number
  /** Only transfers from this account, fixed for good; null where it is any. */
  readonly from: Address | null
  /** Recipients, fixed for good, for whom it does not hold. */
  readonly except: ReadonlyArray<Address>
}

/** Less than a thousandth of the supply at a time is no sale. */
const LEAST_MILLIONTHS = 1_000
const MILLION = 1_000_000n

/** The least number a word can ever be: a constant, a share of the supply, a field that stays above a bound. */
const leastOf = (roles: Roles, word: Expr): bigint | undefined => {
  const now = shareNow(roles.supply, word)
  if (now !== undefined) return now
  const field = word.from === FROM_STORAGE ? fieldOf(word) : undefined
  return field === undefined ? undefined : roles.leastOf(field)
}

/** The word is the amount, or what the recipient holds together with it. */
const limited = (view: View, word: Expr): Limit["of"] | undefined => {
  if (isAmount(view, word)) return "amount"
  const { terms, constant } = minus(view.worth(word), sumOf(view.order.amount))
  const [[held, count] = []] = terms
  if (terms.size !== 1 || constant !== 0n || held === undefined || count !== 1n) return undefined
  const balance = balanceRead(view.roles, held)
  return balance !== undefined && accountOf(balance.account) === accountOf(view.order.to)
    ? "holding"
    : undefined
}

/** The limit that a branch sets on transfers, if it is one that stays far above what nobody could sell. */
export const limitAt = (view: View, expr: Expr, failsWhen: boolean): Limit | undefined => {
  const [inner] = expr.args
  if (expr.op === "iszero" && inner !== undefined) return limitAt(view, inner, !failsWhen)
  const [a, b] = expr.op === "lt" ? (sidesOf(expr) ?? []) : []
  if (a === undefined || b === undefined || !isTransfer(view.order)) return undefined
  const [bound, word] = failsWhen ? [a, b] : [b, a]
  const of = limited(view, word)
  const least = of === undefined ? undefined : leastOf(view.roles, bound)
  const { supply } = view.roles
  if (of === undefined || least === undefined || supply === undefined || supply.now === 0n) return undefined
  const passes = failsWhen ? least : least - 1n
  const millionths = Number((passes * MILLION) / supply.now)
  if (millionths < LEAST_MILLIONTHS) return undefined
  return {
    of,
    millionths: Math.min(millionths, Number(MILLION)),
    from: saidFixed(view.conditions, view.order.from, true)[0] ?? null,
    except: saidFixed(view.conditions, view.order.to, false)
  }
}
