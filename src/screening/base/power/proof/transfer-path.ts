import { isPlainPrecompile } from "../../../../bytecode/evm/data.ts"
import { type Fork, type Leaf, type Tree, leavesOf } from "../../../../bytecode/exact/tree.ts"
import { type CallRecord, listed } from "../../../../bytecode/evm/path.ts"
import type { Sliced } from "../../../../bytecode/evm/slices.ts"
import { type Order, answersYes, delivers } from "./delivery.ts"
import { type Gate, gateReasons, isIdle } from "./gates.ts"
import { isOver } from "../../../../bytecode/evm/explore.ts"
import { USED_UP } from "./hole.ts"
import type { Roles } from "./roles.ts"

const because = (why: string): ReadonlyArray<Gate> => [{ why }]

const asksOthers = ({ target }: CallRecord): boolean => !isPlainPrecompile(target)

/** No honest transfer costs as much. */
const MOST_GAS = 2_000_000

/** It answers as if it had been done, where something is at stake. */
const saysYes = (roles: Roles, order: Order, leaf: Leaf): boolean =>
  leaf.ending === "success" && answersYes(leaf) && !isIdle(roles, order, leaf.state.conditions)

/** What can stand in the way of one of the ordinary functions: empty where nothing can but the holder's own means. */
export function* pathReasons(roles: Roles, order: Order, tree: Tree): Sliced<ReadonlyArray<Gate>> {
  const leaves = leavesOf(tree)
  const lost = leaves.find(({ ending }) => ending === "lost")
  if (lost !== undefined) return because(`its code: ${lost.why ?? "a path was lost"}`)
  const done = new Set<Leaf>()
  for (const leaf of leaves) {
    if (leaf.ending === "success") yield
    if (delivers(roles, leaf, order)) done.add(leaf)
  }
  if (done.size === 0) return because("something that keeps the amount from arriving in full")
  if ([...done].some(({ state }) => [...listed(state.calls)].some(asksOthers)))
    return because("another contract")
  if ([...done].some(({ state }) => state.gas > MOST_GAS)) return because("gas without a bound")
  if (leaves.some((leaf) => !done.has(leaf) && saysYes(roles, order, leaf)))
    return because("something that keeps what was answered from being done")
  const alive = aliveIn(tree, done)
  const reasons: Array<Gate> = []
  for (const fork of forksOf(tree)) {
    const [hold, fail] = [alive.has(fork.hold), alive.has(fork.fail)]
    if (hold === fail) continue
    yield
    const found = gateReasons(roles, order, fork, !hold)
    if (found.length === 0) continue
    // A limit refuses what exceeds it; where some path lets the excess through in another way, it is no limit.
    const isRefused = leavesOf(hold ? fork.fail : fork.hold).every(({ ending }) => ending === "revert")
    reasons.push(...found.map((reason) => (isRefused ? reason : { why: reason.why })))
  }
  return isOver(roles.effort) ? because(`its code: ${USED_UP}`) : reasons
}

const forksOf = (tree: Tree): ReadonlyArray<Fork> => {
  const forks: Array<Fork> = []
  const open: Array<Tree> = [tree]
  for (let next = open.pop(); next !== undefined; next = open.pop())
    if (next.kind === "fork") {
      forks.push(next)
      open.push(next.hold, next.fail)
    }
  return forks
}

/** Every point from which some path does what was ordered. Forks come before what they lead to. */
const aliveIn = (tree: Tree, done: ReadonlySet<Leaf>): ReadonlySet<Tree> => {
  const alive = new Set<Tree>(done)
  for (const fork of forksOf(tree).toReversed())
    if (alive.has(fork.hold) || alive.has(fork.fail)) alive.add(fork)
  return alive
}
