import { ADDRESS_MASK, WORD_MASK, type Arena, type Expr, type Operator } from "./expression.ts"
import { foldBinary } from "./fold.ts"

const isConst = (e: Expr): boolean => e.op === "const"
const MAX_EXPONENT = 512n

/** Distributing an operator over both sides of another is left at words larger than this. */
const DISTRIBUTED_SIZE = 64

const log2 = (value: bigint): bigint | undefined =>
  value > 1n && (value & (value - 1n)) === 0n ? BigInt(value.toString(2).length - 1) : undefined

export const add = (arena: Arena, x: Expr, y: Expr): Expr => {
  const [a, b] = isConst(x) ? [y, x] : [x, y]
  if (isConst(b)) {
    if (isConst(a)) return arena.constant((a.value + b.value) & WORD_MASK)
    if (b.value === 0n) return a
    const [inner, offset] = a.args
    if (a.op === "add" && inner !== undefined && offset !== undefined && isConst(offset))
      return add(arena, inner, arena.constant((offset.value + b.value) & WORD_MASK))
    return arena.node("add", [a, b])
  }
  if (a.op === "sub" && a.args[1] === b && a.args[0] !== undefined) return a.args[0]
  if (b.op === "sub" && b.args[1] === a && b.args[0] !== undefined) return b.args[0]
  // Constants are kept outermost, so that memory addresses compare as base plus offset.
  const [ai, ac] = a.args
  if (a.op === "add" && ai !== undefined && ac !== undefined && isConst(ac))
    return add(arena, add(arena, ai, b), ac)
  const [bi, bc] = b.args
  if (b.op === "add" && bi !== undefined && bc !== undefined && isConst(bc))
    return add(arena, add(arena, a, bi), bc)
  return arena.node("add", a.id < b.id ? [a, b] : [b, a])
}

export const sub = (arena: Arena, a: Expr, b: Expr): Expr => {
  if (a === b) return arena.zero
  if (isConst(b)) return add(arena, a, arena.constant(BigInt.asUintN(256, -b.value)))
  if (a.op === "add") {
    const [x, y] = a.args
    if (x !== undefined && y !== undefined) {
      if (x === b) return y
      if (y === b) return x
      if (isConst(y)) return add(arena, sub(arena, x, b), y)
    }
  }
  if (b.op === "add") {
    const [x, y] = b.args
    if (x !== undefined && y !== undefined && isConst(y))
      return add(arena, sub(arena, a, x), arena.constant(BigInt.asUintN(256, -y.value)))
  }
  return arena.node("sub", [a, b])
}

export const isZero = (arena: Arena, a: Expr): Expr => {
  if (isConst(a)) return a.value === 0n ? arena.one : arena.zero
  const [x, y] = a.args
  if (x !== undefined && y !== undefined && (a.op === "sub" || a.op === "xor")) return equal(arena, x, y)
  // `x - c` is kept as an addition.
  if (a.op === "add" && x !== undefined && y?.op === "const" && (arena.exact || y.value >= HALF))
    return equal(arena, x, arena.constant(BigInt.asUintN(256, -y.value)))
  if (a.op === "iszero" && x !== undefined) {
    if (x.bits <= 1) return x
    if (x.op === "iszero") return x
  }
  return arena.node("iszero", [a])
}

/** `(a * b) / a == b`: the overflow check of old SafeMath, taken as passed. */
const isProductCheck = ({ checked }: Arena, quotient: Expr, other: Expr): boolean => {
  const [product, divisor] = quotient.args
  if (quotient.op !== "div" || product === undefined || divisor === undefined || product.op !== "mul")
    return false
  const [x, y] = product.args
  const isCheck = (x === divisor && y === other) || (y === divisor && x === other)
  if (isCheck) checked.add(product)
  return isCheck
}

export const equal = (arena: Arena, x: Expr, y: Expr): Expr => {
  if (x === y) return arena.one
  const [a, b] = isConst(x) ? [y, x] : [x, y]
  if (isConst(b)) {
    if (isConst(a)) return arena.zero
    if (b.value === 0n) return isZero(arena, a)
    if (b.value === 1n && a.bits <= 1) return a
    if (b.bits > a.bits) return arena.zero
  }
  if (!arena.exact && (isProductCheck(arena, a, b) || isProductCheck(arena, b, a))) return arena.one
  return arena.node("eq", isConst(b) || a.id < b.id ? [a, b] : [b, a])
}

const HALF = 1n << 255n

