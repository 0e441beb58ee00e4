import { Facts, type Sum, minus, negated, sumOf } from "../../../../bytecode/exact/linear.ts"
import { mayBeSame } from "../../../../bytecode/exact/same.ts"
import type { Leaf } from "../../../../bytecode/exact/tree.ts"
import type { Expr } from "../../../../bytecode/evm/expression.ts"
import { type CallRecord, type StorageWrite, listed } from "../../../../bytecode/evm/path.ts"
import { entryOf } from "../../../../bytecode/exact/entry.ts"
import { isWellKnownSlot } from "./slots.ts"
import { allowsSpending, isOwnAct, isSignedBy } from "./consent.ts"
import { type Frame, type Party, casesOf, frameOf, inOrder, netOf } from "./frame.ts"
import type { Hole } from "./hole.ts"
import { type Roles, accountOf } from "./roles.ts"

/** One reason why a path might harm holders. */
export type Reason = Pick<Hole, "kind" | "why">

const power = (why: string): Reason => ({ kind: "power", why })
const unknown = (why: string): Reason => ({ kind: "unknown", why })

const isDelegation = ({ kind }: CallRecord): boolean =>
  kind === "delegatecall" || kind === "callcode" || kind === "selfdestruct"

/** A call whose function the contract does not fix can be any call, also one back into this contract. */
const isFree = ({ kind, selector }: CallRecord): boolean =>
  kind === "call" && selector !== undefined && selector.op !== "const"

const callReasons = (calls: CallRecord | undefined): ReadonlyArray<Reason> => {
  const all = [...listed(calls)]
  if (all.some(isDelegation)) return [power("the code cannot be replaced or destroyed")]
  return all.some(isFree) ? [power("nobody can make the contract call whatever they like")] : []
}

/** Writes that may hit a balance or an allowance without being an entry of either. */
const placeReasons = (roles: Roles, writes: ReadonlyArray<StorageWrite>): ReadonlyArray<Reason> => {
  const strays = writes.filter(
    ({ key, havoc }) =>
      havoc !== true &&
      entryOf(roles.arena, roles.ledger, key) === undefined &&
      entryOf(roles.arena, roles.allowances, key) === undefined &&
      !isWellKnownSlot(key) &&
      (mayBeSame(key, roles.ledger.key) || mayBeSame(key, roles.allowances.key))
  )
  return strays.length === 0
    ? []
    : [unknown("every write to storage has a place that is no balance or allowance")]
}

const isAllowed = (
  roles: Roles,
  leaf: Leaf,
  facts: Facts,
  worth: (word: Expr) => Sum,
  { key, value }: StorageWrite
): boolean => {
  const [owner, spender] = entryOf(roles.arena, roles.allowances, key) ?? []
  if (owner === undefined || spender === undefined) return true
  if (isOwnAct(roles, leaf, owner) || isSignedBy(leaf, owner)) return true
  if (accountOf(spender) !== roles.caller) return false
  const before = sumOf(roles.arena.node("sload", [key]))
  const after = worth(value)
  return facts.atLeastZero(after) && facts.atLeastZero(minus(before, after))
}

/** Whoever loses something on the path has called, signed or allowed as much. */
const debitReasons = (
  roles: Roles,
  leaf: Leaf,
  frame: Frame,
  facts: Facts,
  party: Party,
  lost: Sum
): ReadonlyArray<Reason> => {
  if (facts.atLeastZero(negated(lost))) return []
  const consents = party.accounts.some(
    (account) =>
      isOwnAct(roles, leaf, account) ||
      isSignedBy(leaf, account) ||
      allowsSpending(roles, leaf, frame, facts, account, party, lost)
  )
  return consents ? [] : [power("no balance moves without its holder's call, signature or allowance")]
}

const caseReasons = (roles: Roles, leaf: Leaf, parties: ReadonlyArray<Party>): ReadonlyArray<Reason> => {
  const { writes, conditions } = leaf.state
  const frame = frameOf(roles, writes, parties)
  if (typeof frame === "string") return [power(frame)]
  const facts = new Facts(conditions, frame.replace)
  const reasons: Array<Reason> = []
  for (const stretch of frame.stretches) {
    const wraps = stretch.bookings.some(
      ({ before, after }) => !facts.atLeastZero(minus(after, before)) && !facts.atLeastZero(after)
    )
    if (wraps) reasons.push(power("no balance can fall below zero and wrap around"))
    if (!facts.atLeastZero(negated(netOf(stretch)))) reasons.push(power("no balance is created"))
    for (const [party, end] of stretch.end) {
      const start = stretch.start.get(party)
      if (start !== undefined)
        reasons.push(...debitReasons(roles, leaf, frame, facts, party, minus(start, end)))
    }
  }
  for (const write of inOrder(writes))
    if (!isAllowed(roles, leaf, facts, frame.worth, write))
      reasons.push(power("no allowance is set for others"))
  return reasons
}

/**
 * Why a path might harm holders: balance out of nothing, a debit without consent, an allowance given by others, a
 * write to a place not known, foreign code in this storage. Every case of who is whom is looked at.
 */
export const conservationReasons = (roles: Roles, leaf: Leaf): ReadonlyArray<Reason> => {
  if (leaf.ending === "revert") return []
  const early = [
    ...callReasons(leaf.state.calls),
    ...placeReasons(roles, inOrder(leaf.state.writes)),
    ...(leaf.ending === "lost" ? [unknown(`all code is known: ${leaf.why ?? "a path was lost"}`)] : [])
  ]
  const cases = casesOf(roles, leaf.state.writes, leaf.state.conditions)
  if (cases === undefined) return [...early, unknown("so many balances move together rightly")]
  return [...early, ...cases.flatMap((parties) => caseReasons(roles, leaf, parties))]
}
