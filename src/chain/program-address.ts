import { createHash } from "node:crypto"
import { SolanaAddress } from "../domain/address.ts"
import { fromBase58, toBase58 } from "../domain/base58.ts"
import { isOnCurve } from "../domain/ed25519-point.ts"
import { SOLANA_PROGRAMS } from "../domain/solana-programs.ts"

/** The 32 bytes of an address, as a seed of others. */
export const seedOf = (address: SolanaAddress): Uint8Array => {
  const bytes = fromBase58(address)
  if (bytes === undefined) throw new TypeError("not an address")
  return bytes
}

const MARKER = Buffer.from("ProgramDerivedAddress")

/** Addresses derived lately: every screening of one mint derives the same few dozen, and a curve check is not cheap. */
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
    if (!isOnCurve(hash)) return SolanaAddress.make(toBase58(hash), true)
  }
  // One chance in 2^256.
  throw new Error("no program address for these seeds")
}

const ASSOCIATED_TOKEN = SolanaAddress.make(SOLANA_PROGRAMS.associatedToken)
const TOKEN = SolanaAddress.make(SOLANA_PROGRAMS.token)

/** The associated token account of `owner` for `mint` under one of the token programs; by default the first of them. */
export const associatedTokenAccount = (
  owner: SolanaAddress,
  mint: SolanaAddress,
  tokenProgram: SolanaAddress = TOKEN
): SolanaAddress => findProgramAddress(ASSOCIATED_TOKEN, [owner, tokenProgram, mint].map(seedOf))

/** A wallet is a point on the curve: somebody can hold its key. Programs' addresses never are. */
export const isWallet = (address: SolanaAddress): boolean => isOnCurve(seedOf(address))
