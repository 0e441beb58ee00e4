import { keccak256 } from "viem"
import { type Program, bytesOfHex } from "./code.ts"
import { OPCODE } from "./opcode.ts"
import type { Arena, Expr } from "./expression.ts"
import { type Address, type Memory, addressOf, readWord, write, writeWord } from "./memory.ts"
import type { CallRecord, State } from "./path.ts"
import { type Width, ownWidth } from "./apart.ts"
import { add, binary } from "./simplify.ts"

const MAX_HASHED_BYTES = 4096n
const MAX_HASHED_WORDS = 8
const MAX_COPIED = 65_536n
/** Most bytes of a copy within memory that is followed. */
export const MAX_MOVED = 1024

/** KECCAK256 over memory, kept as the words it hashes; the last one is cut to the length. */
export const hashOf = (
  arena: Arena,
  memory: Memory | undefined,
  offset: Expr,
  length: Expr,
  width: Width
): Expr => {
  if (length.op !== "const") {
    const rest = arena.exact ? [arena.unknown()] : []
    return arena.node("keccak", [readWord(arena, memory, addressOf(offset), width), length, ...rest])
  }
  const size = Number(length.value < MAX_HASHED_BYTES ? length.value : MAX_HASHED_BYTES)
  const words: Array<Expr> = []
  for (let at = 0; at < size && words.length < MAX_HASHED_WORDS; at += 32) {
    const word = readWord(arena, memory, addressOf(add(arena, offset, arena.constant(BigInt(at)))), width)
    const missing = 32 - (size - at)
    words.push(missing <= 0 ? word : binary(arena, 0x1c, arena.constant(BigInt(missing * 8)), word))
  }
  if (arena.exact && size > 32 * MAX_HASHED_WORDS) words.push(arena.unknown())
  return hashOfText(arena, words, size) ?? arena.node("keccak", words, BigInt(size))
}

/**
 * The hash of a constant text, which unoptimised code takes while it runs: role names, signatures. Hashes of one or two
 * words are left as they stand: they say where an entry of a table or an array lies.
 */
const hashOfText = (arena: Arena, words: ReadonlyArray<Expr>, size: number): Expr | undefined => {
  if (size === 32 || size === 64 || size === 0 || size > 32 * words.length) return undefined
  let hex = ""
  for (const [i, word] of words.entries()) {
    const length = Math.min(32, size - 32 * i)
    if (word.op !== "const" || word.value >> BigInt(8 * length) !== 0n) return undefined
    hex += word.value.toString(16).padStart(2 * length, "0")
  }
  return arena.constant(BigInt(keccak256(bytesOfHex(hex))))
}

/** The precompiled contract that answers with its input. */
export const IDENTITY = 4n

/** Precompiled contracts answer equal questions alike, and call nobody. */
export const isPrecompile = (target: Expr): boolean =>
  target.op === "const" && target.value > 0n && target.value < 32n

const LAST_PLAIN_PRECOMPILE = 4n

/** Of those the ones that cost what their input's length says: from signatures to copies. Others may take all gas there is. */
export const isPlainPrecompile = (target: Expr): boolean =>
  isPrecompile(target) && target.value <= LAST_PLAIN_PRECOMPILE

/**
 * What a call's answer is made of: the same question to the same contract gives the same answer, unless nothing may be
 * assumed.
 */
export const answerOf = (arena: Arena, { target, selector, input, count }: CallRecord): Expr =>
  arena.node("call", [
    target,
    selector ?? arena.zero,
    ...input,
    ...(arena.exact && !isPrecompile(target) ? [arena.constant(BigInt(count))] : [])
  ])

/** Most words of a call's input that are looked at. */
export const MAX_CALL_WORDS = 7

/** Bytes that are looked at of an input whose length is not known: its name and an argument, or what stands before a text. */
const LEAST_INPUT = 36
const MOST_UNKNOWN_INPUT = 132

/** What a call takes from the stack. */
export interface Request {
  readonly gas: Expr
  readonly target: Expr
  readonly value: Expr
  /** Where its input lies in memory. */
  readonly at: Expr
  readonly length: Expr
  readonly outputAt: Expr
  readonly outputLength: Expr
}

