import { entryOf } from "../../../../bytecode/exact/entry.ts"
import { type Sum, ZERO, isNothing, minus, plus } from "../../../../bytecode/exact/linear.ts"
import { mayBeSame } from "../../../../bytecode/exact/same.ts"
import type { Leaf } from "../../../../bytecode/exact/tree.ts"
import { answerOf, isPrecompile } from "../../../../bytecode/evm/data.ts"
import { selectorOf } from "../../../../bytecode/dispatch.ts"
import type { Expr } from "../../../../bytecode/evm/expression.ts"
import { type CallRecord, type StorageWrite, listed } from "../../../../bytecode/evm/path.ts"
import { selectorsOf } from "../../../../bytecode/selector.ts"
import { partyOf } from "./delivery.ts"
import { type Party, casesOf, frameOf, inOrder } from "./frame.ts"
import { type Roles, THIS, accountOf } from "./roles.ts"
import { saidSame } from "./said.ts"

/**
 * What a coin tells others of: that they were given or lent some, or may take some; with the places of the amount, of
 * whoever calls, of the giver and of the coin itself among the arguments.
 */
interface Telling {
  readonly of: "gift" | "loan" | "allowance"
  readonly amount: number
  readonly caller?: number
  readonly giver?: number
  readonly token?: number
}

const tellings = (
  telling: Telling,
  signatures: ReadonlyArray<string>
): ReadonlyArray<readonly [string, Telling]> => selectorsOf(signatures).map((selector) => [selector, telling])

/** Source: ERC-677, ERC-223, ERC-1363, ERC-3156, and the function of that name that tokens of 2017 called. */
const TOLD: ReadonlyMap<string, Telling> = new Map([
  ...tellings({ of: "gift", giver: 0, amount: 1 }, [
    "onTokenTransfer(address,uint256,bytes)",
    "tokenFallback(address,uint256,bytes)"
  ]),
  ...tellings({ of: "gift", caller: 0, giver: 1, amount: 2 }, [
    "onTransferReceived(address,address,uint256,bytes)"
  ]),
  ...tellings({ of: "loan", caller: 0, token: 1, amount: 2 }, [
    "onFlashLoan(address,address,uint256,uint256,bytes)"
  ]),
  ...tellings({ of: "allowance", caller: 0, amount: 1 }, ["onApprovalReceived(address,uint256,bytes)"]),
  ...tellings({ of: "allowance", caller: 0, amount: 1, token: 2 }, [
    "receiveApproval(address,uint256,address,bytes)"
  ])
])

/** What a call tells; undefined where its function is none that tells. */
export const tellingOf = ({ selector }: CallRecord): Telling | undefined =>
  selector?.op === "const" ? TOLD.get(selectorOf(selector.value)) : undefined

/** What is booked before the first call of others: later, anybody may have done anything in between. */
const bookedFirst = ({ state }: Leaf): ReadonlyArray<StorageWrite> => {
  const ordered = inOrder(state.writes)
  const end = ordered.findIndex(({ havoc }) => havoc === true)
  return end < 0 ? ordered : ordered.slice(0, end)
}

const CALLED = 0xf1n

/** The branches say that the call did not fail. */
const hasSucceeded = ({ arena }: Roles, { state }: Leaf, call: CallRecord): boolean => {
  const answer = answerOf(arena, call)
  return [...listed(state.conditions)].some(
    ({ expr, holds }) => !holds && expr.op === "env" && expr.value === CALLED && expr.args[0] === answer
  )
}

/** Nobody could do anything before, and nobody else is told anything. */
const isToldAtOnce = ({ state }: Leaf, call: CallRecord): boolean =>
  [...listed(state.calls)].every((other) => {
    if (other === call) return true
    const isQuiet = other.kind === "staticcall" || isPrecompile(other.target)
    if (other.count < call.count) return isQuiet
    return isQuiet || (tellingOf(other) === undefined && other.selector?.op === "const")
  })

/**
 * Whoever it is that calls, and which coin it is, is told as it is: recipients act for the one that is named to them, with
 * what he allowed them.
 */
const namesRightly = (
  { arena, caller }: Roles,
  { state }: Leaf,
  telling: Telling,
  input: CallRecord["input"]
): boolean => {
  const isNamed = (place: number | undefined, account: Expr): boolean => {
    if (place === undefined) return true
    const named = input[place]
    return (
      named !== undefined &&
      (accountOf(named) === account || saidSame(state.conditions, accountOf(named), account))
    )
  }
  return isNamed(telling.caller, caller) && isNamed(telling.token, arena.env(Number(THIS)))
}

/**
 * Whoever is whom, the account has the amount more than before, no more and no less, and a giver has as much less; or he
 * gives it to himself, by a path that serves others just so: one of its own for that may have asked nobody for anything.
 */
const isGiven = (roles: Roles, { state }: Leaf, target: Expr, amount: Expr, giver?: Expr): boolean => {
  const cases = casesOf(roles, state.writes, state.conditions)
  const isGivenIn = (parties: ReadonlyArray<Party>): boolean => {
    const frame = frameOf(roles, state, parties)
    const first = typeof frame === "string" ? undefined : frame.stretches[0]
    const [to, from] = [partyOf(parties, target), giver === undefined ? undefined : partyOf(parties, giver)]
    if (typeof frame === "string" || first === undefined || to === undefined) return false
    const gain = (party: Party): Sum => minus(first.end.get(party) ?? ZERO, first.start.get(party) ?? ZERO)
    if (to === from) return isNothing(gain(to))
    if (!isNothing(minus(gain(to), frame.worth(amount)))) return false
    return giver === undefined || (from !== undefined && isNothing(plus(gain(from), gain(to))))
  }
  const isToAnother = (parties: ReadonlyArray<Party>): boolean =>
    giver === undefined || partyOf(parties, target) !== partyOf(parties, giver)
  return cases !== undefined && cases.every(isGivenIn) && cases.some(isToAnother)
}

/** The caller allows the account this amount, and nothing that may be the same allowance is written after that. */
const isLetTake = (roles: Roles, leaf: Leaf, target: Expr, amount: Expr): boolean => {
  const booked = bookedFirst(leaf)
  const at = booked.findLastIndex(({ key }) => {
    const [owner, spender] = entryOf(roles.arena, roles.allowances, key) ?? []
    if (owner === undefined || spender === undefined || accountOf(owner) !== roles.caller) return false
    return accountOf(spender) === accountOf(target)
  })
  const given = booked[at]
  return (
    given !== undefined &&
    given.value === amount &&
    !booked.slice(at + 1).some(({ key }) => mayBeSame(key, given.key))
  )
}

/**
 * The call tells an account what has just been done for it, once, by whom, and of the amount that was booked: vaults take
 * the coin's word for what they were given. What they refuse is undone: nobody knows whose it would be.
 */
export const tellsTruth = (roles: Roles, leaf: Leaf, call: CallRecord): boolean => {
  const { input, target } = call
  const telling = tellingOf(call)
  const amount = telling === undefined ? undefined : input[telling.amount]
  if (telling === undefined || amount === undefined || !namesRightly(roles, leaf, telling, input))
    return false
  if (!isToldAtOnce(leaf, call) || !hasSucceeded(roles, leaf, call)) return false
  if (telling.of === "allowance") return isLetTake(roles, leaf, target, amount)
  if (telling.giver === undefined) return isGiven(roles, leaf, target, amount)
  const giver = input[telling.giver]
  return giver !== undefined && isGiven(roles, leaf, target, amount, giver)
}
