import type { ExactContract } from "../../../../bytecode/exact/functions.ts"
import type { Sliced } from "../../../../bytecode/evm/slices.ts"
import type { Tree } from "../../../../bytecode/exact/tree.ts"
import { SELECTOR } from "../../../../bytecode/selector.ts"
import { CALL_BYTES, type Order } from "./delivery.ts"
import { type Hole, unknownHole } from "./hole.ts"
import { type Roles, argument } from "./roles.ts"
import { pathReasons } from "./transfer-path.ts"

/** The paths of functions, by selector. */
export type Walked = ReadonlyMap<string, ReadonlyArray<Tree>>

const ordersOf = ({ arena, caller }: Roles): ReadonlyArray<readonly [string, Order]> => [
  [SELECTOR.transfer, { kind: "transfer", from: caller, to: argument(arena, 0), amount: argument(arena, 1) }],
  [
    SELECTOR.transferFrom,
    {
      kind: "transferFrom",
      from: argument(arena, 0),
      to: argument(arena, 1),
      amount: argument(arena, 2)
    }
  ],
  [SELECTOR.approve, { kind: "approve", from: caller, to: argument(arena, 0), amount: argument(arena, 1) }],
  [
    SELECTOR.balanceOf,
    { kind: "balanceOf", from: argument(arena, 0), to: argument(arena, 0), amount: arena.unknown() }
  ]
]

const VERB = {
  transfer: "a transfer",
  transferFrom: "a sale through a router",
  approve: "an approval",
  balanceOf: "reading a balance, as every pool does,"
} as const

function* holesOf(
  contract: ExactContract,
  roles: Roles,
  walked: Walked,
  selector: string,
  order: Order
): Sliced<ReadonlyArray<Hole>> {
  const trees = walked.get(selector) ?? []
  if (trees.length === 0)
    return [unknownHole(selector, `${VERB[order.kind]} is possible: there is no such function`)]
  if (!contract.isReached(selector, CALL_BYTES[order.kind]))
    return [unknownHole(selector, `${VERB[order.kind]} depends on nothing before its function is chosen`)]
  if (order.kind === "balanceOf" && !contract.isIdle(selector))
    return [unknownHole(selector, `${VERB[order.kind]} is possible where nothing may be done by it`)]
  const holes: Array<Hole> = []
  for (const tree of trees)
    for (const { limit, why } of yield* pathReasons(roles, order, tree))
      holes.push({
        ...unknownHole(selector, `${VERB[order.kind]} does not depend on ${why}`),
        ...(limit === undefined ? {} : { limit })
      })
  return holes
}

/** What may keep the ordinary functions from doing what they say. */
export function* transferHoles(
  contract: ExactContract,
  roles: Roles,
  walked: Walked
): Sliced<ReadonlyArray<Hole>> {
  const holes: Array<Hole> = []
  for (const [selector, order] of ordersOf(roles))
    holes.push(...(yield* holesOf(contract, roles, walked, selector, order)))
  return holes
}