/** `MAX - x` or `MAX / x`: what checked addition and multiplication compare the other operand with. */
const isHeadroom = (e: Expr): boolean =>
  (e.op === "sub" || e.op === "div") && e.args[0]?.op === "const" && e.args[0].value === WORD_MASK

/**
 * `a < b`. The overflow checks that compilers and SafeMath put behind additions are taken as passed: they only fail
 * on amounts that no supply reaches, and each would double the paths.
 */
const lessThan = (arena: Arena, a: Expr, b: Expr): Expr => {
  if (a === b) return arena.zero
  if (isConst(b)) {
    if (isConst(a)) return a.value < b.value ? arena.one : arena.zero
    if (b.value === 0n) return arena.zero
    if (b.value === 1n) return isZero(arena, a)
    if (b.bits > a.bits) return arena.one
  }
  if (isConst(a) && a.value === 0n) return isZero(arena, isZero(arena, b))
  if (isConst(a) && a.bits > b.bits) return arena.zero
  // No share of a number is larger than the number.
  if ((b.op === "div" && b.args[0] === a) || (b.op === "shr" && b.args[1] === a)) return arena.zero
  if (arena.exact) return arena.node("lt", [a, b])
  const [x, y] = a.args
  if (a.op === "add" && x !== undefined && y !== undefined && (x === b || y === b)) {
    if (!isConst(y) || y.value < HALF) {
      arena.checked.add(a)
      return arena.zero
    }
  }
  if (a.op === "not" || isHeadroom(a)) {
    const other = a.args.at(-1)
    if (other !== undefined) arena.checked.add((a.op === "div" ? multiply : add)(arena, other, b))
    return arena.zero
  }
  return arena.node("lt", [a, b])
}

const shiftRight = (arena: Arena, k: Expr, x: Expr): Expr => {
  if (!isConst(k)) return arena.node("shr", [k, x])
  if (k.value === 0n) return x
  if (k.value >= BigInt(x.bits)) return arena.zero
  if (isConst(x)) return arena.constant(x.value >> k.value)
  const [a, b] = x.args
  if (a !== undefined && b !== undefined && isConst(a)) {
    if (x.op === "shl" && a.value === k.value) return and(arena, arena.constant(WORD_MASK >> k.value), b)
    if (x.op === "shl" && a.value > k.value)
      return and(
        arena,
        arena.constant(WORD_MASK >> k.value),
        shiftLeft(arena, arena.constant(a.value - k.value), b)
      )
    if (x.op === "shr") return shiftRight(arena, arena.constant(a.value + k.value), b)
    if (x.op === "and") return and(arena, arena.constant(a.value >> k.value), shiftRight(arena, k, b))
  }
  if (x.op === "or" && x.size <= DISTRIBUTED_SIZE && a !== undefined && b !== undefined)
    return or(arena, shiftRight(arena, k, a), shiftRight(arena, k, b))
  return arena.node("shr", [k, x])
}

const shiftLeft = (arena: Arena, k: Expr, x: Expr): Expr => {
  if (isConst(k) && isConst(x)) return arena.constant(foldBinary(0x1b, k.value, x.value))
  if (isConst(k) && k.value === 0n) return x
  if (isConst(k) && k.value >= 256n) return arena.zero
  const [a, b] = x.args
  if (isConst(k) && a !== undefined && b !== undefined) {
    if (x.op === "shl" && isConst(a)) return shiftLeft(arena, arena.constant(a.value + k.value), b)
    if (x.op === "shr" && a === k) return and(arena, arena.constant((WORD_MASK << k.value) & WORD_MASK), b)
    if (x.op === "or" && x.size <= DISTRIBUTED_SIZE) {
      const [left, right] = [shiftLeft(arena, k, a), shiftLeft(arena, k, b)]
      if (left === arena.zero) return right
      if (right === arena.zero) return left
    }
  }
  return arena.node("shl", [k, x])
}

