import { type Arena, type Expr, WORD_MASK } from "./expression.ts"
import { add, and, binary, or } from "./simplify.ts"
import { type Address, type Width, costOf, isBelow, ownWidth } from "./apart.ts"
import { wordOf } from "./code.ts"

export type { Address }

type Content =
  | { readonly kind: "word"; readonly word: Expr }
  | { readonly kind: "code"; readonly bytes: Uint8Array; readonly from: number }
  | { readonly kind: "calldata"; readonly from: Expr }
  | { readonly kind: "ret"; readonly call: Expr; readonly from: number }
  | { readonly kind: "unknown"; readonly word: Expr }

/** Memory is the log of its writes, newest first: a fork of the path shares it. */
export interface Memory {
  readonly at: Address
  readonly length: number
  readonly content: Content
  /** Not a write, but a point at which any of it may have changed: turns of a loop were left out. */
  readonly havoc?: true
  readonly before: Memory | undefined
}

/** No memory is larger, and offsets further apart could not be told from one another as numbers. */
const MAX_OFFSET = 1n << 40n
export const addressOf = (e: Expr): Address => {
  if (e.op === "const")
    return { base: undefined, offset: e.value < MAX_OFFSET ? Number(e.value) : Number(MAX_OFFSET) }
  const [inner, offset] = e.args
  if (e.op === "add" && inner !== undefined && offset?.op === "const") {
    if (offset.value < MAX_OFFSET) return { base: inner, offset: Number(offset.value) }
    if (offset.value > WORD_MASK - MAX_OFFSET)
      return { base: inner, offset: Number(BigInt.asIntN(256, offset.value)) }
  }
  return { base: e, offset: 0 }
}

export const write = (memory: Memory | undefined, at: Address, length: number, content: Content): Memory => ({
  at,
  length,
  content,
  before: memory
})

export const writeWord = (memory: Memory | undefined, at: Address, word: Expr): Memory =>
  write(memory, at, 32, { kind: "word", word })

/** The bytes before the copied ones are not part of the copy; whoever reads masks them out. */
const shifted = (arena: Arena, word: Expr, bytes: number): Expr =>
  binary(arena, 0x1c, arena.constant(BigInt(bytes * 8)), word)

/** An offset of more bits than this may be so large that counting on from it wraps around. */
const MAX_OFFSET_BITS = 200

/**
 * A word of copied arguments. A copy that reaches beyond the largest number finds nothing there; it does not wrap
 * around to the beginning as an addition does.
 */
const copiedArgument = (arena: Arena, from: Expr, delta: number): Expr => {
  const word = (at: Expr, ...rest: ReadonlyArray<Expr>): Expr => arena.node("calldata", [at, ...rest])
  if (delta < 0 && (from.op !== "const" || from.value + BigInt(delta) < 0n))
    return shifted(arena, word(from), -delta)
  if (from.op === "const" && from.value + BigInt(delta) > WORD_MASK) return arena.zero
  const distance = arena.constant(BigInt.asUintN(256, BigInt(delta)))
  return !arena.exact || delta <= 0 || from.bits <= MAX_OFFSET_BITS
    ? word(add(arena, from, distance))
    : word(from, distance)
}

/** The 32 bytes of a write's content from its byte `delta`; `delta` may be negative or reach past the end. */
const contentWord = (arena: Arena, content: Content, delta: number): Expr => {
  switch (content.kind) {
    case "word":
      if (delta === 0) return content.word
      return delta > 0
        ? binary(arena, 0x1b, arena.constant(BigInt(delta * 8)), content.word)
        : shifted(arena, content.word, -delta)
    case "code":
      return arena.constant(wordOf(content.bytes, content.from + delta, 32))
    case "calldata":
      return copiedArgument(arena, content.from, delta)
    case "ret":
      return content.from + delta < 0
        ? shifted(arena, arena.node("ret", [content.call], BigInt(content.from)), -delta)
        : arena.node("ret", [content.call], BigInt(content.from + delta))
    case "unknown":
      return delta < 0
        ? shifted(arena, arena.node("unknown", [content.word], 1n), -delta)
        : arena.node("unknown", [content.word], BigInt(delta + 1))
  }
}

const maskOf = (bytes: ReadonlyArray<boolean>): bigint => {
  let mask = 0n
  for (const covered of bytes) mask = (mask << 8n) | (covered ? 0xffn : 0n)
  return mask
}

/** A piece of an answer that lies within one of its words is a shift of that word. */
const answeredWord = (arena: Arena, content: Content, delta: number, taken: ReadonlyArray<boolean>): Expr => {
  if (!arena.exact || content.kind !== "ret" || content.from + delta <= 0)
    return contentWord(arena, content, delta)
  const offset = (content.from + delta) % 32
  if (offset === 0 || taken.lastIndexOf(true) >= 32 - offset) return contentWord(arena, content, delta)
  const word = contentWord(arena, content, delta - offset)
  return binary(arena, 0x1b, arena.constant(BigInt(offset * 8)), word)
}

const MAX_SCAN = 600
const WORD_BYTES = 32

/**
 * The word at an address; bytes never written read as zero. Writes at another symbolic base are taken as elsewhere,
 * or, where nothing may be assumed, make what is read unknown, unless they are proven to be elsewhere.
 * @param width what the path says of the sizes of words
 */
export const readWord = (
  arena: Arena,
  memory: Memory | undefined,
  at: Address,
  width: Width = ownWidth
): Expr => {
  let result: Expr | undefined
  let open: Array<boolean> | undefined
  let left = 32
  let scanned = 0
  for (
    let entry = memory;
    entry !== undefined && left > 0 && scanned < MAX_SCAN;
    entry = entry.before, scanned++
  ) {
    arena.looks++
    if (entry.at.base !== at.base) {
      if (arena.exact) {
        arena.looks += costOf(entry.at.base) + costOf(at.base)
        if (isBelow(entry.at, entry.length, at, width) || isBelow(at, WORD_BYTES, entry.at, width)) continue
        // Where part of the word was written since, it is no longer the word that was unknown then.
        const since = result === undefined ? entry : (memory ?? entry)
        return arena.node("unknown", [at.base ?? arena.zero, arena.nameOf(since)], BigInt(at.offset))
      }
      continue
    }
    const delta = at.offset - entry.at.offset
    if (delta <= -32 || delta >= entry.length) continue
    if (open === undefined && delta >= 0 && delta + 32 <= entry.length)
      return contentWord(arena, entry.content, delta)
    open ??= Array.from({ length: 32 }, () => true)
    const taken = Array.from({ length: 32 }, () => false)
    for (let i = Math.max(0, -delta); i < Math.min(32, entry.length - delta); i++) {
      if (open[i] !== true) continue
      taken[i] = true
      open[i] = false
      left--
    }
    const piece = and(arena, arena.constant(maskOf(taken)), answeredWord(arena, entry.content, delta, taken))
    result = result === undefined ? piece : or(arena, result, piece)
  }
  if (arena.exact && left > 0 && scanned >= MAX_SCAN) return arena.unknown()
  return result ?? arena.zero
}
