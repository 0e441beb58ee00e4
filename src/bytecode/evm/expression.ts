/** Operators of symbolic words. `sload` is a read of storage as it was before the call. */
export type Operator =
  | "const"
  | "calldata"
  | "sload"
  | "keccak"
  | "call"
  | "ret"
  | "env"
  | "unknown"
  | "add"
  | "mul"
  | "sub"
  | "div"
  | "sdiv"
  | "mod"
  | "smod"
  | "exp"
  | "signextend"
  | "lt"
  | "slt"
  | "eq"
  | "iszero"
  | "and"
  | "or"
  | "xor"
  | "not"
  | "byte"
  | "shl"
  | "shr"
  | "sar"

/** What a word depends on, as bits, so that rules need not walk it. */
export const FROM_CALLER = 1
export const FROM_CALLDATA = 2
export const FROM_STORAGE = 4
export const FROM_ORIGIN = 8
export const FROM_CALL = 16
export const FROM_VALUE = 32
export const FROM_TIME = 64
export const FROM_UNKNOWN = 128

/**
 * A symbolic 256-bit word. Equal words are the same object (hash-consed), so identity is equality. `value` is the
 * constant of `const`, the opcode of `env`, the number of an `unknown`, the byte length of a `keccak`, the byte
 * offset of a `ret`.
 */
export interface Expr {
  readonly id: number
  readonly op: Operator
  readonly args: ReadonlyArray<Expr>
  readonly value: bigint
  readonly from: number
  /** Upper bound of the significant bits. */
  readonly bits: number
  /** Number of operators when written out. Rewriting stops at large words: sharing makes them exponential. */
  readonly size: number
  readonly depth: number
}

/** Deeper words are given up as unknown: code can be written to nest them until a recursive walk overflows. */
const MAX_DEPTH = 400

/**
 * Words that are larger when written out are given up as unknown, too: whoever walks a word without noting what was seen
 * walks it as it is written out. Proofs also compare words with one another.
 */
const MAX_SIZE = { exact: 2048, search: 8192 } as const

export const WORD_MASK = (1n << 256n) - 1n
export const ADDRESS_MASK = (1n << 160n) - 1n

const ENV_ORIGINS: Readonly<Record<number, number>> = {
  0x32: FROM_ORIGIN,
  0x33: FROM_CALLER,
  0x34: FROM_VALUE,
  0x42: FROM_TIME,
  0x43: FROM_TIME
}
const ADDRESS_OPCODES: ReadonlySet<number> = new Set([0x30, 0x32, 0x33, 0x41])
const RETURNDATASIZE = 0x3dn
/** No gas suffices for an answer of 2^40 bytes. */
const LENGTH_BITS = 40
const BOOLEAN: ReadonlySet<Operator> = new Set<Operator>(["lt", "slt", "eq", "iszero", "call"])

const bitLength = (value: bigint): number => (value === 0n ? 0 : value.toString(2).length)

const ownOrigin = (op: Operator, value: bigint): number => {
  switch (op) {
    case "calldata":
      return FROM_CALLDATA
    case "sload":
      return FROM_STORAGE
    case "call":
    case "ret":
      return FROM_CALL
    case "env":
      return ENV_ORIGINS[Number(value)] ?? 0
    case "unknown":
      return FROM_UNKNOWN
    default:
      return 0
  }
}

const widthOf = (op: Operator, args: ReadonlyArray<Expr>, value: bigint): number => {
  if (BOOLEAN.has(op)) return 1
  const [a, b] = args
  switch (op) {
    case "const":
      return bitLength(value)
    case "env":
      if (args.length === 0 && (value & 0xffn) === RETURNDATASIZE) return LENGTH_BITS
      return ADDRESS_OPCODES.has(Number(value)) ? 160 : 256
    case "and":
      return Math.min(a?.bits ?? 256, b?.bits ?? 256)
    case "or":
    case "xor":
      return Math.max(a?.bits ?? 256, b?.bits ?? 256)
    case "shr":
      return a?.op === "const" ? Math.max(0, (b?.bits ?? 256) - Number(a.value > 256n ? 256n : a.value)) : 256
    case "shl":
      return a?.op === "const"
        ? Math.min(256, (b?.bits ?? 256) + Number(a.value > 256n ? 256n : a.value))
        : 256
    case "byte":
      return 8
    case "div":
      return a?.bits ?? 256
    case "mul":
      return Math.min(256, (a?.bits ?? 256) + (b?.bits ?? 256))
    case "add":
      return Math.min(256, Math.max(a?.bits ?? 256, b?.bits ?? 256) + 1)
    default:
      return 256
  }
}

