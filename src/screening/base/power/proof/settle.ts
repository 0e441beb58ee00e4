import { type Bits, KnownBits, type Stored, isKnownZero } from "../../../../bytecode/exact/bits.ts"
import { widthWhere } from "../../../../bytecode/exact/linear.ts"
import { mayBeSame } from "../../../../bytecode/exact/same.ts"
import type { Leaf } from "../../../../bytecode/exact/tree.ts"
import { type Arena, type Expr, WORD_MASK, isEnv } from "../../../../bytecode/evm/expression.ts"
import { type CallRecord, type Condition, listed } from "../../../../bytecode/evm/path.ts"
import { readsOf } from "../../../../bytecode/location.ts"
import { isNobody } from "../../addresses.ts"
import { type Change, largestIn, leastIn } from "./bounds.ts"
import { type Counted, isInCountedList, mayBeCounted, stillCounted } from "./counted.ts"
import type { Field } from "./field.ts"
import { accountOf, isContracts } from "./roles.ts"
import type { Supply } from "./supply.ts"

/** A slot's word at the pinned block. */
export interface SlotValue {
  /** 32 bytes. */
  readonly slot: string
  readonly value: bigint
}

/**
 * What no path of the contract changes any more. Found as the largest set that keeps itself: taking it for granted,
 * every path that can be walked leaves it as it is.
 */
export interface Settled {
  readonly stored: Stored
  /** Slots that hold the lengths of lists, which stay short. */
  readonly counted: Counted
  /** What that says of other words. */
  readonly bits: KnownBits
  /** The largest number a field will ever hold; `undefined` where nothing bounds it. */
  readonly limitOf: (field: Field) => bigint | undefined
  /** The least number a field will ever hold, as the supply is now. */
  readonly leastOf: (field: Field, supply: Supply | undefined) => bigint | undefined
}

const NOTHING_SETTLED: Settled = {
  stored: new Map(),
  counted: new Set(),
  bits: new KnownBits(new Map()),
  limitOf: () => undefined,
  leastOf: () => undefined
}

const CALLER = 0x33n

export const isCaller = (e: Expr): boolean => isEnv(e, CALLER)

/** No key signs for it, so it never calls. */
const neverCalls = (account: bigint): boolean =>
  account < 1n << 160n && isNobody(`0x${account.toString(16).padStart(40, "0")}`)

const EXTCODESIZE = 0x3bn

/** Code that runs outside a constructor stands at its own address. */
const isOwnCode = ({ args: [account], op, value }: Expr): boolean =>
  op === "env" && value === EXTCODESIZE && account !== undefined && isContracts(account)

/** Whoever calls is not nobody, and a contract that is called has code. */
export const decidesCaller = (expr: Expr): boolean | undefined => {
  if (isCaller(accountOf(expr)) || isOwnCode(expr)) return true
  const sides = expr.op === "eq" ? expr.args.map(accountOf) : []
  const asked = sides.some(isCaller) ? sides.find(({ op }) => op === "const") : undefined
  return asked !== undefined && neverCalls(asked.value) ? false : undefined
}

/** A condition that asks the caller to be somebody who never calls. */
const asksNobody = (bits: KnownBits, expr: Expr): boolean => {
  const sides = expr.op === "eq" ? expr.args.map(accountOf) : []
  if (!sides.some(isCaller)) return false
  return sides.some((side) => {
    const { mask, value } = bits.of(side)
    return mask === WORD_MASK && neverCalls(value)
  })
}

/** Whether a path with these conditions can be taken while the settled slots hold what they hold. */
export const isPossible = ({ bits }: Pick<Settled, "bits">, conditions: Condition | undefined): boolean => {
  for (const { expr, holds } of listed(conditions)) {
    const zero = isKnownZero(bits.of(expr))
    if (zero === holds) return false
    if (holds ? asksNobody(bits, expr) : isCaller(accountOf(expr))) return false
  }
  return true
}

const runsForeignCode = ({ kind }: CallRecord): boolean =>
  kind === "delegatecall" || kind === "callcode" || kind === "selfdestruct"

const changesOf = (leaves: ReadonlyArray<Leaf>): ReadonlyArray<Change> =>
  leaves.flatMap((leaf) => {
    if (leaf.ending === "revert") return []
    const writes = [...listed(leaf.state.writes)].filter(({ havoc }) => havoc !== true)
    const isWild = leaf.ending === "lost" || [...listed(leaf.state.calls)].some(runsForeignCode)
    return isWild || writes.length > 0 ? [{ leaf, writes, isWild }] : []
  })

type CanBeTaken = typeof isPossible

/** What is taken for granted: bits of slots, and lengths of lists that stay short. */
interface Kept {
  readonly stored: ReadonlyMap<bigint, Bits>
  readonly counted: Counted
}

const NOTHING_KEPT: Kept = { stored: new Map(), counted: new Set() }

const bitsLeft = (now: Bits, put: Bits): Bits => {
  const mask = now.mask & put.mask & ~(put.value ^ now.value)
  return mask === now.mask ? now : { mask, value: now.value & mask }
}

