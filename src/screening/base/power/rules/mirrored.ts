import { type Delta, cancelled, deltaOf } from "../../../../bytecode/amount.ts"
import type { Expr } from "../../../../bytecode/evm/expression.ts"
import { locationOf } from "../../../../bytecode/location.ts"
import type { BalanceChange } from "../../../../bytecode/summary.ts"

type Terms = Pick<Delta, "plus" | "minus">

/** What is multiplied with the rate; undefined where the term is no product with it. */
const divided = (term: Expr, rate: Expr): Expr | undefined => {
  const [a, b] = term.args
  if (term.op !== "mul") return undefined
  return a === rate ? b : b === rate ? a : undefined
}

/** The terms without the rate that all of them are multiplied with. */
const perRate = (key: Expr, { plus, minus }: Terms, rate: Expr): Terms | undefined => {
  const [gained, lost] = [plus, minus].map((terms) => terms.map((term) => divided(term, rate)))
  if (gained === undefined || lost === undefined) return undefined
  const found: { readonly plus: Array<Expr>; readonly minus: Array<Expr> } = { plus: [], minus: [] }
  for (const [terms, isGain] of [
    [gained, true],
    [lost, false]
  ] as const)
    for (const term of terms) {
      if (term === undefined) return undefined
      const inner = deltaOf(key, term)
      found.plus.push(...(isGain ? inner.plus : inner.minus))
      found.minus.push(...(isGain ? inner.minus : inner.plus))
    }
  return found
}

/** What one entry gains or loses is what the other one does, times a rate. */
const isSameByRate = ({ delta }: BalanceChange, { delta: scaled, key }: BalanceChange): boolean =>
  [...scaled.plus, ...scaled.minus].slice(0, 1).some((first) =>
    first.args.some((rate) => {
      const terms = perRate(key, scaled, rate)
      if (terms === undefined) return false
      const { plus, minus } = cancelled({
        plus: [...delta.plus, ...terms.minus],
        minus: [...delta.minus, ...terms.plus]
      })
      return plus.length === 0 && minus.length === 0
    })
  )

/**
 * The changes of balances without those that say once more, in another unit, what happens to the same account's entry in
 * another table: reflected and plain amounts are one balance.
 */
export const withoutMirrored = (balances: ReadonlyArray<BalanceChange>): ReadonlyArray<BalanceChange> =>
  balances.filter(
    (change) =>
      change.delta.replaced ||
      !balances.some(
        (other) =>
          other.account === change.account &&
          !other.delta.replaced &&
          locationOf(other.key).base !== locationOf(change.key).base &&
          isSameByRate(change, other)
      )
  )
