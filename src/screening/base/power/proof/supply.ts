import { type Facts, type Sum, minus, negated, sumOf } from "../../../../bytecode/exact/linear.ts"
import { mayBeSame } from "../../../../bytecode/exact/same.ts"
import { type Leaf, type Tree, leavesOf } from "../../../../bytecode/exact/tree.ts"
import type { Expr } from "../../../../bytecode/evm/expression.ts"
import { type StorageWrite, listed } from "../../../../bytecode/evm/path.ts"
import { type Frame, casesOf, factsIn, frameOf, netOf } from "./frame.ts"
import type { Roles } from "./roles.ts"

/** The word that `totalSupply()` answers, with what it is at the pinned block. */
export interface Supply {
  readonly read: Expr
  readonly now: bigint
}

/** A read of one plain slot, as it was before the call. */
export const isPlainRead = ({ op, value, args: [key] }: Expr): boolean =>
  op === "sload" && value === 0n && key?.op === "const"

/** The read of one plain slot that `totalSupply()` answers on every path. */
export const supplyRead = (trees: ReadonlyArray<Tree>): Expr | undefined => {
  const answers = new Set(
    trees.flatMap(leavesOf).flatMap(({ ending, returned }) => (ending === "success" ? [returned] : []))
  )
  const [answer] = answers
  return answers.size === 1 && answer !== undefined && isPlainRead(answer) ? answer : undefined
}

export const writesOf = ({ state }: Leaf): ReadonlyArray<StorageWrite> =>
  [...listed(state.writes)].filter(({ havoc }) => havoc !== true)

/** The last word the path leaves in a slot that no other of its writes may hit. */
export const leftIn = (leaf: Leaf, key: Expr): Expr | undefined => {
  const writes = writesOf(leaf)
  if (writes.some((write) => write.key !== key && mayBeSame(write.key, key))) return undefined
  return writes.find((write) => write.key === key)?.value
}

export const touches = (leaf: Leaf, key: Expr): boolean =>
  writesOf(leaf).some((write) => mayBeSame(write.key, key))

/** What the path goes on to do is not known. */
export const isWild = ({ ending, state }: Leaf): boolean =>
  ending === "lost" ||
  [...listed(state.calls)].some(({ kind }) => ["delegatecall", "callcode", "selfdestruct"].includes(kind))

/** A path's bookings in every case of who is whom, with what its branches say; `undefined` where storage changed between. */
export const framesOf = (
  roles: Roles,
  { state }: Leaf
): ReadonlyArray<readonly [Frame, Facts]> | undefined => {
  const found: Array<readonly [Frame, Facts]> = []
  for (const parties of casesOf(roles, state.writes, state.conditions) ?? []) {
    const frame = frameOf(roles, state, parties)
    if (typeof frame === "string" || frame.stretches.length !== 1) return undefined
    found.push([frame, factsIn(roles, state.conditions, frame)])
  }
  return found.length === 0 ? undefined : found
}

/** What one path does to the supply's word and to all balances together, in one case of who is whom. */
interface Step {
  readonly left: Sum
  readonly grown: Sum
  readonly net: Sum
  readonly facts: Facts
}

const onEveryPath = (
  roles: Roles,
  leaves: ReadonlyArray<Leaf>,
  supply: Expr,
  holds: (step: Step) => boolean
): boolean => {
  const [key] = supply.args
  return leaves.every((leaf) => {
    if (leaf.ending === "revert") return true
    if (isWild(leaf) || key === undefined) return false
    if (!touches(leaf, key)) return true
    const word = leftIn(leaf, key)
    if (word === undefined) return false
    const steps = framesOf(roles, leaf)?.flatMap(([frame, facts]) => {
      const left = frame.worth(word)
      return frame.stretches.map((stretch) =>
        holds({ left, grown: minus(left, sumOf(supply)), net: netOf(stretch), facts })
      )
    })
    return steps?.every((step) => step) === true
  })
}

const fallsLessThanBalances = ({ facts, grown, net }: Step): boolean => facts.atLeastZero(minus(grown, net))
const growsLessThanBalances = ({ facts, grown, net }: Step): boolean => facts.atLeastZero(minus(net, grown))
const falls = ({ facts, grown }: Step): boolean => facts.atLeastZero(negated(grown))

/** On every path the supply's word falls by no more than all balances do, nor wraps around: nobody can make it look small. */
export const isNeverUnderstated = (roles: Roles, leaves: ReadonlyArray<Leaf>, supply: Expr): boolean =>
  onEveryPath(
    roles,
    leaves,
    supply,
    (step) => fallsLessThanBalances(step) && (falls(step) || growsLessThanBalances(step))
  )

/** On every path the supply's word grows by no more than all balances do, nor wraps around: nobody can make it look large. */
export const isNeverOverstated = (roles: Roles, leaves: ReadonlyArray<Leaf>, supply: Expr): boolean =>
  onEveryPath(
    roles,
    leaves,
    supply,
    (step) =>
      (falls(step) || growsLessThanBalances(step)) &&
      (step.facts.atLeastZero(step.left) || fallsLessThanBalances(step))
  )

/** The words of which only one may be the supply, so that a share stays the share it is when the supply falls. */
const isLinear = ({ op, args: [a, b] }: Expr): boolean => {
  if (op === "mul") return a?.op === "const" || b?.op === "const"
  return op === "div" ? b?.op === "const" : (op === "shl" || op === "shr") && a?.op === "const"
}

/** A constant, or a fixed share of the supply, as it comes to now; `undefined` for anything else. */
export const shareNow = (supply: Supply | undefined, word: Expr): bigint | undefined => {
  if (word.op === "const") return word.value
  if (word === supply?.read) return supply.now
  const [a, b] = word.args
  if (a === undefined || b === undefined || !isLinear(word)) return undefined
  const [x, y] = [shareNow(supply, a), shareNow(supply, b)]
  if (x === undefined || y === undefined) return undefined
  if (word.op === "mul") return x * y < 1n << 256n ? x * y : undefined
  if (word.op === "div") return y === 0n ? 0n : x / y
  if (x > 255n) return undefined
  return word.op === "shr" ? y >> x : y << x < 1n << 256n ? y << x : undefined
}
