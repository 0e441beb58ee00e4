import type { ExactContract } from "../../../../bytecode/exact/functions.ts"
import type { Tree } from "../../../../bytecode/exact/tree.ts"
import { FALLBACK } from "../../../../bytecode/contract.ts"
import type { Sliced } from "../../../../bytecode/evm/slices.ts"
import { isPossible } from "./possible.ts"
import type { Settled } from "./settle.ts"
import type { Walked } from "./transfer-holes.ts"

/** The functions again, where what is settled is taken for granted. */
export function* walkSettled(
  contract: ExactContract,
  walked: Walked,
  wanted: ReadonlySet<string>,
  settled: Settled
): Sliced<Walked> {
  const again = new Map<string, ReadonlyArray<Tree>>()
  for (const [selector, trees] of walked)
    if (!wanted.has(selector)) again.set(selector, [])
    else if (selector === FALLBACK)
      again.set(
        selector,
        trees.map((tree) => possibleIn(settled, tree))
      )
    else again.set(selector, yield* contract.walk(selector, settled.stored))
  return again
}

/** Every path that can still be taken. */
export const possibly = (settled: Settled, walked: Walked): Walked =>
  new Map([...walked].map(([selector, trees]) => [selector, trees.map((tree) => possibleIn(settled, tree))]))

const possibleIn = (settled: Settled, tree: Tree): Tree => {
  if (tree.kind === "leaf")
    return isPossible(settled, tree.state.conditions) ? tree : { ...tree, ending: "revert" }
  return { ...tree, hold: possibleIn(settled, tree.hold), fail: possibleIn(settled, tree.fail) }
}
