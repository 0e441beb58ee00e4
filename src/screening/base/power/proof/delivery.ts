import { type Facts, minus, negated, plus, sumOf } from "../../../../bytecode/exact/linear.ts"
import { fractionOf } from "../../../../bytecode/fraction.ts"
import { mayBeSame } from "../../../../bytecode/exact/same.ts"
import type { Leaf } from "../../../../bytecode/exact/tree.ts"
import type { Expr } from "../../../../bytecode/evm/expression.ts"
import { entryOf } from "../../../../bytecode/exact/entry.ts"
import { type Frame, type Party, casesOf, factsIn, frameOf, gainOf, inOrder } from "./frame.ts"
import { type Roles, accountOf, mostOf } from "./roles.ts"

/** What a call of one of the ordinary functions is asked to do. */
export interface Order {
  readonly kind: "transfer" | "transferFrom" | "approve" | "balanceOf"
  readonly from: Expr
  /** The recipient, or the spender of `approve`. */
  readonly to: Expr
  readonly amount: Expr
}

/** How long calls of the ordinary functions are. */
export const CALL_BYTES = { transfer: 68n, transferFrom: 100n, approve: 68n, balanceOf: 36n } as const

/** A transfer may keep this share of the amount, if the code fixes it: a tenth. */
const KEPT_PART = 1n
const KEPT_WHOLE = 10n

export const isTransfer = ({ kind }: Order): boolean => kind === "transfer" || kind === "transferFrom"

/** Nothing, or one: callers refuse every other answer, and most cannot even read it. */
export const answersYes = ({ returned }: Leaf): boolean =>
  returned === undefined || (returned.op === "const" && returned.value === 1n)

/** The party that an account is of, where its balance is written. */
export const partyOf = (parties: ReadonlyArray<Party>, account: Expr): Party | undefined =>
  parties.find(({ accounts }) => accounts.some((one) => accountOf(one) === accountOf(account)))

/** The recipient gets the amount, less at most a fixed small share of it. */
const arrives = (roles: Roles, frame: Frame, facts: Facts, to: Party, amount: Expr): boolean => {
  const gain = gainOf(frame, to)
  if (gain === undefined) return false
  const missing = minus(sumOf(amount), gain)
  if (facts.atLeastZero(negated(missing))) return true
  let part = 0n
  for (const [word, count] of missing.terms) {
    if (count < 0n) continue
    const fraction = fractionOf(word, mostOf(roles))
    if (fraction === undefined || fraction.of !== amount) return false
    // In parts of a million, rounded up.
    part += (count * fraction.part * 1_000_000n + fraction.whole - 1n) / fraction.whole
  }
  return missing.constant <= 0n && part * KEPT_WHOLE <= KEPT_PART * 1_000_000n
}

const isApproved = (roles: Roles, { state }: Leaf, { from, to, amount }: Order): boolean => {
  const writes = inOrder(state.writes)
  const at = writes.findLastIndex(({ key, havoc }) => {
    const [owner, spender] = havoc === true ? [] : (entryOf(roles.arena, roles.allowances, key) ?? [])
    return owner === from && spender !== undefined && accountOf(spender) === accountOf(to)
  })
  const last = writes[at]
  return (
    last?.value === amount &&
    writes.slice(at + 1).every(({ havoc, key }) => havoc === true || !mayBeSame(key, last.key))
  )
}

/** Whether a success does what was ordered, whoever else the parties may be, as long as they are not one. */
export const delivers = (roles: Roles, leaf: Leaf, order: Order): boolean => {
  if (leaf.ending !== "success") return false
  if (order.kind === "balanceOf") return true
  if (!answersYes(leaf)) return false
  if (order.kind === "approve") return isApproved(roles, leaf, order)
  const { writes, conditions } = leaf.state
  const strangers = (casesOf(roles, writes, conditions) ?? []).flatMap((parties) => {
    const [from, to] = [partyOf(parties, order.from), partyOf(parties, order.to)]
    return from !== undefined && to !== undefined && from !== to ? [{ parties, from, to }] : []
  })
  return (
    strangers.length > 0 &&
    strangers.every(({ parties, from, to }) => {
      const frame = frameOf(roles, leaf.state, parties)
      if (typeof frame === "string") return false
      const facts = factsIn(roles, conditions, frame)
      const spent = gainOf(frame, from)
      if (spent === undefined || !facts.atLeastZero(plus(spent, sumOf(order.amount)))) return false
      return arrives(roles, frame, facts, to, order.amount)
    })
  )
}