export const and = (arena: Arena, x: Expr, y: Expr): Expr => {
  if (x === y) return x
  // A constant mask stands first.
  const [a, b] = isConst(y) ? [y, x] : [x, y]
  if (!isConst(a)) return arena.node("and", a.id < b.id ? [a, b] : [b, a])
  if (isConst(b)) return arena.constant(a.value & b.value)
  if (a.value === 0n) return arena.zero
  // Dropping the cleaning mask of an address argument makes old and new decoders look alike.
  if (
    !arena.exact &&
    a.value === ADDRESS_MASK &&
    (b.op === "calldata" || b.op === "ret" || b.op === "unknown")
  )
    return b
  const covering = (1n << BigInt(b.bits)) - 1n
  if ((a.value & covering) === covering) return b
  const [p, q] = b.args
  if (b.op === "and" && p !== undefined && q !== undefined && isConst(p))
    return and(arena, arena.constant(a.value & p.value), q)
  if (b.op === "or" && b.size <= DISTRIBUTED_SIZE && p !== undefined && q !== undefined) {
    const [left, right] = [and(arena, a, p), and(arena, a, q)]
    if (left === arena.zero) return right
    if (right === arena.zero) return left
  }
  if (b.op === "shl" && p !== undefined && isConst(p)) {
    const significant = (covering >> p.value) << p.value
    if ((a.value & significant) === 0n) return arena.zero
    if ((a.value & significant) === significant) return b
  }
  return arena.node("and", [a, b])
}

export const or = (arena: Arena, x: Expr, y: Expr): Expr => {
  if (x === y) return x
  const [a, b] = isConst(y) ? [y, x] : [x, y]
  if (isConst(a)) {
    if (isConst(b)) return arena.constant(a.value | b.value)
    if (a.value === 0n) return b
    if (a.value === WORD_MASK || (a.value === 1n && b.bits <= 1)) return a
    return arena.node("or", [a, b])
  }
  const [ours, word] = a.args
  const [theirs, other] = b.args
  // Bits of one word that were written apart, and are read together again.
  if (a.op === "and" && b.op === "and" && word === other && word !== undefined && ours?.op === "const")
    if (theirs?.op === "const") return and(arena, arena.constant(ours.value | theirs.value), word)
  return arena.node("or", a.id < b.id ? [a, b] : [b, a])
}

const xor = (arena: Arena, x: Expr, y: Expr): Expr => {
  if (x === y) return arena.zero
  const [a, b] = isConst(y) ? [y, x] : [x, y]
  if (isConst(a) && a.value === 0n) return b
  return arena.node("xor", isConst(a) || a.id < b.id ? [a, b] : [b, a])
}

const multiply = (arena: Arena, x: Expr, y: Expr): Expr => {
  const [a, b] = isConst(y) ? [y, x] : [x, y]
  if (isConst(a)) {
    if (a.value === 0n) return arena.zero
    if (a.value === 1n) return b
    const shift = log2(a.value)
    if (shift !== undefined) return shiftLeft(arena, arena.constant(shift), b)
  }
  return arena.node("mul", isConst(a) || a.id < b.id ? [a, b] : [b, a])
}

const divide = (arena: Arena, a: Expr, b: Expr): Expr => {
  if (isConst(a) && a.value === 0n) return arena.zero
  if (isConst(b)) {
    if (b.value === 0n) return arena.zero
    if (b.value === 1n) return a
    const shift = log2(b.value)
    if (shift !== undefined) return shiftRight(arena, arena.constant(shift), a)
  }
  return arena.node("div", [a, b])
}

export const complement = (arena: Arena, a: Expr): Expr => {
  if (isConst(a)) return arena.constant(WORD_MASK ^ a.value)
  const [inner] = a.args
  return a.op === "not" && inner !== undefined ? inner : arena.node("not", [a])
}

/** Binary operators that are rewritten where they can be. */
const REWRITES: Readonly<Record<number, (arena: Arena, a: Expr, b: Expr) => Expr>> = {
  0x01: add,
  0x02: multiply,
  0x03: sub,
  0x04: divide,
  0x10: lessThan,
  0x14: equal,
  0x16: and,
  0x17: or,
  0x18: xor,
  0x1b: shiftLeft,
  0x1c: shiftRight
}

/** Binary operators that stay as they are, beside SAR. */
const PLAIN: Readonly<Record<number, Operator>> = {
  0x05: "sdiv",
  0x06: "mod",
  0x07: "smod",
  0x0a: "exp",
  0x0b: "signextend",
  0x12: "slt",
  0x1a: "byte"
}

/** The word a binary opcode leaves, `a` taken from the top of the stack. */
export const binary = (arena: Arena, opcode: number, a: Expr, b: Expr): Expr => {
  if (opcode === 0x11) return lessThan(arena, b, a)
  if (opcode === 0x13) return binary(arena, 0x12, b, a)
  if (isConst(a) && isConst(b) && (opcode !== 0x0a || b.value < MAX_EXPONENT))
    return arena.constant(foldBinary(opcode, a.value, b.value))
  if (opcode === 0x0a && isConst(a) && a.value === 1n) return a
  return REWRITES[opcode]?.(arena, a, b) ?? arena.node(PLAIN[opcode] ?? "sar", [a, b])
}
