import type { Exploration } from "./evm/explore.ts"
import { type Arena, type Expr, WORD_MASK, isEnv } from "./evm/expression.ts"
import { type Node, type Outcome, listed } from "./evm/path.ts"
import { binary } from "./evm/simplify.ts"
import { stripped } from "./guard.ts"
import { changeOf, readsOf } from "./location.ts"
import { OPCODES, substitute } from "./substitute.ts"

/** What is known of a word of storage: bits of it, and bits of which not all are zero. */
interface Known {
  readonly slot: bigint
  readonly mask: bigint
  readonly value: bigint
  readonly set: bigint
}

/** What a write leaves: bits that it changes, and what of them is known. */
interface Left extends Known {
  readonly changed: bigint
}

/** Plain slots by which ways through functions are taken once at most: each way shuts itself, and nothing opens it again. */
export type Latches = ReadonlyMap<Outcome, bigint>

const CALLER = 0x33n
const AND = OPCODES.and ?? 0
const OR = OPCODES.or ?? 0

const widthMask = ({ bits }: Expr): bigint => (bits >= 256 ? WORD_MASK : (1n << BigInt(bits)) - 1n)

/** The bits of a word in which a part of it may stand. */
const touched = (part: Expr): bigint => {
  const [a, b] = part.args
  if (part.op === "and" && a?.op === "const") return a.value
  if (part.op === "shl" && a?.op === "const" && a.value < 256n && b !== undefined)
    return (widthMask(b) << a.value) & WORD_MASK
  return widthMask(part)
}

const leftBy = (slot: bigint, key: Expr, written: Expr): Left => {
  const { mask: changed, parts } = changeOf(key, written)
  let [mask, value, set] = [changed, 0n, 0n]
  for (const part of parts) {
    if (part.op === "const") value |= part.value
    else {
      mask &= WORD_MASK ^ touched(part)
      // Nobody calls from the zero address.
      if (isEnv(stripped(part), CALLER)) set |= touched(part)
    }
  }
  return { slot, changed, mask, value: value & mask, set: set & changed }
}

/** What a way writes into plain slots, and what it leaves there at last. */
interface Written {
  readonly all: ReadonlyArray<Left>
  readonly last: ReadonlyArray<Left>
}

const writtenIn = ({ writes }: Outcome): Written => {
  const all = [...listed(writes)].flatMap(({ havoc, key, value }) =>
    havoc === true || key.op !== "const" ? [] : [leftBy(key.value, key, value)]
  )
  const seen = new Set<bigint>()
  return { all, last: all.filter(({ slot }) => !seen.has(slot) && seen.add(slot)) }
}

/** Whether a condition holds where that is known of storage; undefined where it does not say. */
const answerIn = (arena: Arena, expr: Expr, { mask, set, slot, value }: Known): boolean | undefined => {
  const asked = readsOf(expr).filter(({ location }) => location.slot === slot)
  if (asked.length === 0) return undefined
  if (stripped(expr).op === "sload" && asked.every((field) => field.mask === set)) return true
  const word = substitute(arena, expr, (e) => {
    const [key] = e.args
    if (e.op !== "sload" || key?.op !== "const" || key.value !== slot) return undefined
    const kept = binary(arena, AND, arena.constant(WORD_MASK ^ mask), e)
    return binary(arena, OR, kept, arena.constant(value))
  })
  return word.op === "const" ? word.value !== 0n : undefined
}

/** Visits what can be come to from a point, as far as the sides of forks say. */
const visit = (root: Node, see: (node: Node) => boolean | undefined): void => {
  const seen = new Set<Node>([root])
  const open = [root]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const side = see(node)
    for (const next of [side === false ? undefined : node.onHold, side === true ? undefined : node.onFail])
      if (next !== undefined && !seen.has(next)) {
        seen.add(next)
        open.push(next)
      }
  }
}

/** The ends that can still be come to where that is known of storage. */
const reachable = (arena: Arena, { root }: Exploration, known: Known): ReadonlySet<Outcome> => {
  const ends = new Set<Outcome>()
  visit(root, ({ fork, outcome }) => {
    if (outcome !== undefined) ends.add(outcome)
    return fork === undefined ? undefined : answerIn(arena, fork.expr, known)
  })
  return ends
}

/** Whether the way can be taken while the slot holds the word. */
export const isOpenWith = (
  arena: Arena,
  exploration: Exploration,
  outcome: Outcome,
  slot: bigint,
  value: bigint
): boolean => reachable(arena, exploration, { slot, mask: WORD_MASK, value, set: 0n }).has(outcome)

/** Slots that a function asks for, and different words that are left in one: what sets a contract up has few. */
const MOST_SLOTS = 4
const MOST_WORDS = 16

/** The plain slots that the conditions of a function ask for and something writes. */
const slotsOf = ({ root }: Exploration, isWritten: (slot: bigint) => boolean): ReadonlyArray<bigint> => {
  const slots = new Set<bigint>()
  visit(root, ({ fork }) => {
    for (const { location } of fork === undefined ? [] : readsOf(fork.expr))
      if (location.slot !== undefined && isWritten(location.slot)) slots.add(location.slot)
    return undefined
  })
  return [...slots].slice(0, MOST_SLOTS)
}

/** All that ways leave in one slot. */
interface Slot {
  readonly left: Map<string, Left>
  /** Bits that are set on some way, and zero at the end of every one. */
  passing: bigint
}

const gather = (written: ReadonlyMap<Outcome, Written>): ReadonlyMap<bigint, Slot> => {
  const slots = new Map<bigint, Slot>()
  const at = (slot: bigint): Slot => {
    const known = slots.get(slot) ?? { left: new Map(), passing: 0n }
    slots.set(slot, known)
    return known
  }
  for (const { all, last } of written.values()) {
    for (const { slot, value } of all) at(slot).passing |= value
    for (const one of last) at(one.slot).left.set(`${one.changed} ${one.mask} ${one.value} ${one.set}`, one)
  }
  for (const slot of slots.values())
    for (const { changed, mask, value } of slot.left.values()) slot.passing &= ~(changed & ~mask) & ~value
  return slots
}

/**
 * The ways through functions that are taken once at most: whatever they, or any others, leave in a slot shuts them. A
 * contract is set up so. What is asked to be set that is set on the way alone is asked by what is called there.
 */
export const latchesOf = (arena: Arena, explored: ReadonlyMap<string, Exploration>): Latches => {
  const found = new Map<Outcome, bigint>()
  const ends = [...explored.values()].flatMap(({ outcomes }) => outcomes)
  const written = new Map(
    ends.filter(({ end }) => end === "success").map((outcome) => [outcome, writtenIn(outcome)])
  )
  const slots = gather(written)
  for (const exploration of explored.values()) {
    if (!exploration.complete) continue
    for (const slot of slotsOf(exploration, (one) => slots.has(one))) {
      const { left, passing } = slots.get(slot) ?? { left: new Map<string, Left>(), passing: 0n }
      if (left.size > MOST_WORDS) continue
      const shut = [...left.values()].map((one) => ({
        changed: one.changed,
        open: reachable(arena, exploration, one)
      }))
      const alone = reachable(arena, exploration, { slot, mask: passing, value: 0n, set: 0n })
      for (const outcome of exploration.outcomes) {
        const own = written.get(outcome)?.last.find((one) => one.slot === slot)
        const bits = own === undefined ? 0n : own.mask | own.set
        const isOnce =
          bits !== 0n && shut.every(({ changed, open }) => (changed & bits) === 0n || !open.has(outcome))
        if (isOnce || !alone.has(outcome)) found.set(outcome, slot)
      }
    }
  }
  return found
}
