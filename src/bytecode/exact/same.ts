import { constantValue } from "./hash.ts"
import { isInFirstList, isNamedSlot } from "./named.ts"
import { type Width, ownWidth } from "../evm/apart.ts"
import { type Expr, WORD_MASK } from "../evm/expression.ts"

const ADDRESS_BITS = 160
/** A hash whose upper 96 bits are all zeros or all ones cannot be found: such a word is no hash. */
const HIGH = WORD_MASK ^ ((1n << 160n) - 1n)
/** How far a key may lie from the hash it was counted from without meeting another hash's neighbourhood. */
export const NEAR_BITS = 64

const isNoHash = (word: Expr): boolean =>
  word.op === "const" ? (word.value & HIGH) === 0n || (word.value & HIGH) === HIGH : word.bits <= ADDRESS_BITS

interface Place {
  readonly hash: Expr
  /** Constant distance from the hash; undefined where it is a small number not known. */
  readonly offset: bigint | undefined
}

/** A hash over two words, or over a hash. */
const isOfEntry = ({ args: [word], value }: Expr): boolean =>
  value === 64n || (value === 32n && word?.op === "keccak")

const placeOf = (key: Expr, width: Width): Place | undefined => {
  if (key.op === "keccak") return { hash: key, offset: 0n }
  if (key.op !== "add") return undefined
  const [a, b] = key.args
  if (a === undefined || b === undefined) return undefined
  for (const [near, far] of [
    [a, b],
    [b, a]
  ] as const) {
    const inner = width(far) <= NEAR_BITS ? placeOf(near, width) : undefined
    if (inner === undefined) continue
    const known = far.op === "const" && inner.offset !== undefined
    return { hash: inner.hash, offset: known ? inner.offset + far.value : undefined }
  }
  return undefined
}

/** `word << n` with a constant below: the low bits tell two such words apart. */
const lowBits = (word: Expr): { readonly value: bigint; readonly width: bigint } | undefined => {
  const [a, b] = word.args
  if (word.op === "const") return { value: word.value, width: 256n }
  if (word.op === "shl" && a?.op === "const") return { value: 0n, width: a.value }
  if (word.op === "and" && a?.op === "const" && b !== undefined) {
    let width = 0n
    while (width < 256n && ((a.value >> width) & 1n) === 0n) width++
    return { value: 0n, width }
  }
  if (word.op !== "or" || a === undefined || b === undefined) return undefined
  const [p, q] = [lowBits(a), lowBits(b)]
  if (p === undefined || q === undefined) return undefined
  const width = p.width < q.width ? p.width : q.width
  return { value: (p.value | q.value) & ((1n << width) - 1n), width }
}

const differInLowBits = (a: Expr, b: Expr): boolean => {
  const [p, q] = [lowBits(a), lowBits(b)]
  if (p === undefined || q === undefined) return false
  const width = p.width < q.width ? p.width : q.width
  const mask = (1n << width) - 1n
  return (p.value & mask) !== (q.value & mask)
}

const differAsHashes = (a: Expr, b: Expr): boolean => {
  if (a.value === 0n || b.value === 0n) return false
  if (a.value !== b.value) return true
  return a.args.some((word, i) => {
    const other = b.args[i]
    return other !== undefined && !mayBeSame(word, other)
  })
}

/** Words from a constant on: itself, or a small number behind it. */
interface Range {
  readonly start: bigint
  readonly size: bigint
}

/** A constant, or a small number behind one: where it begins, and how many numbers it can be. */
const rangeOf = (word: Expr, width: Width): Range | undefined => {
  if (word.op === "const") return { start: word.value, size: 1n }
  const [a, b] = word.args
  if (word.op !== "add" || a === undefined || b === undefined) return undefined
  const [start, rest] = a.op === "const" ? [a, b] : [b, a]
  const bits = width(rest)
  return start.op === "const" && bits <= NEAR_BITS
    ? { start: start.value, size: 1n << BigInt(bits) }
    : undefined
}

const between = (from: bigint, to: bigint): bigint => BigInt.asUintN(256, to - from)

/** Some word of the range lies in a hash's neighbourhood. */
const isNear = (hash: bigint, { size, start }: Range): boolean =>
  between(hash, start) >> BigInt(NEAR_BITS) === 0n || between(start, hash) < size

/** Whether a place counted from a hash may be a word; slots that standards name are hashes of names, and of no entries. */
const mayBePlace = ({ hash }: Place, word: Expr, width: Width): boolean => {
  if (isNoHash(word)) return false
  const range = rangeOf(word, width)
  if (range === undefined) return true
  const known = constantValue(hash)
  if (known !== undefined) return isNear(known, range)
  return !(isOfEntry(hash) && (isNamedSlot(range.start) || isInFirstList(range.start)))
}

const areRangesApart = (a: Expr, b: Expr, width: Width): boolean => {
  const [p, q] = [rangeOf(a, width), rangeOf(b, width)]
  if (p === undefined || q === undefined) return false
  return between(p.start, q.start) >= p.size && between(q.start, p.start) >= q.size
}

/**
 * Whether two words can be equal for some caller and input. Hashes of unlike inputs are taken as unlike and as far
 * apart; everything else must follow from the words themselves.
 * @param width what the branches taken say of a word's size
 */
export const mayBeSame = (a: Expr, b: Expr, width: Width = ownWidth): boolean => {
  if (a === b) return true
  if (a.op === "const" && b.op === "const") return false
  const [p, q] = [placeOf(a, width), placeOf(b, width)]
  if (p !== undefined && q !== undefined) {
    if (p.hash === q.hash) return p.offset === undefined || q.offset === undefined || p.offset === q.offset
    if (!differAsHashes(p.hash, q.hash))
      return p.offset === undefined || q.offset === undefined || p.offset === q.offset
    return false
  }
  if (p !== undefined) return mayBePlace(p, b, width)
  if (q !== undefined) return mayBePlace(q, a, width)
  if (a.op === "const" && b.bits < a.bits) return false
  if (b.op === "const" && a.bits < b.bits) return false
  return !differInLowBits(a, b) && !areRangesApart(a, b, width)
}
