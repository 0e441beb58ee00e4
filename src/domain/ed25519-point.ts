import { jacobi } from "./jacobi.ts"

/** The field of edwards25519, and the curve's constant d. Source: RFC 8032, 5.1. */
const P = 2n ** 255n - 19n
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n

/** 32 bytes as a number, the lowest first. */
const numberOf = (bytes: Uint8Array): bigint => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return [24, 16, 8, 0].reduce((high, offset) => (high << 64n) | view.getBigUint64(offset, true), 0n)
}

/**
 * Whether 32 bytes are a compressed point of edwards25519: x² = (y² − 1) / (d·y² + 1) must be a square, u/v is one
 * exactly where u·v is, and a number is one modulo a prime where its Jacobi symbol is 1. Addresses of Solana's programs
 * are the ones that are not, so that nobody has their key (Solana: `Pubkey::is_on_curve`).
 */
export const isOnCurve = (bytes: Uint8Array): boolean => {
  const number = numberOf(bytes)
  const isNegative = number >> 255n === 1n
  const y = BigInt.asUintN(255, number) % P
  const square = (y * y) % P
  const u = (square - 1n + P) % P
  const v = (D * square + 1n) % P
  // x = 0 has no negative: the encoding with the sign bit set is no point.
  return u === 0n ? !isNegative : jacobi((u * v) % P, P) === 1
}

/**
 * The second coordinates of the eight points whose multiples are few: of order 1, 2, 4 and 8. Source: RFC 7748, 6.1, as
 * points of edwards25519.
 */
const OF_ORDER_8 = 0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n
const OF_SMALL_ORDER: ReadonlySet<bigint> = new Set([0n, 1n, P - 1n, OF_ORDER_8, P - OF_ORDER_8])

/**
 * Whether 32 bytes are a point of small order, in any spelling. Anybody signs everything as such a key, and whoever has a
 * key can make signatures that begin with such a point: OpenSSL takes both, and Solana's validators take neither
 * (ed25519-dalek: `verify_strict`).
 */
export const isOfSmallOrder = (bytes: Uint8Array): boolean =>
  OF_SMALL_ORDER.has(BigInt.asUintN(255, numberOf(bytes)) % P)
