import { type Bits, KnownBits, type Stored, isKnownZero } from "../../../../bytecode/exact/bits.ts"
import { Facts, type Sum, minus, sumOf } from "../../../../bytecode/exact/linear.ts"
import { mayBeSame } from "../../../../bytecode/exact/same.ts"
import type { Leaf } from "../../../../bytecode/exact/tree.ts"
import { type Arena, type Expr, WORD_MASK } from "../../../../bytecode/evm/expression.ts"
import { type CallRecord, type Condition, type StorageWrite, listed } from "../../../../bytecode/evm/path.ts"
import { and, binary } from "../../../../bytecode/evm/simplify.ts"
import { readsOf } from "../../../../bytecode/location.ts"
import { isNobody } from "../../addresses.ts"
import { type Field, fieldOf } from "./field.ts"
import { accountOf } from "./roles.ts"

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
  /** What that says of other words. */
  readonly bits: KnownBits
  /** The largest number a field will ever hold; `undefined` where nothing bounds it. */
  readonly limitOf: (field: Field) => bigint | undefined
}

const NOTHING_SETTLED: Settled = {
  stored: new Map(),
  bits: new KnownBits(new Map()),
  limitOf: () => undefined
}

const CALLER = 0x33n

export const isCaller = (e: Expr): boolean => e.op === "env" && e.value === CALLER && e.args.length === 0

/** No key signs for it, so it never calls. */
const neverCalls = (account: bigint): boolean =>
  account < 1n << 160n && isNobody(`0x${account.toString(16).padStart(40, "0")}`)

