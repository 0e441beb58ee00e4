import { type Bits, KnownBits, NOTHING_STORED, type Stored } from "../../../../bytecode/exact/bits.ts"
import { widthWhere } from "../../../../bytecode/exact/linear.ts"
import { mayBeSame } from "../../../../bytecode/exact/same.ts"
import { type Tables, somePlaceIn } from "../../../../bytecode/exact/table.ts"
import type { Since } from "../../../../bytecode/exact/moments.ts"
import type { Leaf } from "../../../../bytecode/exact/tree.ts"
import { type Arena, type Expr, WORD_MASK } from "../../../../bytecode/evm/expression.ts"
import type { Budget } from "../../../../bytecode/evm/explore.ts"
import type { Sliced } from "../../../../bytecode/evm/slices.ts"
import { type CallRecord, type Condition, type StorageWrite, listed } from "../../../../bytecode/evm/path.ts"
import type { Change } from "./bounds.ts"
import { type Counted, isInCountedList, mayBeCounted, stillCounted } from "./counted.ts"
import { isPossible } from "./possible.ts"
import type { SlotValue } from "./slot-value.ts"
import { isOnly } from "./only.ts"
import { type Votes, isCheckpoint } from "./votes/tables.ts"

const runsForeignCode = ({ kind }: CallRecord): boolean =>
  kind === "delegatecall" || kind === "callcode" || kind === "selfdestruct"

/**
 * What a path leaves or shows to others, newest first. What it writes over again itself stood there for nobody but the path,
 * which knows what it reads there as long as it writes to no place in between that may be the same.
 */
const lastingWrites = (newest: StorageWrite | undefined): ReadonlyArray<StorageWrite> => {
  const left: Array<StorageWrite> = []
  const replaced = new Set<Expr>()
  for (const write of listed(newest)) {
    const { havoc, key } = write
    if (replaced.has(key)) continue
    for (const other of replaced) if (havoc === true || mayBeSame(key, other)) replaced.delete(other)
    if (havoc === true) continue
    if (key.op === "const") replaced.add(key)
    left.push(write)
  }
  return left
}

/** The paths that may change something, each with its writes. */
export const changesOf = (leaves: ReadonlyArray<Leaf>): ReadonlyArray<Change> =>
  leaves.flatMap((leaf) => {
    if (leaf.ending === "revert") return []
    const writes = lastingWrites(leaf.state.writes)
    const isWild = leaf.ending === "lost" || [...listed(leaf.state.calls)].some(runsForeignCode)
    return isWild || writes.length > 0 ? [{ leaf, writes, isWild }] : []
  })

/** What is taken for granted: bits of slots, tables that hold nothing, and lengths of lists that stay short. */
export interface Kept {
  readonly stored: Stored
  readonly counted: Counted
}

const NOTHING_KEPT: Kept = { stored: NOTHING_STORED, counted: new Set() }

const bitsLeft = (now: Bits, put: Bits): Bits => {
  const mask = now.mask & put.mask & ~(put.value ^ now.value)
  return mask === now.mask ? now : { mask, value: now.value & mask }
}

const isKnownNothing = ({ mask, value }: Bits): boolean => mask === WORD_MASK && value === 0n

/** The tables that a write leaves empty: it writes elsewhere, or nothing where nothing is. */
const stillEmpty = (
  arena: Arena,
  stored: Stored,
  tables: Tables,
  conditions: Condition | undefined,
  { key, value }: StorageWrite
): Tables => {
  if (tables.length === 0 || isKnownNothing(new KnownBits(stored, { empty: key }).of(value))) return tables
  const width = widthWhere(conditions)
  const left = tables.filter((table) => !mayBeSame(key, somePlaceIn(arena, table), width))
  return left.length === tables.length ? tables : left
}

/** What a write leaves of what is taken for granted; the same where it leaves all of it. */
const afterWrite = (
  arena: Arena,
  left: Kept,
  { assumed, bits, conditions, votes }: Path,
  write: StorageWrite
): Kept => {
  const { key, value } = write
  const counted = stillCounted(arena, left.counted, conditions, write)
  const words = new Map(left.stored.words)
  let isSame = counted === left.counted
  const put = (slot: bigint, bits: Bits | undefined): void => {
    isSame = false
    if (bits === undefined) words.delete(slot)
    else words.set(slot, bits)
  }
  const now = key.op === "const" ? words.get(key.value) : undefined
  if (now !== undefined && key.op === "const") {
    const rest = bitsLeft(now, bits.of(value))
    if (rest !== now && !isOnly(assumed.stored, conditions, value, now)) put(key.value, rest)
  }
  if (isInCountedList(assumed.counted, conditions, key) || isCheckpoint(votes, key))
    return isSame ? left : { counted, stored: { ...left.stored, words } }
  const empty = stillEmpty(arena, assumed.stored, left.stored.empty, conditions, write)
  const width = widthWhere(conditions)
  if (key.op !== "const")
    for (const slot of left.stored.words.keys())
      if (mayBeSame(key, arena.constant(slot), width)) put(slot, undefined)
  return isSame && empty === left.stored.empty ? left : { counted, stored: { ...left.stored, words, empty } }
}

