import type { ExactContract } from "../../../../bytecode/exact/functions.ts"
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

/** What may keep the ordinary functions from doing what they say. */
export const transferHoles = (contract: ExactContract, roles: Roles, walked: Walked): ReadonlyArray<Hole> =>
  ordersOf(roles).flatMap(([selector, order]) => {
    const trees = walked.get(selector) ?? []
    if (trees.length === 0)
      return [unknownHole(selector, `${VERB[order.kind]} is possible: there is no such function`)]
    if (!contract.isReached(selector, CALL_BYTES[order.kind]))
      return [unknownHole(selector, `${VERB[order.kind]} depends on nothing before its function is chosen`)]
    if (order.kind === "balanceOf" && !contract.isIdle(selector))
      return [unknownHole(selector, `${VERB[order.kind]} is possible where nothing may be done by it`)]
    return trees
      .flatMap((tree) => pathReasons(roles, order, tree))
      .map(({ limit, why }) => ({
        ...unknownHole(selector, `${VERB[order.kind]} does not depend on ${why}`),
        ...(limit === undefined ? {} : { limit })
      }))
  })
