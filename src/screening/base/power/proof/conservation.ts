import {
  type Facts,
  type Sum,
  ZERO,
  minus,
  negated,
  plus,
  sumOf,
  widthWhere
} from "../../../../bytecode/exact/linear.ts"
import { mayBeSame } from "../../../../bytecode/exact/same.ts"
import type { Leaf } from "../../../../bytecode/exact/tree.ts"
import { type Expr, FROM_CALLDATA, contains } from "../../../../bytecode/evm/expression.ts"
import { type CallRecord, listed } from "../../../../bytecode/evm/path.ts"
import { FALLBACK } from "../../../../bytecode/contract.ts"
import { SELECTOR } from "../../../../bytecode/selector.ts"
import { entryOf } from "../../../../bytecode/exact/entry.ts"
import { isWellKnownSlot } from "./slots.ts"
import { isOwnByAnyName, isOwnLoss, isPermit2 } from "./consent.ts"
import { type Frame, type Party, type Stretch, casesOf, factsIn, frameOf, inOrder, netOf } from "./frame.ts"
import { isChosen, isFree, isHarmless } from "./acting.ts"
import { addressOf } from "./fixed.ts"
import { isAllowed } from "./grants.ts"
import type { Hole } from "./hole.ts"
import type { Roles } from "./roles.ts"
import { authorizes } from "./signature.ts"
import { isOwnAllowanceSpent, isPaidBack, isTakenBack } from "./loans.ts"
import { isInCountedList } from "./counted.ts"
import { isInShortList } from "./votes/tables.ts"

/** One reason why a path might harm holders. */
export type Reason = Pick<Hole, "kind" | "why" | "from">

const REASONS = {
  replaces: "the code cannot be replaced or destroyed",
  calls: "nobody can make the contract call whatever they like",
  stores: "nobody can write whatever word of storage they like",
  takes: "no balance moves without its holder's call, signature or allowance",
  creates: "no balance is created",
  allows: "no allowance is set for others",
  draws: "no account that was named at birth is drawn on by others",
  gives: "whoever gives or allows something by a function of that name means to"
} as const

const reason = (kind: keyof typeof REASONS): Reason => ({ kind, why: REASONS[kind] })
const unknown = (why: string): Reason => ({ kind: "unknown", why })

const isDelegation = ({ kind }: CallRecord): boolean =>
  kind === "delegatecall" || kind === "callcode" || kind === "selfdestruct"

const callReasons = (roles: Roles, selector: string, leaf: Leaf): ReadonlyArray<Reason> => {
  const all = [...listed(leaf.state.calls)]
  if (all.some((call) => isDelegation(call) && (call.target.from & FROM_CALLDATA) !== 0))
    return [reason("stores")]
  if (all.some(isDelegation)) return [reason("replaces")]
  if (all.some((call) => isChosen(call) && isFree(roles, selector, leaf, call))) return [reason("calls")]
  return all.every((call) => isHarmless(roles, selector, leaf, call))
    ? []
    : [unknown("the contract calls nothing by which it may take what others allowed it")]
}

/** Writes that may hit a balance or an allowance without being an entry of either. */
const placeReasons = (roles: Roles, { state }: Leaf): ReadonlyArray<Reason> => {
  const width = widthWhere(state.conditions)
  const strays = inOrder(state.writes).filter(
    ({ key, havoc }) =>
      havoc !== true &&
      entryOf(roles.arena, roles.ledger, key) === undefined &&
      entryOf(roles.arena, roles.allowances, key) === undefined &&
      !isWellKnownSlot(key, width) &&
      !isInShortList(roles, key) &&
      !isInCountedList(roles.counted, state.conditions, key) &&
      (mayBeSame(key, roles.ledger.key, width) || mayBeSame(key, roles.allowances.key, width))
  )
  if (strays.length === 0) return []
  return strays.some(({ key }) => key.op === "calldata")
    ? [reason("stores")]
    : [unknown("every write to storage has a place that is no balance or allowance")]
}

/** Accounts named at birth are allocations of the project's; any other may be a holder's. */
const drawnOn = (roles: Roles, accounts: ReadonlyArray<Expr>, otherwise: "takes" | "allows"): Reason =>
  accounts.every(roles.isFromBirth)
    ? { ...reason("draws"), from: accounts.flatMap(addressOf) }
    : reason(otherwise)

/** A fee taken out of what is given at once: it can hardly be more, but how much it is was not found out. */
const isShareOfGain = ({ terms, constant }: Sum): boolean => {
  const gained = [...terms.keys()].filter((word) => (terms.get(word) ?? 0n) < 0n)
  const taken = [...terms.keys()].filter((word) => (terms.get(word) ?? 0n) > 0n)
  return (
    constant <= 0n &&
    taken.length > 0 &&
    taken.every((word) => gained.some((whole) => word !== whole && contains(word, whole)))
  )
}

/**
 * Whoever loses something on the path has called, signed or allowed as much.
 * @param lost all that the path took so far: what was said once is not said again behind a call of others
 */