/** What remains settled after one round: what every possible path leaves alone; `undefined`: nothing is sure. */
const narrowed = (
  arena: Arena,
  { counted, stored }: Kept,
  changes: ReadonlyArray<Change>,
  canBeTaken: CanBeTaken
): Kept | undefined => {
  const bits = new KnownBits(stored)
  const next = new Map(stored)
  let left = counted
  for (const { leaf, writes, isWild } of changes) {
    const { conditions } = leaf.state
    if (!canBeTaken({ bits }, conditions)) continue
    if (isWild) return undefined
    for (const write of writes) {
      const { key, value } = write
      left = stillCounted(arena, left, conditions, write)
      const now = key.op === "const" ? next.get(key.value) : undefined
      if (now !== undefined) next.set(key.value, bitsLeft(now, bits.of(value)))
      if (key.op === "const" || isInCountedList(counted, conditions, key)) continue
      const width = widthWhere(conditions)
      for (const slot of next.keys()) if (mayBeSame(key, arena.constant(slot), width)) next.delete(slot)
    }
  }
  return { stored: next, counted: left }
}

const sameKept = (a: Kept, b: Kept): boolean =>
  a.counted.size === b.counted.size &&
  a.stored.size === b.stored.size &&
  [...a.stored].every(([slot, { mask }]) => b.stored.get(slot)?.mask === mask)

const keptBy = (
  arena: Arena,
  changes: ReadonlyArray<Change>,
  state: ReadonlyArray<SlotValue>,
  canBeTaken: CanBeTaken = isPossible
): Kept => {
  let now: Kept = {
    stored: new Map(state.map(({ slot, value }) => [BigInt(slot), { mask: WORD_MASK, value }])),
    counted: mayBeCounted(
      changes.flatMap(({ writes }) => writes),
      state
    )
  }
  while (now.stored.size + now.counted.size > 0) {
    const next = narrowed(arena, now, changes, canBeTaken)
    if (next === undefined) return NOTHING_KEPT
    if (sameKept(now, next)) break
    now = next
  }
  return { ...now, stored: new Map([...now.stored].filter(([, { mask }]) => mask !== 0n)) }
}

/** What stands in storage since the contract was born: bits that no path changes, whatever its conditions ask. */
export const unchangeable = (
  arena: Arena,
  leaves: ReadonlyArray<Leaf>,
  state: ReadonlyArray<SlotValue>
): Stored => keptBy(arena, changesOf(leaves), state, () => true).stored

/** Finds what is settled among the slots that were read. */
export const settle = (
  arena: Arena,
  leaves: ReadonlyArray<Leaf>,
  state: ReadonlyArray<SlotValue>
): Settled => {
  if (state.length === 0) return NOTHING_SETTLED
  const changes = changesOf(leaves)
  const { counted, stored } = keptBy(arena, changes, state)
  const bits = new KnownBits(stored)
  const possible = changes.filter(({ leaf }) => isPossible({ bits }, leaf.state.conditions))
  const start = new Map(state.map(({ slot, value }) => [BigInt(slot), value]))
  const once = (
    find: (word: bigint, field: Field, supply: Supply | undefined) => bigint | undefined
  ): Settled["leastOf"] => {
    const found = new Map<string, bigint | undefined>()
    return (field, supply) => {
      const word = start.get(field.slot)
      if (word === undefined) return undefined
      const name = `${field.slot} ${field.mask}`
      if (!found.has(name)) found.set(name, find(word, field, supply))
      return found.get(name)
    }
  }
  const largest = once((word, field) => largestIn(arena, possible, word, field))
  return {
    stored,
    counted,
    bits,
    limitOf: (field) => largest(field, undefined),
    leastOf: once((word, field, supply) => leastIn(arena, possible, word, field, supply))
  }
}

const MAX_SLOTS = 32

const slotsIn = (words: Iterable<Expr>): ReadonlyArray<bigint> =>
  [...words].flatMap((word) => readsOf(word).flatMap(({ location }) => location.slot ?? []))

/**
 * Slots whose values could settle what paths depend on: those that the paths' conditions and effects read, those that
 * name whom they concern, and those on which it depends whether these are written. Nearest first, and no more than may be read for one token.
 * @param first slots that are wanted in any case
 */
export const slotsThatSettle = (
  paths: Iterable<Leaf>,
  leaves: ReadonlyArray<Leaf>,
  first: ReadonlyArray<bigint> = []
): ReadonlyArray<string> => {
  const read = ({ state }: Leaf): ReadonlyArray<bigint> =>
    slotsIn([
      ...[...listed(state.conditions)].map(({ expr }) => expr),
      ...[...listed(state.writes)].map(({ value }) => value)
    ])
  const named = ({ state }: Leaf): ReadonlyArray<bigint> =>
    slotsIn([...listed(state.writes)].map(({ key }) => key))
  const all = [...paths]
  const found = new Set([...first, ...all.flatMap(read), ...all.flatMap(named)])
  const writers = changesOf(leaves).map(({ leaf, writes }) => ({
    leaf,
    slots: new Set(writes.flatMap(({ key }) => (key.op === "const" ? [key.value] : [])))
  }))
  for (const slot of found) {
    if (found.size >= MAX_SLOTS) break
    for (const { leaf, slots } of writers) if (slots.has(slot)) read(leaf).forEach((one) => found.add(one))
  }
  return [...found].slice(0, MAX_SLOTS).map((slot) => `0x${slot.toString(16).padStart(64, "0")}`)
}
