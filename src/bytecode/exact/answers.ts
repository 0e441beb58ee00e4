import {
  IDENTITY,
  MAX_CALL_WORDS,
  MAX_MOVED,
  type Request,
  afterCall,
  isPrecompile,
  move
} from "../evm/data.ts"
import type { Width } from "../evm/apart.ts"
import type { Arena, Expr } from "../evm/expression.ts"
import { type Memory, addressOf, readWord, write, writeWord } from "../evm/memory.ts"

export const ECRECOVER = 1n
const SHA256 = 2n
const GAS = 0x5an

const WORD_BYTES = 32n
/** What `ecrecover` reads: the hash, `v`, `r` and `s`. Missing ones are zero. */
const SIGNATURE_BYTES = 128n
/** A signer costs this, and no other question of so few words more (Yellow Paper, appendix E). */
export const SIGNER_GAS = 3_000

/** It has gas enough, and takes no ether along: whoever has none to give is not answered at all. */
const isPaid = ({ gas, value }: Request): boolean =>
  value.op === "const" &&
  value.value === 0n &&
  (gas.op === "const" ? gas.value >= BigInt(SIGNER_GAS) : gas.op === "env" && gas.value === GAS)

const ANSWERING: ReadonlySet<bigint> = new Set([ECRECOVER, SHA256, IDENTITY])

/** It succeeds wherever more gas is left behind it than behind a signer without an answer; other answers cost next to nothing. */
export const isAnswered = (request: Request): boolean =>
  request.target.op === "const" &&
  ANSWERING.has(request.target.value) &&
  request.length.op === "const" &&
  request.length.value <= BigInt(MAX_MOVED) &&
  isPaid(request)

/** Every byte that a precompiled contract is asked about is among the words that were looked at. */
export const isWhole = ({ length, target }: Request): boolean => {
  if (length.op !== "const" || target.op !== "const") return false
  if (target.value === ECRECOVER && length.value >= SIGNATURE_BYTES) return true
  return length.value % WORD_BYTES === 0n && length.value <= WORD_BYTES * BigInt(MAX_CALL_WORDS)
}

/** The signer, or whatever stood in the answer's place where there is none. */
const signerOr = (arena: Arena, answer: Expr, other: Expr): Expr => arena.node("ret", [answer, other], 1n)

/** The word is the signer that a call answered, or whatever stood in the answer's place. */
export const isSignerOrOther = ({ args: [from, other], op, value }: Expr, answer: Expr): boolean =>
  op === "ret" && value === 1n && from === answer && other !== undefined

/** Anything may stand there; a length that is not known reaches as far as anybody may read. */
const forgotten = (arena: Arena, memory: Memory | undefined, { outputAt, outputLength }: Request): Memory =>
  write(
    memory,
    addressOf(outputAt),
    outputLength.op === "const" && outputLength.value < BigInt(Number.MAX_SAFE_INTEGER)
      ? Number(outputLength.value)
      : Number.MAX_SAFE_INTEGER,
    { kind: "unknown", word: arena.unknown() }
  )

/**
 * Memory after a call of which nothing may be assumed. Where a call fails, or answers less than it is asked for, what
 * stood there stays: a precompiled contract answers its one word where it can pay for that, `ecrecover` only for a good
 * signature.
 */
export const leftBy = (
  arena: Arena,
  memory: Memory | undefined,
  request: Request,
  input: ReadonlyArray<Expr>,
  answer: Expr,
  width: Width
): Memory | undefined => {
  const { at, length, outputAt, outputLength, target } = request
  if (outputLength === arena.zero) return memory
  const place = addressOf(outputAt)
  if (!isPrecompile(target)) {
    const after = afterCall(memory, request, input, answer)
    return after === memory ? forgotten(arena, memory, request) : after
  }
  if (!isPaid(request) || outputLength.op !== "const") return forgotten(arena, memory, request)
  const isWord = isWhole(request) && outputLength.value === WORD_BYTES
  if (target.value === ECRECOVER && isWord) {
    const other = readWord(arena, memory, place, width)
    const word = other === arena.zero ? arena.node("ret", [answer]) : signerOr(arena, answer, other)
    return writeWord(memory, place, word)
  }
  if (target.value === SHA256 && isWord) return writeWord(memory, place, arena.node("ret", [answer]))
  if (target.value === IDENTITY && length === outputLength && outputLength.value <= MAX_MOVED)
    return move(arena, memory, place, at, Number(outputLength.value), width)
  return forgotten(arena, memory, request)
}
