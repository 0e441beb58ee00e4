import { type Expr, WORD_MASK } from "../evm/expression.ts"
import { foldBinary } from "../evm/fold.ts"
import { LATEST, type Since, earliest, isMoment } from "./moments.ts"
import { type Tables, isSameTable, tablesAt } from "./table.ts"

/** Known bits of a word: `mask` says which, `value` what they are; it is zero outside the mask. */
export interface Bits {
  readonly mask: bigint
  readonly value: bigint
}

/** What is known of storage: the bits of plain slots, mappings without any entry, and since when this holds. */
export interface Stored {
  readonly words: ReadonlyMap<bigint, Bits>
  readonly empty: Tables
  readonly since?: Since | undefined
}

export const NOTHING_STORED: Stored = { words: new Map(), empty: [] }

const NOTHING_KNOWN: Bits = { mask: 0n, value: 0n }

const all = (value: bigint): Bits => ({ mask: WORD_MASK, value })
const isWhole = ({ mask }: Bits): boolean => mask === WORD_MASK
const smallest = ({ value }: Bits): bigint => value
const largest = ({ mask, value }: Bits): bigint => value | (WORD_MASK ^ mask)

const FOLDED: Partial<Record<Expr["op"], number>> = {
  add: 0x01,
  mul: 0x02,
  sub: 0x03,
  div: 0x04,
  mod: 0x06,
  exp: 0x0a,
  signextend: 0x0b,
  slt: 0x12,
  byte: 0x1a,
  sar: 0x1d
}

const conjunction = (a: Bits, b: Bits): Bits => {
  const zeros = (a.mask & ~a.value) | (b.mask & ~b.value)
  const ones = a.value & b.value
  return { mask: (zeros | ones) & WORD_MASK, value: ones }
}

const disjunction = (a: Bits, b: Bits): Bits => {
  const ones = a.value | b.value
  const zeros = a.mask & ~a.value & (b.mask & ~b.value)
  return { mask: (zeros | ones) & WORD_MASK, value: ones }
}

const truth = (known: boolean | undefined): Bits =>
  known === undefined ? { mask: WORD_MASK ^ 1n, value: 0n } : all(known ? 1n : 0n)

/** Whether the word is zero, where that is known. */
export const isKnownZero = (bits: Bits): boolean | undefined =>
  bits.value !== 0n ? false : isWhole(bits) ? true : undefined

const compared = (op: "eq" | "lt", a: Bits, b: Bits): boolean | undefined => {
  if (op === "eq") {
    if ((a.mask & b.mask & (a.value ^ b.value)) !== 0n) return false
    return isWhole(a) && isWhole(b) ? true : undefined
  }
  if (largest(a) < smallest(b)) return true
  return smallest(a) >= largest(b) ? false : undefined
}

const shifted = (op: "shl" | "shr", by: bigint, word: Bits): Bits => {
  if (by >= 256n) return all(0n)
  const free = (WORD_MASK << by) & WORD_MASK
  if (op === "shl")
    return {
      mask: ((word.mask << by) & WORD_MASK) | (WORD_MASK ^ free),
      value: (word.value << by) & WORD_MASK
    }
  return { mask: (word.mask >> by) | (WORD_MASK ^ (WORD_MASK >> by)), value: word.value >> by }
}

/** Assumptions beside what is stored. */
interface Given {
  /** One more place that holds zero. */
  readonly empty?: Expr
  /** Whether what is known of storage still holds behind the write with this number. */
  readonly trusts?: (version: bigint) => boolean
}

/** Derives the known bits of words from what is known of storage. Keeps its results, so each instance serves one state. */
export class KnownBits {
  private readonly seen = new WeakMap<Expr, Bits>()
  private readonly stored: Stored
  private readonly given: Given

  constructor(stored: Stored, given: Given = {}) {
    this.stored = stored
    this.given = given
  }

  of(word: Expr): Bits {
    const known = this.seen.get(word)
    if (known !== undefined) return known
    const found = this.work(word)
    const high = WORD_MASK ^ ((1n << BigInt(word.bits)) - 1n)
    const bits = { mask: found.mask | high, value: found.value & ~high }
    this.seen.set(word, bits)
    return bits
  }

  /** The known bits of the word at a place in storage. */
  at(place: Expr): Bits {
    const { empty, words } = this.stored
    const known = place.op === "const" ? words.get(place.value) : undefined
    if (known !== undefined) return known
    if (place === this.given.empty) return all(0n)
    const isEmpty =
      empty.length > 0 &&
      tablesAt(place, (word) => this.valueOf(word)).some((table) =>
        empty.some((one) => isSameTable(one, table))
      )
    return isEmpty ? all(0n) : NOTHING_KNOWN
  }

  private isTrusted(version: bigint): boolean {
    return version === 0n || this.given.trusts?.(version) !== false
  }

  private valueOf(word: Expr): bigint | undefined {
    const bits = this.of(word)
    return isWhole(bits) ? bits.value : undefined
  }

  /** A comparison with the time or the block: time only goes on. */
  private isEarlier(a: Expr, b: Expr): boolean | undefined {
    const { since } = this.stored
    if (since === undefined || isMoment(a) === isMoment(b)) return undefined
    if (isMoment(b)) return largest(this.of(a)) < earliest(b, since) ? true : undefined
    const date = this.of(b)
    return largest(date) <= earliest(a, since) ? false : smallest(date) > LATEST ? true : undefined
  }

  private work(word: Expr): Bits {
    const [a, b] = word.args
    if (word.op === "const") return all(word.value)
    if (a === undefined) return NOTHING_KNOWN
    if (word.op === "sload") return this.isTrusted(word.value) ? this.at(a) : NOTHING_KNOWN
    const x = this.of(a)
    if (word.op === "not") return { mask: x.mask, value: x.mask & ~x.value }
    if (word.op === "iszero") return truth(isKnownZero(x))
    if (b === undefined) return NOTHING_KNOWN
    const y = this.of(b)
    switch (word.op) {
      case "and":
        return conjunction(x, y)
      case "or":
        return disjunction(x, y)
      case "xor":
        return { mask: x.mask & y.mask, value: x.mask & y.mask & (x.value ^ y.value) }
      case "shl":
      case "shr":
        return isWhole(x) ? shifted(word.op, x.value, y) : NOTHING_KNOWN
      case "eq":
      case "lt":
        return truth(compared(word.op, x, y) ?? (word.op === "lt" ? this.isEarlier(a, b) : undefined))
      default: {
        const opcode = FOLDED[word.op]
        return opcode !== undefined && isWhole(x) && isWhole(y) && word.args.length === 2
          ? all(foldBinary(opcode, x.value, y.value))
          : NOTHING_KNOWN
      }
    }
  }
}
