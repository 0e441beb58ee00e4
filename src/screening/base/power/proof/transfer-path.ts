import { type Fork, type Leaf, type Tree, leavesOf } from "../../../../bytecode/exact/tree.ts"
import { type CallRecord, listed } from "../../../../bytecode/evm/path.ts"
import { type Order, delivers } from "./delivery.ts"
import { gateReason } from "./gates.ts"
import type { Roles } from "./roles.ts"

const NOTHING: ReadonlySet<string> = new Set()

const asksOthers = ({ kind, target }: CallRecord): boolean =>
  kind !== "create" && !(target.op === "const" && target.value > 0n && target.value < 32n)

/** What can stand in the way of one of the ordinary functions: empty where nothing can but the holder's own means. */
export const pathReasons = (roles: Roles, order: Order, tree: Tree): ReadonlySet<string> => {
  const leaves = leavesOf(tree)
  const lost = leaves.find(({ ending }) => ending === "lost")
  if (lost !== undefined) return new Set([`its code: ${lost.why ?? "a path was lost"}`])
  const done = new Set<Leaf>(leaves.filter((leaf) => delivers(roles, leaf, order)))
  if (done.size === 0) return new Set(["something that keeps the amount from arriving in full"])
  if ([...done].some(({ state }) => [...listed(state.calls)].some(asksOthers)))
    return new Set(["another contract"])
  const alive = aliveIn(tree, done)
  const reasons = new Set<string>()
  for (const fork of forksOf(tree)) {
    const [hold, fail] = [alive.has(fork.hold), alive.has(fork.fail)]
    if (hold === fail) continue
    const reason = gateReason(roles, order, fork, !hold)
    if (reason !== undefined) reasons.add(reason)
  }
  return reasons.size === 0 ? NOTHING : reasons
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
