import { type Facts, type Sum, minus, plus, sumOf } from "../../../../bytecode/exact/linear.ts"
import type { Leaf } from "../../../../bytecode/exact/tree.ts"
import type { Expr } from "../../../../bytecode/evm/expression.ts"
import { FALLBACK } from "../../../../bytecode/contract.ts"
import { SELECTOR, selectorsOf } from "../../../../bytecode/selector.ts"
import { CALLBACKS } from "./callbacks.ts"
import { type Roles, accountOf, argument } from "./roles.ts"
import { saidSame } from "./said.ts"

/** What the functions that others call for a holder, or that a holder calls in passing, may take, from whom. */
export interface Errand {
  readonly from: Expr
  readonly amount: Expr
}

const AUTHORIZED = "address,address,uint256,uint256,uint256,bytes32"

/**
 * Functions that set something or tell something and move nothing of the caller's own: routers with everybody's allowance
 * call some of them, relayers others, holders those left. Source: ERC-20, ERC-2612, ERC-7597, DAI, ERC-1363, ERC-3009,
 * ERC-5267, ERC-5805, ERC-173, OpenZeppelin's ERC20 of version 4.
 */
const PASSING: ReadonlySet<string> = new Set([
  SELECTOR.approve,
  SELECTOR.permit,
  SELECTOR.delegate,
  SELECTOR.delegateBySig,
  SELECTOR.delegates,
  SELECTOR.totalSupply,
  SELECTOR.balanceOf,
  SELECTOR.allowance,
  SELECTOR.owner,
  SELECTOR.getOwner,
  ...selectorsOf([
    "permit(address,address,uint256,uint256,bytes)",
    "permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)",
    "increaseAllowance(address,uint256)",
    "decreaseAllowance(address,uint256)",
    "increaseApproval(address,uint256)",
    "decreaseApproval(address,uint256)",
    "approveAndCall(address,uint256)",
    "approveAndCall(address,uint256,bytes)",
    ...["transfer", "receive"].flatMap((kind) => [
      `${kind}WithAuthorization(${AUTHORIZED},uint8,bytes32,bytes32)`,
      `${kind}WithAuthorization(${AUTHORIZED},bytes)`
    ]),
    "cancelAuthorization(address,bytes32,uint8,bytes32,bytes32)",
    "cancelAuthorization(address,bytes32,bytes)",
    "name()",
    "symbol()",
    "decimals()",
    "nonces(address)",
    "DOMAIN_SEPARATOR()",
    "eip712Domain()",
    "supportsInterface(bytes4)"
  ])
])

const spending = (
  places: readonly [number, number],
  signatures: ReadonlyArray<string>
): ReadonlyArray<readonly [string, readonly [number, number]]> =>
  selectorsOf(signatures).map((selector) => [selector, places])

/**
 * Functions by which an allowance is spent, with the places of the owner and the amount among their arguments. Routers that
 * hold everybody's allowance call others too, for anybody and with whatever he likes. Source: ERC-20, ERC-1363, ERC-7802,
 * OpenZeppelin's ERC20Burnable, IOptimismMintableERC20.
 */
const SPENDING: ReadonlyMap<string, readonly [number, number]> = new Map([
  ...spending(
    [0, 2],
    [
      "transferFrom(address,address,uint256)",
      "transferFromAndCall(address,address,uint256)",
      "transferFromAndCall(address,address,uint256,bytes)"
    ]
  ),
  ...spending(
    [0, 1],
    ["burnFrom(address,uint256)", "burn(address,uint256)", "crosschainBurn(address,uint256)"]
  )
])

/**
 * Functions by which the caller pays, with the place of the amount. Source: ERC-20, ERC-677, ERC-1363, ERC-777,
 * OpenZeppelin's ERC20Burnable.
 */
const PAYING: ReadonlyMap<string, number> = new Map([
  [SELECTOR.transfer, 1],
  ...selectorsOf([
    "transferAndCall(address,uint256)",
    "transferAndCall(address,uint256,bytes)",
    "send(address,uint256,bytes)"
  ]).map((selector) => [selector, 1] as const),
  ...selectorsOf(["burn(uint256)"]).map((selector) => [selector, 0] as const)
])

/** In a callback, or in a call of any function name, the caller does not act of their own will. */
export const isUnwilling = (selector: string): boolean => CALLBACKS.has(selector) || selector === FALLBACK

/** The allowance that the function spends, and how much of it. */
export const spendingOf = ({ arena }: Roles, selector: string): Errand | undefined => {
  const [from, amount] = (SPENDING.get(selector) ?? []).map((n) => argument(arena, n))
  return from === undefined || amount === undefined ? undefined : { from, amount }
}

/** What the function may take; undefined where its name does not say. */
export const errandOf = (roles: Roles, selector: string): Errand | undefined => {
  const { arena, caller } = roles
  const paid = PAYING.get(selector)
  if (paid !== undefined) return { from: caller, amount: argument(arena, paid) }
  const isPassing = PASSING.has(selector) || isUnwilling(selector)
  return isPassing ? { from: caller, amount: arena.zero } : spendingOf(roles, selector)
}

/** The sum with an argument in the place of what a mask leaves of it, which is no more. */
const atMost = ({ terms, constant }: Sum, whole: Expr): Sum => {
  let sum: Sum = { terms: new Map(), constant }
  for (const [word, count] of terms) {
    const isPart = count > 0n && word.op === "and" && word.args.includes(whole)
    sum = plus(sum, sumOf(isPart ? whole : word), count)
  }
  return sum
}

/** The account is the one that is named, and loses no more than is asked for. */
export const isWithin = (
  { state }: Leaf,
  facts: Facts,
  { amount, from }: Errand,
  account: Expr,
  lost: Sum
): boolean =>
  (accountOf(account) === accountOf(from) || saidSame(state.conditions, account, from)) &&
  facts.atLeastZero(minus(sumOf(amount), atMost(lost, amount)))
