import { entryOf } from "../../../../bytecode/exact/entry.ts"
import { sumOf } from "../../../../bytecode/exact/linear.ts"
import type { Leaf } from "../../../../bytecode/exact/tree.ts"
import { answerOf } from "../../../../bytecode/evm/data.ts"
import { selectorOf } from "../../../../bytecode/dispatch.ts"
import { type Expr, FROM_CALLDATA, FROM_STORAGE } from "../../../../bytecode/evm/expression.ts"
import { type CallRecord, type StorageWrite, listed } from "../../../../bytecode/evm/path.ts"
import { SELECTOR, selectorsOf } from "../../../../bytecode/selector.ts"
import { inOrder } from "./frame.ts"
import { type Roles, accountOf, isContracts } from "./roles.ts"

/** What a coin tells others of: that they were given some, or may take some; with the amount's place among the arguments. */
interface Telling {
  readonly of: "gift" | "allowance"
  readonly amount: number
}

const tellings = (
  of: Telling["of"],
  amount: number,
  signatures: ReadonlyArray<string>
): ReadonlyArray<readonly [string, Telling]> =>
  selectorsOf(signatures).map((selector) => [selector, { of, amount }])

/** Source: ERC-677, ERC-223, ERC-1363, ERC-3156, and the function of that name that tokens of 2017 called. */
const TOLD: ReadonlyMap<string, Telling> = new Map([
  ...tellings("gift", 1, ["onTokenTransfer(address,uint256,bytes)", "tokenFallback(address,uint256,bytes)"]),
  ...tellings("gift", 2, [
    "onTransferReceived(address,address,uint256,bytes)",
    "onFlashLoan(address,address,uint256,uint256,bytes)"
  ]),
  ...tellings("allowance", 1, [
    "onApprovalReceived(address,uint256,bytes)",
    "receiveApproval(address,uint256,address,bytes)"
  ])
])

const tellingOf = ({ selector }: CallRecord): Telling | undefined =>
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

/**
 * The call tells an account what has just been done for it, once and of the amount that was booked: vaults take the coin's
 * word for what they were given. What they refuse is undone: nobody knows whose it would be.
 */
export const tellsTruth = (roles: Roles, leaf: Leaf, call: CallRecord): boolean => {
  const { allowances, arena, ledger } = roles
  const telling = tellingOf(call)
  const amount = telling === undefined ? undefined : call.input[telling.amount]
  if (telling === undefined || amount === undefined || !hasSucceeded(roles, leaf, call)) return false
  const told = [...listed(leaf.state.calls)].filter(
    (other) => tellingOf(other) !== undefined || other.selector?.op !== "const"
  )
  if (told.some((other) => other !== call && other.kind === "call")) return false
  return bookedFirst(leaf).some(({ key, value }) => {
    if (telling.of === "gift") {
      const [account] = entryOf(arena, ledger, key) ?? []
      const isGiven = value === amount || sumOf(value).terms.get(amount) === 1n
      return account !== undefined && accountOf(account) === accountOf(call.target) && isGiven
    }
    const [owner, spender] = entryOf(arena, allowances, key) ?? []
    if (owner === undefined || spender === undefined || accountOf(owner) !== roles.caller) return false
    return accountOf(spender) === accountOf(call.target) && value === amount
  })
}

/** Functions that take from the account that is their first argument what it allowed the caller. */
const TAKING: ReadonlySet<string> = new Set([
  SELECTOR.transferFrom,
  ...selectorsOf([
    "transferFromAndCall(address,address,uint256)",
    "transferFromAndCall(address,address,uint256,bytes)",
    "transferFrom(address,address,uint160,address)",
    "safeTransferFrom(address,address,uint256)",
    "safeTransferFrom(address,address,uint256,bytes)",
    "safeTransferFrom(address,address,uint256,uint256,bytes)",
    "burnFrom(address,uint256)",
    "burn(address,uint256)"
  ])
])

/** Whoever calls also says whom the contract calls. */
export const isChosen = ({ target }: CallRecord): boolean =>
  (target.from & FROM_CALLDATA) !== 0 && (target.from & FROM_STORAGE) === 0

/** It may take from whoever allowed the contract something, at whichever coin: also at this one. */
const takesFromOthers = (roles: Roles, call: CallRecord, selector: string): boolean => {
  if (!TAKING.has(selector) || !isChosen(call)) return false
  const from: Expr | undefined = call.input[0]
  return from === undefined || !(accountOf(from) === roles.caller || isContracts(from))
}

/**
 * A call whose function the contract does not fix can be any call, also one back into this contract. So may one be that
 * hands over a text of the caller's, but for those that tell somebody what was done for him.
 */
export const isFree = (roles: Roles, leaf: Leaf, call: CallRecord): boolean => {
  const { kind, length, selector } = call
  if (kind !== "call" || selector === undefined) return false
  if (selector.op !== "const") return true
  const name = selectorOf(selector.value)
  if (takesFromOthers(roles, call, name)) return true
  return (TOLD.has(name) || length?.op !== "const") && !tellsTruth(roles, leaf, call)
}