/** The selector and the first argument words a call hands over; a precompiled contract takes words only. */
export const inputOf = (
  arena: Arena,
  memory: Memory | undefined,
  { at, length, target }: Request,
  width: Width
): { readonly selector: Expr | undefined; readonly input: ReadonlyArray<Expr> } => {
  const unknown = arena.exact ? MOST_UNKNOWN_INPUT : LEAST_INPUT
  const size = length.op === "const" ? Number(length.value < 4096n ? length.value : 4096n) : unknown
  const precompile = isPrecompile(target)
  const selector =
    size >= 4 && !precompile
      ? binary(arena, 0x1c, arena.constant(224n), readWord(arena, memory, addressOf(at), width))
      : undefined
  const input: Array<Expr> = []
  for (let offset = precompile ? 0 : 4; offset + 32 <= size && input.length < MAX_CALL_WORDS; offset += 32)
    input.push(readWord(arena, memory, addressOf(add(arena, at, arena.constant(BigInt(offset)))), width))
  return { selector, input }
}

/** Longest answer of a call that is followed, in bytes: no honest code reads a longer one. */
const MAX_ANSWER = 4096n

/** Memory after a call that answers all it is asked for. */
export const afterCall = (
  memory: Memory | undefined,
  { outputAt, outputLength, target }: Request,
  input: ReadonlyArray<Expr>,
  answer: Expr
): Memory | undefined => {
  if (outputLength.op !== "const" || outputLength.value === 0n || outputLength.value >= MAX_ANSWER)
    return memory
  const at = addressOf(outputAt)
  return target.op === "const" && target.value === IDENTITY && input[0] !== undefined
    ? writeWord(memory, at, input[0])
    : write(memory, at, Number(outputLength.value), { kind: "ret", call: answer, from: 0 })
}

interface Copy {
  readonly op: number
  readonly to: Expr
  readonly from: Expr
  readonly size: Expr
}

const { CALLDATACOPY, CODECOPY, MCOPY, RETURNDATACOPY } = OPCODE

/**
 * Memory after one of the copying instructions. A copy of unknown length is taken to reach as far as anybody may read;
 * where nothing may be assumed, it may also have copied nothing.
 */
export const copyTo = (
  { bytes }: Program,
  arena: Arena,
  { memory, calls }: Pick<State, "memory" | "calls">,
  { op, to, from, size }: Copy,
  width: Width
): Memory | undefined => {
  if (size === arena.zero) return memory
  const at = addressOf(to)
  const length = size.op === "const" && size.value < MAX_COPIED ? Number(size.value) : Number.MAX_SAFE_INTEGER
  const isKnown = length !== Number.MAX_SAFE_INTEGER || !arena.exact
  const start = isKnown && from.op === "const" && from.value < MAX_COPIED ? Number(from.value) : undefined
  if (op === CALLDATACOPY && isKnown) return write(memory, at, length, { kind: "calldata", from })
  if (op === CODECOPY && start !== undefined)
    return write(memory, at, length, { kind: "code", bytes, from: start })
  if (op === RETURNDATACOPY && start !== undefined && calls !== undefined)
    return write(memory, at, length, { kind: "ret", call: answerOf(arena, calls), from: start })
  if (op === MCOPY && length <= MAX_MOVED) return move(arena, memory, at, from, length, width)
  return write(memory, at, length, { kind: "unknown", word: arena.exact ? arena.unknown() : from })
}

/** Memory after a copy within it. */
export const move = (
  arena: Arena,
  before: Memory | undefined,
  to: Address,
  from: Expr,
  length: number,
  width: Width = ownWidth
): Memory | undefined => {
  let memory = before
  for (let at = 0; at < length; at += 32) {
    const word = readWord(arena, before, addressOf(add(arena, from, arena.constant(BigInt(at)))), width)
    const place = { base: to.base, offset: to.offset + at }
    memory = write(memory, place, Math.min(32, length - at), { kind: "word", word })
  }
  return memory
}
