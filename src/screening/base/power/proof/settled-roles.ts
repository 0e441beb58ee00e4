import type { Expr } from "../../../../bytecode/evm/expression.ts"
import type { Budget } from "../../../../bytecode/evm/explore.ts"
import type { Sliced } from "../../../../bytecode/evm/slices.ts"
import { type Leaf, leavesOf } from "../../../../bytecode/exact/tree.ts"
import { SELECTOR } from "../../../../bytecode/selector.ts"
import { accountsFromBirth, isNobodyEmpty } from "./fixed.ts"
import type { Roles } from "./roles.ts"
import type { Settled } from "./settle.ts"
import type { SlotValue } from "./slot-value.ts"
import { type Supply, isNeverUnderstated, supplyRead } from "./supply.ts"
import type { Walked } from "./transfer-holes.ts"
import { votesOf } from "./votes/kept.ts"

/** The word that `totalSupply` returns; growth of the supply is measured by it. */
export const supplyIn = (walked: Walked): Expr | undefined =>
  supplyRead(walked.get(SELECTOR.totalSupply) ?? [])

export const walkedLeaves = (walked: Walked, selectors: Iterable<string>): ReadonlyArray<Leaf> =>
  [...selectors].flatMap((selector) => (walked.get(selector) ?? []).flatMap(leavesOf))

/** The roles, extended by what is proven of the numbers in storage: bounds, lists, votes, and the supply. */
export function* boundedRoles(
  roles: Roles,
  settled: Settled,
  possible: Walked,
  budget: Budget,
  state: ReadonlyArray<SlotValue>
): Sliced<Roles> {
  const born = yield* accountsFromBirth(roles, roles.leaves, budget, state)
  const leaves = walkedLeaves(possible, possible.keys())
  const read = supplyIn(possible)
  const now = state.find(({ slot }) => BigInt(slot) === read?.args[0]?.value)?.value
  const supply: Supply | undefined =
    read === undefined || now === undefined || !isNeverUnderstated(roles, leaves, read)
      ? undefined
      : { read, now }
  let empty: boolean | undefined
  const isNobodys = (): boolean => (empty ??= isNobodyEmpty(roles, leaves, state))
  return {
    ...roles,
    leaves,
    counted: settled.counted,
    isFromBirth: ({ op, value }) => op === "const" && born.has(value),
    isEmpty: ({ op, value }) => op === "const" && value === 0n && isNobodys(),
    votes: yield* votesOf({ ...roles, counted: settled.counted }, possible),
    limitOf: settled.limitOf,
    leastOf: (field) => settled.leastOf(field, supply),
    supply
  }
}