/** A stack that is kept takes more than a look at each of its words. */
const LOOKS_TO_KEEP = 8

/** Makes and keeps the words of one analysis. */
export class Arena {
  private readonly known = new Map<string, Expr>()
  private readonly constants = new Map<bigint, Expr>()
  private readonly names = new WeakMap<object, Expr>()
  private count = 0
  readonly zero: Expr
  readonly one: Expr
  /**
   * Nothing is assumed: overflow checks can fail, dirty upper bits count, memory at unlike addresses may be the same.
   * Proofs need that; searches are quicker without.
   */
  readonly exact: boolean
  /** Sums and products of which code asks whether they are longer than a word, where that is taken for answered. */
  readonly checked = new Set<Expr>()
  /** Words that were looked at beside running instructions, since that was last taken into account. */
  looks = 0

  constructor(exact = false) {
    this.exact = exact
    this.zero = this.constant(0n)
    this.one = this.constant(1n)
  }

  get size(): number {
    return this.count
  }

  /** A place that a path comes to keeps what stands on its stack there. */
  countKept(stack: ReadonlyArray<Expr>): void {
    this.looks += stack.length * LOOKS_TO_KEEP
  }

  constant(value: bigint): Expr {
    const found = this.constants.get(value)
    if (found !== undefined) return found
    const made: Expr = {
      id: this.count++,
      op: "const",
      args: [],
      value,
      from: 0,
      bits: bitLength(value),
      size: 1,
      depth: 1
    }
    this.constants.set(value, made)
    return made
  }

  /** The node as it stands, without simplification. */
  node(op: Operator, args: ReadonlyArray<Expr>, value = 0n): Expr {
    let key: string = op
    for (const arg of args) key += `,${arg.id}`
    if (value !== 0n) key += `#${value}`
    const found = this.known.get(key)
    if (found !== undefined) return found
    let from = ownOrigin(op, value)
    let size = 1
    let depth = 0
    for (const arg of args) {
      from |= arg.from
      size += arg.size
      depth = Math.max(depth, arg.depth)
    }
    const most = this.exact ? MAX_SIZE.exact : MAX_SIZE.search
    if (depth >= MAX_DEPTH || size > most)
      return this.given(key, { from, bits: widthOf(op, args, value), size: size > most ? most : 1 })
    const made: Expr = {
      id: this.count++,
      op,
      args,
      value,
      from,
      bits: widthOf(op, args, value),
      size,
      depth: depth + 1
    }
    this.known.set(key, made)
    return made
  }

  /**
   * A word given up: nothing is known of it but what it depends on, and how large it can be. What is made of one that was
   * endless is endless, too.
   */
  private given(key: string, { bits, from, size }: Pick<Expr, "bits" | "from" | "size">): Expr {
    const id = this.count++
    const made: Expr = {
      id,
      op: "unknown",
      args: [],
      value: BigInt(id),
      from: from | FROM_UNKNOWN,
      bits,
      size,
      depth: 1
    }
    this.known.set(key, made)
    return made
  }

  env(opcode: number): Expr {
    return this.node("env", [], BigInt(opcode))
  }

  /** A word of which nothing is known; it equals no other word. */
  unknown(): Expr {
    return this.node("unknown", [], BigInt(this.count + 1))
  }

  /** A word of which nothing is known: the same one for the same thing, and another for every other thing. */
  nameOf(thing: object): Expr {
    const name = this.names.get(thing) ?? this.unknown()
    this.names.set(thing, name)
    return name
  }

  /** How often something was repeated: no gas suffices for 2^40 turns. */
  turns(): Expr {
    return this.node("and", [this.constant((1n << 40n) - 1n), this.unknown()])
  }
}

/** Whether one word is part of another, or the same. */
export const contains = (word: Expr, part: Expr, seen = new Set<Expr>()): boolean => {
  if (word === part) return true
  if (seen.has(word)) return false
  seen.add(word)
  return word.args.some((arg) => contains(arg, part, seen))
}

/** Whether what one of these instructions says of the call's surroundings or of an account has a part in the word. */
export const observes = (word: Expr, opcodes: ReadonlySet<bigint>, seen = new Set<Expr>()): boolean => {
  if (seen.has(word)) return false
  seen.add(word)
  return (
    (word.op === "env" && opcodes.has(word.value)) || word.args.some((arg) => observes(arg, opcodes, seen))
  )
}

/** The word is what this instruction says of the call's surroundings, of those that ask for nothing. */
export const isEnv = ({ args, op, value }: Expr, opcode: bigint): boolean =>
  op === "env" && value === opcode && args.length === 0
