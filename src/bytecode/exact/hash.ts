import { keccak256, toBytes } from "viem"
import type { Expr } from "../evm/expression.ts"
import { KnownBits, NOTHING_STORED } from "./bits.ts"

const WORD_BYTES = 32

/** The bytes a hash was taken over, where they are constant; the last word is cut to the length. */
const hashed = ({ args, value }: Expr): Uint8Array | undefined => {
  const length = Number(value)
  if (length > args.length * WORD_BYTES || length === 0) return undefined
  const bytes = new Uint8Array(length)
  for (const [i, word] of args.entries()) {
    const known = constantValue(word)
    const size = Math.min(WORD_BYTES, length - i * WORD_BYTES)
    if (known === undefined || size <= 0 || known >> BigInt(size * 8) !== 0n) return undefined
    bytes.set(toBytes(known, { size }), i * WORD_BYTES)
  }
  return bytes
}

const NOTHING = new KnownBits(NOTHING_STORED)

/** Values of hashes. A proof compares the same few with everything, and taking them was a fifth of what it cost. */
const taken = new WeakMap<Expr, bigint>()

const hashValue = (hash: Expr): bigint | undefined => {
  const known = taken.get(hash)
  if (known !== undefined) return known
  const bytes = hashed(hash)
  if (bytes === undefined) return undefined
  const value = BigInt(keccak256(bytes))
  taken.set(hash, value)
  return value
}

/** The value of a word made of constants alone, hashes among them. */
export const constantValue = (word: Expr): bigint | undefined => {
  if (word.op === "const") return word.value
  if (word.from !== 0) return undefined
  if (word.op === "keccak") return hashValue(word)
  const [shift, inner] = word.args
  if ((word.op === "shr" || word.op === "and") && shift?.op === "const" && inner !== undefined) {
    const value = constantValue(inner)
    if (value === undefined) return undefined
    return word.op === "and" ? shift.value & value : shift.value < 256n ? value >> shift.value : 0n
  }
  const { mask, value } = NOTHING.of(word)
  return mask === (1n << 256n) - 1n ? value : undefined
}
