import { type Sum, isNothing, minus, negated, sumOf } from "../../../../../bytecode/exact/linear.ts"
import type { Expr } from "../../../../../bytecode/evm/expression.ts"
import { type Condition, listed } from "../../../../../bytecode/evm/path.ts"
import { isTransfer } from "../delivery.ts"
import { accountOf } from "../roles.ts"
import { isDateRead, votesRead } from "./balance.ts"
import { type Votes, isClock, isLength, namedBy, unmaskedSum, votePlace } from "./tables.ts"
import type { View } from "../view.ts"
import { MOST_SUPPLY } from "../width.ts"

/** Dates, and lengths of lists, stay below this. */
const MOST_DATE = (1n << 32n) - 1n
const MOST_LENGTH = (1n << 64n) - 1n

const isLengthRead = (votes: Votes, word: Expr): boolean => {
  const place = word.op === "sload" ? votePlace(votes, word.args[0]) : undefined
  return place !== undefined && place.index === undefined && isLength(word, place)
}

/** The list is not empty where the branch stands. */
const isFilled = (conditions: Condition | undefined, length: Expr): boolean =>
  [...listed(conditions)].some(({ expr, holds }) => holds && expr === length)

/** The one length in a sum; undefined where there is something else. */
const lengthIn = (votes: Votes, { terms }: Sum): Expr | undefined => {
  const [[word, count] = []] = terms
  return terms.size === 1 && word !== undefined && count === 1n && isLengthRead(votes, word)
    ? word
    : undefined
}

/** Where a list ends, or its last checkpoint stands, next to one another: `lower` is a place below `upper`, or the same. */
const isLengthTest = ({ conditions }: View, votes: Votes, lower: Sum, upper: Sum): boolean => {
  const length = lengthIn(votes, lower)
  if (length === undefined || lengthIn(votes, upper) !== length) return false
  const isNear = upper.constant - lower.constant <= 1n && lower.constant >= -1n && upper.constant <= 1n
  return isNear && (lower.constant >= 0n || isFilled(conditions, length))
}

const isSame = (a: Sum, b: Sum): boolean => isNothing(minus(a, b))

/** What the sender's own delegate has, and whose list is empty otherwise. */
const isSendersDelegate = ({ order, roles }: View, votes: Votes, delegate: Expr): boolean =>
  namedBy(roles.arena, votes, delegate) === accountOf(order.from)

/** The list of the sender's delegate is not empty, where there is something to send: who holds it has given it votes. */
const isNeverEmpty = (view: View, votes: Votes, length: Expr): boolean => {
  const place = length.op === "sload" ? votePlace(votes, length.args[0]) : undefined
  if (place === undefined || place.index !== undefined || !isSendersDelegate(view, votes, place.delegate))
    return false
  const amount = unmaskedSum(view.order.amount)
  return [...listed(view.conditions)].some(({ expr, holds }) => holds && isSame(unmaskedSum(expr), amount))
}

/** No checkpoint was written before a word was read: of votes that were taken already as many need not be left. */
const isFromBefore = ({ writes }: View, votes: Votes, version: bigint | undefined): boolean =>
  version !== undefined &&
  [...listed(writes)].every(
    ({ id, key }) => BigInt(id) > version || votePlace(votes, key)?.index === undefined
  )

/** The sum is votes that exist, with the amount or without, and never below zero. */
const areVotes = (view: View, votes: Votes, sum: Sum): boolean => {
  const amount = unmaskedSum(view.order.amount)
  const read = [...sum.terms.keys()].find((word) => votesRead(votes, word) !== undefined)
  if (read === undefined) {
    if (isSame(sum, amount)) return true
    return (
      isSame(sum, negated(amount)) &&
      [...listed(view.conditions)].some(({ expr, holds }) => {
        const place = !holds && expr.op === "sload" ? votePlace(votes, expr.args[0]) : undefined
        return (
          place !== undefined && place.index === undefined && isSendersDelegate(view, votes, place.delegate)
        )
      })
    )
  }
  const rest = minus(sum, sumOf(read))
  if (isNothing(rest) || isSame(rest, amount)) return true
  const { place, version } = votesRead(votes, read) ?? {}
  return (
    place !== undefined &&
    isFromBefore(view, votes, version) &&
    isSame(rest, negated(amount)) &&
    isSendersDelegate(view, votes, place.delegate)
  )
}

/**
 * Whether a comparison on the way of a transfer asks only what lists of votes that keep always say: that dates have not
 * run out and do not lie ahead, that lists have the place they end at, that a delegate has what those who named it hold.
 */
export const isVoteTest = (view: View, expr: Expr, failsWhen: boolean): boolean => {
  const { votes } = view.roles
  const [inner, b] = expr.args
  if (votes === undefined || inner === undefined || !isTransfer(view.order)) return false
  if (!failsWhen && isNeverEmpty(view, votes, expr)) return true
  if (expr.op === "iszero") return isVoteTest(view, inner, !failsWhen)
  if (expr.op !== "lt" || b === undefined) return false
  const a = inner
  const worth = (word: Expr): Sum => unmaskedSum(word)
  // Asked is a >= b where it fails when it holds, else a < b.
  if (!failsWhen) {
    if (b.op === "const") return b.value > MOST_LENGTH && isLengthRead(votes, a)
    const [lower, upper] = [worth(a), worth(b)]
    return upper.constant > lower.constant && isLengthTest(view, votes, lower, upper)
  }
  if (a.op === "const") {
    if (a.value >= MOST_DATE && isClock(votes, b)) return true
    if (a.value >= MOST_LENGTH && lengthIn(votes, worth(b)) !== undefined) return true
    return a.value >= MOST_SUPPLY - 1n && areVotes(view, votes, worth(b))
  }
  if (isClock(votes, a)) return isDateRead(votes, b)
  const [x, y] = [worth(a), worth(b)]
  if (x.constant >= y.constant && isLengthTest(view, votes, y, x)) return true
  // `votes < amount`, and `votes + amount < votes`, which no votes that exist wrap to.
  return areVotes(view, votes, minus(x, y)) && areVotes(view, votes, x)
}
