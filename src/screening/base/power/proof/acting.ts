import type { Leaf } from "../../../../bytecode/exact/tree.ts"
import { selectorOf } from "../../../../bytecode/dispatch.ts"
import { type Expr, FROM_CALLDATA } from "../../../../bytecode/evm/expression.ts"
import type { CallRecord } from "../../../../bytecode/evm/path.ts"
import { SELECTOR, selectorsOf } from "../../../../bytecode/selector.ts"
import { isCallers } from "./consent.ts"
import { errandOf, isUnwilling } from "./errands.ts"
import { type Roles, isContracts } from "./roles.ts"
import { tellingOf, tellsTruth } from "./told.ts"

const takings = (
  place: number,
  signatures: ReadonlyArray<string>
): ReadonlyArray<readonly [string, number]> =>
  selectorsOf(signatures).map((selector) => [selector, place] as const)

/**
 * Functions that take from an account what it allowed the caller, with the account's place among the arguments. Source:
 * ERC-20, ERC-721, ERC-1155, ERC-1363, ERC-4626, Permit2, DAI, Compound III, OpenZeppelin's ERC20Burnable.
 */
const TAKING: ReadonlyMap<string, number> = new Map([
  [SELECTOR.transferFrom, 0],
  ...takings(0, [
    "transferFromAndCall(address,address,uint256)",
    "transferFromAndCall(address,address,uint256,bytes)",
    "transferFrom(address,address,uint160,address)",
    "safeTransferFrom(address,address,uint256)",
    "safeTransferFrom(address,address,uint256,bytes)",
    "safeTransferFrom(address,address,uint256,uint256,bytes)",
    "burnFrom(address,uint256)",
    "burn(address,uint256)",
    "move(address,address,uint256)",
    "pull(address,uint256)",
    "transferAssetFrom(address,address,address,uint256)",
    "withdrawFrom(address,address,address,uint256)"
  ]),
  ...takings(2, ["withdraw(uint256,address,address)", "redeem(uint256,address,address)"])
])

const OTHERS_SAY: ReadonlySet<Expr["op"]> = new Set(["calldata", "unknown", "call"])

/** Whoever calls, or whom the contract asks, has a part in the word; what stands in storage is the contract's own. */
const isSetByOthers = (word: Expr, seen = new Set<Expr>()): boolean => {
  if (seen.has(word) || word.op === "sload") return false
  seen.add(word)
  return OTHERS_SAY.has(word.op) || word.args.some((part) => isSetByOthers(part, seen))
}

/** Whoever calls also says whom the contract calls. */
export const isChosen = ({ target }: CallRecord): boolean =>
  (target.from & FROM_CALLDATA) !== 0 && isSetByOthers(target)

/**
 * The contract itself, or whoever calls, where he does so of his own will and not in passing: what he allowed the contract
 * he did not mean to give by an approval.
 */
const isOwn = (roles: Roles, selector: string, leaf: Leaf, word: Expr): boolean =>
  isContracts(word) || (errandOf(roles, selector) === undefined && isCallers(roles, leaf, word))

/**
 * It may take from whoever allowed the contract something, at whichever coin, also at this one. Whom and where the code
 * names for good is its own affair; what storage names somebody wrote down, and that may have been the caller.
 */
const takesFromOthers = (
  roles: Roles,
  selector: string,
  leaf: Leaf,
  call: CallRecord,
  name: string
): boolean => {
  const place = TAKING.get(name)
  if (place === undefined) return false
  const from: Expr | undefined = call.input[place]
  if (from === undefined) return true
  if (isOwn(roles, selector, leaf, from)) return false
  return call.target.op !== "const" || from.op !== "const"
}

/**
 * A call whose function the contract does not fix can be any call, also one back into this contract. So may one be that
 * hands over a text of the caller's, but for those that tell somebody what was done for him.
 * @param inside the contract's own function
 */
export const isFree = (roles: Roles, inside: string, leaf: Leaf, call: CallRecord): boolean => {
  const { kind, length, selector } = call
  if (kind !== "call" || selector === undefined) return false
  if (selector.op !== "const") return true
  const name = selectorOf(selector.value)
  if (takesFromOthers(roles, inside, leaf, call, name)) return true
  return (tellingOf(call) !== undefined || length?.op !== "const") && !tellsTruth(roles, leaf, call)
}

const SELECTOR_BYTES = 4n
const WORD_BYTES = 32n

/**
 * The call hands over nothing but words that name the contract itself or whoever calls. A number may name somebody, too:
 * what is his; and a text what the contract wants to be asked back, by somebody who holds others' coins.
 */
const namesNobodyElse = (
  roles: Roles,
  selector: string,
  leaf: Leaf,
  { input, length }: CallRecord
): boolean =>
  length?.op === "const" &&
  length.value === SELECTOR_BYTES + WORD_BYTES * BigInt(input.length) &&
  input.every((word) => isOwn(roles, selector, leaf, word))

/** Whoever called of his own will is called back: what others allowed the contract there, he could take himself. */
const callsBack = (roles: Roles, selector: string, leaf: Leaf, { target }: CallRecord): boolean =>
  !isUnwilling(selector) && isCallers(roles, leaf, target)

/** Functions that take from the caller alone, whatever their arguments are. Source: ERC-20. */
const OWN: ReadonlySet<string> = new Set([SELECTOR.transfer])

/**
 * It takes from nobody else what he allowed the contract: by a function of which that is known, or by one that is told of
 * nobody else.
 */
export const isHarmless = (roles: Roles, selector: string, leaf: Leaf, call: CallRecord): boolean => {
  if (call.kind !== "call" || call.selector === undefined) return true
  if (isFree(roles, selector, leaf, call)) return false
  const name = selectorOf(call.selector.value)
  if (OWN.has(name) || TAKING.has(name) || tellingOf(call) !== undefined) return true
  return namesNobodyElse(roles, selector, leaf, call) || callsBack(roles, selector, leaf, call)
}
