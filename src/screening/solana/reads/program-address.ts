import { createHash } from "node:crypto"
import { getAddressDecoder } from "@solana/kit"
import { SolanaAddress } from "../../../domain/address.ts"
import { seedOf } from "./bytes.ts"

/** The field of edwards25519, and the curve's constant d. Source: RFC 8032, 5.1. */
const P = 2n ** 255n - 19n
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n

/** Jacobi symbol (a/P) by Euclid's steps: 1 where a non-zero a is a square, which is all a curve check needs. */
const jacobi = (value: bigint): number => {
  let a = value % P
  let n = P
  let sign = 1
  while (a !== 0n) {
    while ((a & 1n) === 0n) {
      a >>= 1n
      const low = n & 7n
      if (low === 3n || low === 5n) sign = -sign
    }
    if ((a & 3n) === 3n && (n & 3n) === 3n) sign = -sign
    const rest = n % a
    n = a
    a = rest
  }
  return n === 1n ? sign : 0
}

/**
 * Whether 32 bytes are a compressed point of edwards25519: x² = (y² − 1) / (d·y² + 1) must be a square, and u/v is one
 * exactly where u·v is. Program addresses are the ones that are not (Solana: `Pubkey::is_on_curve`).
 */
export const isOnCurve = (bytes: Uint8Array): boolean => {
  const reversed = bytes.toReversed()
  const sign = (reversed[0] ?? 0) >> 7
  reversed[0] = (reversed[0] ?? 0) & 0x7f
  const y = BigInt(`0x${Buffer.from(reversed).toString("hex")}`) % P
  const square = (y * y) % P
  const u = (square - 1n + P) % P
  const v = (D * square + 1n) % P
  // x = 0 has no negative: the encoding with the sign bit set is no point.
  return u === 0n ? sign === 0 : jacobi((u * v) % P) === 1
}

const MARKER = Buffer.from("ProgramDerivedAddress")
const addressDecoder = getAddressDecoder()

/** Addresses derived lately: the same few dozen follow from every look at one mint, and a curve check is not cheap. */
const MOST_KEPT = 8_192
const kept = new Map<string, SolanaAddress>()

/** The program address of the seeds: the first of 256 bumps whose hash is no point of the curve. */
export const findProgramAddress = (
  programAddress: SolanaAddress,
  seeds: ReadonlyArray<Uint8Array>
): SolanaAddress => {
  const key = `${programAddress} ${seeds.map((seed) => Buffer.from(seed).toString("base64")).join(" ")}`
  const known = kept.get(key)
  if (known !== undefined) return known
  const found = derive(programAddress, seeds)
  // The oldest goes: a Map keeps the order in which its keys came.
  const [oldest] = kept.keys()
  if (kept.size >= MOST_KEPT && oldest !== undefined) kept.delete(oldest)
  kept.set(key, found)
  return found
}

const derive = (programAddress: SolanaAddress, seeds: ReadonlyArray<Uint8Array>): SolanaAddress => {
  const prefix = createHash("sha256")
  for (const seed of seeds) prefix.update(seed)
  const suffix = Buffer.concat([seedOf(programAddress), MARKER])
  for (let bump = 255; bump >= 0; bump--) {
    const hash = prefix.copy().update(Uint8Array.of(bump)).update(suffix).digest()
    if (!isOnCurve(hash)) return SolanaAddress.make(addressDecoder.decode(hash), true)
  }
  // One chance in 2^256.
  throw new Error("no program address for these seeds")
}

/** A wallet is a point on the curve: somebody can hold its key. Programs' addresses never are. */
export const isWallet = (address: SolanaAddress): boolean => isOnCurve(seedOf(address))