/** Whoever calls is not nobody. */
export const decidesCaller = (expr: Expr): boolean | undefined => {
  if (isCaller(accountOf(expr))) return true
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

/** What a path does to storage. */
interface Change {
  readonly leaf: Leaf
  readonly writes: ReadonlyArray<StorageWrite>
  /** It could do anything: it was lost, or runs code from elsewhere. */
  readonly isWild: boolean
}

const changesOf = (leaves: ReadonlyArray<Leaf>): ReadonlyArray<Change> =>
  leaves.flatMap((leaf) => {
    if (leaf.ending === "revert") return []
    const writes = [...listed(leaf.state.writes)].filter(({ havoc }) => havoc !== true)
    const isWild = leaf.ending === "lost" || [...listed(leaf.state.calls)].some(runsForeignCode)
    return isWild || writes.length > 0 ? [{ leaf, writes, isWild }] : []
  })

/** What remains settled after one round: bits that every possible path leaves alone; `undefined`: nothing is sure. */
const narrowed = (
  arena: Arena,
  stored: ReadonlyMap<bigint, Bits>,
  changes: ReadonlyArray<Change>
): ReadonlyMap<bigint, Bits> | undefined => {
  const bits = new KnownBits(stored)
  const next = new Map(stored)
  for (const { leaf, writes, isWild } of changes) {
    if (!isPossible({ bits }, leaf.state.conditions)) continue
    if (isWild) return undefined
    for (const { key, value } of writes) {
      if (key.op === "const") {
        const now = next.get(key.value)
        if (now === undefined) continue
        const put = bits.of(value)
        const mask = now.mask & put.mask & ~(put.value ^ now.value)
        if (mask !== now.mask) next.set(key.value, { mask, value: now.value & mask })
        continue
      }
      for (const slot of next.keys()) if (mayBeSame(key, arena.constant(slot))) next.delete(slot)
    }
  }
  return next
}

const sameMasks = (a: ReadonlyMap<bigint, Bits>, b: ReadonlyMap<bigint, Bits>): boolean =>
  a.size === b.size && [...a].every(([slot, { mask }]) => b.get(slot)?.mask === mask)

const settledBits = (
  arena: Arena,
  changes: ReadonlyArray<Change>,
  state: ReadonlyArray<SlotValue>
): ReadonlyMap<bigint, Bits> => {
  let now: ReadonlyMap<bigint, Bits> = new Map(
    state.map(({ slot, value }) => [BigInt(slot), { mask: WORD_MASK, value }])
  )
  while (now.size > 0) {
    const next = narrowed(arena, now, changes)
    if (next === undefined) return new Map()
    if (sameMasks(now, next)) break
    now = next
  }
  return new Map([...now].filter(([, { mask }]) => mask !== 0n))
}

/** The field's part of a word written to its slot. */
const partOf = (arena: Arena, { mask, shift }: Field, value: Expr): Expr =>
  binary(arena, 0x1c, arena.constant(shift), and(arena, arena.constant(mask), value))

const CONSTANT_TESTS: ReadonlySet<string> = new Set(["lt", "eq"])

const constantsIn = (conditions: Condition | undefined): ReadonlyArray<bigint> => [
  ...new Set(
    [...listed(conditions)].flatMap(({ expr }) =>
      CONSTANT_TESTS.has(expr.op) ? expr.args.flatMap(({ op, value }) => (op === "const" ? [value] : [])) : []
    )
  )
]

const bare = (word: Expr): Expr => {
  const [mask, inner] = word.args
  return word.op === "and" && mask?.op === "const" && inner !== undefined ? inner : word
}

/** The least constant that the branches taken say the word does not exceed. */
const boundBy = (conditions: Condition | undefined, word: Expr): bigint | undefined => {
  const facts = new Facts(conditions, () => undefined)
  const words: ReadonlyArray<Sum> = [sumOf(word), sumOf(bare(word))]
  return constantsIn(conditions)
    .toSorted((a, b) => (a < b ? -1 : 1))
    .find((constant) => words.some((sum) => facts.atLeastZero(minus({ terms: new Map(), constant }, sum))))
}

const limitOf = (
  arena: Arena,
  bits: KnownBits,
  changes: ReadonlyArray<Change>,
  start: bigint,
  field: Field
): bigint | undefined => {
  let limit = (start & field.mask) >> field.shift
  const slot = arena.constant(field.slot)
  for (const { leaf, writes, isWild } of changes) {
    if (!isPossible({ bits }, leaf.state.conditions)) continue
    if (isWild) return undefined
    for (const { key, value } of writes) {
      if (key !== slot) {
        if (key.op !== "const" && mayBeSame(key, slot)) return undefined
        continue
      }
      const part = partOf(arena, field, value)
      const kept = fieldOf(part)
      if (kept?.slot === field.slot && kept.mask === field.mask) continue
      const bound = part.op === "const" ? part.value : boundBy(leaf.state.conditions, part)
      if (bound === undefined) return undefined
      if (bound > limit) limit = bound
    }
  }
  return limit
}

/** Finds what is settled among the slots that were read. */
export const settle = (
  arena: Arena,
  leaves: ReadonlyArray<Leaf>,
  state: ReadonlyArray<SlotValue>
): Settled => {
  if (state.length === 0) return NOTHING_SETTLED
  const changes = changesOf(leaves)
  const stored = settledBits(arena, changes, state)
  const bits = new KnownBits(stored)
  const start = new Map(state.map(({ slot, value }) => [BigInt(slot), value]))
  const limits = new Map<string, bigint | undefined>()
  return {
    stored,
    bits,
    limitOf: (field) => {
      const value = start.get(field.slot)
      if (value === undefined) return undefined
      const name = `${field.slot} ${field.mask}`
      if (!limits.has(name)) limits.set(name, limitOf(arena, bits, changes, value, field))
      return limits.get(name)
    }
  }
}

const MAX_SLOTS = 32

const slotsIn = (words: Iterable<Expr>): ReadonlyArray<bigint> =>
  [...words].flatMap((word) => readsOf(word).flatMap(({ location }) => location.slot ?? []))

/**
 * Slots whose values could settle what paths depend on: those that the paths' conditions and effects read, and those
 * on which it depends whether these are written. Nearest first, and no more than may be read for one token.
 */
export const slotsThatSettle = (
  paths: Iterable<Leaf>,
  leaves: ReadonlyArray<Leaf>
): ReadonlyArray<string> => {
  const read = ({ state }: Leaf): ReadonlyArray<bigint> =>
    slotsIn([
      ...[...listed(state.conditions)].map(({ expr }) => expr),
      ...[...listed(state.writes)].map(({ value }) => value)
    ])
  const found = new Set([...paths].flatMap(read))
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