const debitReasons = (
  roles: Roles,
  selector: string,
  leaf: Leaf,
  frame: Frame,
  facts: Facts,
  party: Party,
  lost: Sum
): ReadonlyArray<Reason> => {
  if (party.accounts.some(roles.isEmpty)) return []
  if (isShareOfGain(lost)) return [unknown(REASONS.takes)]
  const consents = party.accounts.some(
    (account) =>
      isOwnLoss(roles, leaf, selector, frame, facts, { account, lost, party }) ||
      authorizes(roles, leaf, frame, facts, account, lost) ||
      isPaidBack(roles, leaf, frame, facts, { account, lost, party })
  )
  if (consents) return []
  const isOwn = party.accounts.some((account) => isOwnByAnyName(roles, selector, leaf, account))
  return [isOwn ? reason("gives") : drawnOn(roles, party.accounts, "takes")]
}

/** What is booked there is booked once a turn of a loop that turns any number of times: together it may be anything. */
const isRepeated = ({ turnedSince }: Leaf, { since }: Stretch): boolean =>
  turnedSince !== undefined && since >= BigInt(turnedSince.id)

const caseReasons = (
  roles: Roles,
  selector: string,
  leaf: Leaf,
  parties: ReadonlyArray<Party>
): ReadonlyArray<Reason> => {
  const { writes, conditions } = leaf.state
  const frame = frameOf(roles, leaf.state, parties)
  if (typeof frame === "string") return [unknown(frame)]
  const facts = factsIn(roles, conditions, frame)
  const reasons: Array<Reason> = []
  // What was taken before anything could be forgotten was taken; all else may only look wrong.
  const isForgetful = frame.stretches.length > 1
  const seen = (found: Reason): Reason => (isForgetful ? unknown(found.why) : found)
  const taken = new Map<Party, Sum>()
  const isLent = isTakenBack(roles, leaf, frame, facts)
  for (const [index, stretch] of frame.stretches.entries()) {
    const wraps = stretch.bookings.some(
      ({ before, after }) => !facts.atLeastZero(minus(after, before)) && !facts.atLeastZero(after)
    )
    if (wraps) reasons.push(seen({ kind: "creates", why: "no balance can fall below zero and wrap around" }))
    if (!isLent && !facts.atLeastZero(negated(netOf(stretch)))) reasons.push(seen(reason("creates")))
    for (const [party, end] of stretch.end) {
      const start = stretch.start.get(party)
      const gain = start === undefined ? ZERO : minus(end, start)
      if (facts.atLeastZero(gain)) continue
      const soFar = minus(taken.get(party) ?? ZERO, gain)
      taken.set(party, soFar)
      const lost = isRepeated(leaf, stretch) ? plus(soFar, sumOf(roles.arena.unknown())) : soFar
      const debits = debitReasons(roles, selector, leaf, frame, facts, party, lost)
      reasons.push(...(index === 0 ? debits : debits.map(seen)))
    }
  }
  for (const write of inOrder(writes))
    if (
      !isAllowed(roles, selector, leaf, facts, frame.worth, write) &&
      !isOwnAllowanceSpent(roles, leaf, facts, frame.worth, write)
    ) {
      const [owner] = entryOf(roles.arena, roles.allowances, write.key) ?? []
      if (owner === undefined || roles.isEmpty(owner)) continue
      const isOwn = isOwnByAnyName(roles, selector, leaf, owner)
      reasons.push(seen(isOwn ? reason("gives") : drawnOn(roles, [owner], "allows")))
    }
  // A balance that wraps around looks like a loss, too.
  return reasons.some(({ kind }) => kind === "creates")
    ? reasons.filter(({ kind }) => kind !== "gives")
    : reasons
}

/** Permit2 calls nothing of a token but `transferFrom`. Source: Uniswap/permit2, SignatureTransfer and AllowanceTransfer. */
const isNeverCalled = ({ caller }: Roles, selector: string, { state }: Leaf): boolean =>
  selector !== SELECTOR.transferFrom && selector !== FALLBACK && isPermit2(state.conditions, caller)

/**
 * Why a path might harm holders: balance out of nothing, a debit without consent, an allowance given by others, a
 * write to a place not known, foreign code in this storage. Every case of who is whom is looked at.
 */
export const conservationReasons = (roles: Roles, selector: string, leaf: Leaf): ReadonlyArray<Reason> => {
  const { writes, calls } = leaf.state
  if (leaf.ending === "revert" || isNeverCalled(roles, selector, leaf)) return []
  if (leaf.ending !== "lost" && writes === undefined && calls === undefined) return []
  const early = [
    ...callReasons(roles, selector, leaf),
    ...placeReasons(roles, leaf),
    ...(leaf.ending === "lost" ? [unknown(`all code is known: ${leaf.why ?? "a path was lost"}`)] : [])
  ]
  const cases = casesOf(roles, leaf.state.writes, leaf.state.conditions)
  if (cases === undefined) return [...early, unknown("so many balances move together rightly")]
  return [...early, ...cases.flatMap((parties) => caseReasons(roles, selector, leaf, parties))]
}
