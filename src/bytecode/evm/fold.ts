import { WORD_MASK } from "./expression.ts"

const signed = (value: bigint): bigint => BigInt.asIntN(256, value)

const power = (base: bigint, exponent: bigint): bigint => {
  let result = 1n
  let square = base
  for (let left = exponent; left > 0n; left >>= 1n) {
    if ((left & 1n) === 1n) result = (result * square) & WORD_MASK
    square = (square * square) & WORD_MASK
  }
  return result
}

const foldSigned = (opcode: number, x: bigint, y: bigint): bigint => {
  const [a, b] = [signed(x), signed(y)]
  switch (opcode) {
    case 0x05:
      return b === 0n ? 0n : BigInt.asUintN(256, a / b)
    case 0x07:
      return b === 0n ? 0n : BigInt.asUintN(256, a % b)
    case 0x12:
      return a < b ? 1n : 0n
    default:
      return x >= 256n ? (b < 0n ? WORD_MASK : 0n) : BigInt.asUintN(256, b >> x)
  }
}

/** Constant arithmetic of the binary opcodes 0x01–0x1d as the EVM defines it (yellow paper, appendix H). */
export const foldBinary = (opcode: number, a: bigint, b: bigint): bigint => {
  switch (opcode) {
    case 0x01:
      return (a + b) & WORD_MASK
    case 0x02:
      return (a * b) & WORD_MASK
    case 0x03:
      return BigInt.asUintN(256, a - b)
    case 0x04:
      return b === 0n ? 0n : a / b
    case 0x06:
      return b === 0n ? 0n : a % b
    case 0x0a:
      return power(a, b)
    case 0x0b:
      return a >= 31n ? b : BigInt.asUintN(256, BigInt.asIntN(Number(a) * 8 + 8, b))
    case 0x10:
      return a < b ? 1n : 0n
    case 0x14:
      return a === b ? 1n : 0n
    case 0x16:
      return a & b
    case 0x17:
      return a | b
    case 0x18:
      return a ^ b
    case 0x1a:
      return a >= 32n ? 0n : (b >> (8n * (31n - a))) & 0xffn
    case 0x1b:
      return a >= 256n ? 0n : (b << a) & WORD_MASK
    case 0x1c:
      return a >= 256n ? 0n : b >> a
    default:
      return foldSigned(opcode, a, b)
  }
}
