export const word = (value: bigint): bigint => BigInt.asUintN(256, value)
export const signed = (value: bigint): bigint => BigInt.asIntN(256, value)
export const truth = (is: boolean): bigint => (is ? 1n : 0n)

const power = (base: bigint, exponent: bigint): bigint =>
  exponent === 0n ? 1n : word(power(word(base * base), exponent >> 1n) * (exponent % 2n === 1n ? base : 1n))

const extended = (a: bigint, b: bigint): bigint => word(BigInt.asIntN(8 * Number(a) + 8, b))

/** What instructions leave for the two words on top, as the Yellow Paper says: appendix H. */
export const MEANING = {
  add: [0x01, (a, b) => word(a + b)],
  mul: [0x02, (a, b) => word(a * b)],
  sub: [0x03, (a, b) => word(a - b)],
  div: [0x04, (a, b) => (b === 0n ? 0n : a / b)],
  sdiv: [0x05, (a, b) => (b === 0n ? 0n : word(signed(a) / signed(b)))],
  mod: [0x06, (a, b) => (b === 0n ? 0n : a % b)],
  smod: [0x07, (a, b) => (b === 0n ? 0n : word(signed(a) % signed(b)))],
  exp: [0x0a, power],
  signextend: [0x0b, (a, b) => (a > 30n ? b : extended(a, b))],
  lt: [0x10, (a, b) => truth(a < b)],
  gt: [0x11, (a, b) => truth(a > b)],
  slt: [0x12, (a, b) => truth(signed(a) < signed(b))],
  sgt: [0x13, (a, b) => truth(signed(a) > signed(b))],
  eq: [0x14, (a, b) => truth(a === b)],
  and: [0x16, (a, b) => a & b],
  or: [0x17, (a, b) => a | b],
  xor: [0x18, (a, b) => a ^ b],
  byte: [0x1a, (a, b) => (a > 31n ? 0n : (b >> (248n - 8n * a)) & 255n)],
  shl: [0x1b, (a, b) => (a > 255n ? 0n : word(b << a))],
  shr: [0x1c, (a, b) => (a > 255n ? 0n : b >> a)],
  sar: [0x1d, (a, b) => word(signed(b) >> (a > 255n ? 255n : a))]
} as const satisfies Record<string, readonly [number, (a: bigint, b: bigint) => bigint]>