/** A path, and what is taken for granted while it is looked at. */
interface Path {
  readonly conditions: Condition | undefined
  readonly assumed: Kept
  readonly bits: KnownBits
  /** Lists of votes that every path lets grow by one at a time: their ends are no plain slots, and in no other table. */
  readonly votes: Votes | undefined
}

type Excludes = (
  arena: Arena,
  assumed: Kept,
  bits: KnownBits,
  change: Change,
  votes: Votes | undefined
) => boolean

/**
 * Whether a path cannot be taken as long as storage is as it is assumed to be. What it reads after it wrote over that itself,
 * or ran code that may have, says nothing: whoever writes the answer first is told what he wrote.
 */
const excludesPath: Excludes = (arena, assumed, bits, { leaf: { state } }, votes) => {
  const { conditions } = state
  if (isPossible({ bits }, conditions)) return false
  const path: Path = { conditions, assumed, bits, votes }
  const runsOthers = [...listed(state.calls)].some(runsForeignCode)
  const all = [...listed(state.writes)].toReversed()
  const broken = all.findIndex((write) =>
    write.havoc === true ? runsOthers : afterWrite(arena, assumed, path, write) !== assumed
  )
  if (broken < 0) return true
  const before = new Set(all.slice(0, broken).map(({ id }) => BigInt(id)))
  const trusted = new KnownBits(assumed.stored, { trusts: (version) => before.has(version) })
  return !isPossible({ bits: trusted }, conditions)
}

/** Whether nothing is left to spend on one more change. Each costs as many steps as it has writes, and one. */
const isSpent = (budget: Budget, { writes }: Change): boolean => {
  budget.steps -= 1 + writes.length
  if (budget.now() > budget.deadline) budget.steps = 0
  return budget.steps <= 0
}

const CHANGES_A_SLICE = 64

/** Of the pinned block: slots' words, tables that hold nothing, and a moment that has passed by then. */
export interface State {
  readonly words: ReadonlyArray<SlotValue>
  readonly empty: Tables
  readonly since?: Since | undefined
}

/** What remains settled after one round: what every possible path leaves alone; `undefined`: nothing is sure. */
function* narrowed(
  arena: Arena,
  assumed: Kept,
  changes: ReadonlyArray<Change>,
  budget: Budget,
  excludes: Excludes,
  votes: Votes | undefined
): Sliced<Kept | undefined> {
  const bits = new KnownBits(assumed.stored)
  let left = assumed
  for (const [index, change] of changes.entries()) {
    if (index % CHANGES_A_SLICE === 0) yield
    if (isSpent(budget, change)) return undefined
    if (excludes(arena, assumed, bits, change, votes)) continue
    if (change.isWild) return undefined
    const path: Path = { conditions: change.leaf.state.conditions, assumed, bits, votes }
    for (const write of change.writes) left = afterWrite(arena, left, path, write)
  }
  return left
}

const sameKept = (a: Kept, b: Kept): boolean =>
  a.counted.size === b.counted.size &&
  a.stored.empty.length === b.stored.empty.length &&
  a.stored.words.size === b.stored.words.size &&
  [...a.stored.words].every(([slot, { mask }]) => b.stored.words.get(slot)?.mask === mask)

/**
 * What of storage as it is no path changes any more: the largest set that keeps itself.
 * @param votes lists that are proven to grow by one at a time, taken for short
 * @param excludes whether a path cannot be taken as long as this is kept
 */
export function* keptBy(
  arena: Arena,
  changes: ReadonlyArray<Change>,
  budget: Budget,
  { empty, since, words: state }: State,
  votes?: Votes,
  excludes: Excludes = excludesPath
): Sliced<Kept> {
  const words = new Map(state.map(({ slot, value }) => [BigInt(slot), { mask: WORD_MASK, value }]))
  let now: Kept = {
    stored: { words, empty, since },
    counted: mayBeCounted(
      changes.flatMap(({ writes }) => writes),
      state
    )
  }
  while (now.stored.words.size + now.stored.empty.length + now.counted.size > 0) {
    const next = yield* narrowed(arena, now, changes, budget, excludes, votes)
    if (next === undefined) return NOTHING_KEPT
    if (sameKept(now, next)) break
    now = next
  }
  const left = [...now.stored.words].filter(([, { mask }]) => mask !== 0n)
  return { ...now, stored: { ...now.stored, words: new Map(left) } }
}
