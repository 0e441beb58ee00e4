import type { Arena, Expr, Operator } from "./evm/expression.ts"
import { binary, complement, isZero } from "./evm/simplify.ts"

/** The instructions that operators stand for. */
export const OPCODES: Readonly<Partial<Record<Operator, number>>> = {
  add: 0x01,
  mul: 0x02,
  sub: 0x03,
  div: 0x04,
  sdiv: 0x05,
  mod: 0x06,
  smod: 0x07,
  exp: 0x0a,
  signextend: 0x0b,
  lt: 0x10,
  slt: 0x12,
  eq: 0x14,
  and: 0x16,
  or: 0x17,
  xor: 0x18,
  byte: 0x1a,
  shl: 0x1b,
  shr: 0x1c,
  sar: 0x1d
}

/** The word with some of its parts replaced, simplified again. */
export const substitute = (arena: Arena, word: Expr, replacement: (e: Expr) => Expr | undefined): Expr => {
  const done = new Map<Expr, Expr>()
  const visit = (e: Expr): Expr => {
    const known = done.get(e)
    if (known !== undefined) return known
    const result = replacement(e) ?? rebuild(e)
    done.set(e, result)
    return result
  }
  const rebuild = (e: Expr): Expr => {
    if (e.args.length === 0 || e.op === "sload" || e.op === "keccak") return e
    const args = e.args.map(visit)
    if (args.every((arg, i) => arg === e.args[i])) return e
    const [a, b] = args
    // A remainder of more than two words is that of a sum or product that may be longer than a word.
    const opcode = args.length === 2 ? OPCODES[e.op] : undefined
    if (opcode !== undefined && a !== undefined && b !== undefined) return binary(arena, opcode, a, b)
    if (e.op === "iszero" && a !== undefined) return isZero(arena, a)
    if (e.op === "not" && a !== undefined) return complement(arena, a)
    return arena.node(e.op, args, e.value)
  }
  return visit(word)
}
