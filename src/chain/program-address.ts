import { createHash } from "node:crypto"
import { SolanaAddress } from "../domain/address.ts"
import { fromBase58, toBase58 } from "../domain/base58.ts"
import { isOnCurve } from "../domain/ed25519-point.ts"
import { SOLANA_PROGRAMS } from "../domain/solana-programs.ts"

const MARKER = Buffer.from("ProgramDerivedAddress")

/** Addresses derived lately: every screening of one mint derives the same few dozen, and a curve check is not cheap. */
const MOST_KEPT = 8_192
const kept = new Map<string, SolanaAddress>()

/** The oldest goes: a Map keeps the order in which its keys came. */
const keep = <Key, Value>(map: Map<Key, Value>, key: Key, value: Value): Value => {
  const [oldest] = map.keys()
  if (map.size >= MOST_KEPT && oldest !== undefined) map.delete(oldest)
  map.set(key, value)
  return value
}

const bytesOfAddress = (address: SolanaAddress): Uint8Array => {
  const bytes = fromBase58(address)
  if (bytes === undefined) throw new TypeError("not an address")
  return bytes
}
const seeds = new Map<SolanaAddress, Uint8Array>()

/** The 32 bytes of an address, as a seed of others. They are shared: nobody writes to them. */
export const seedOf = (address: SolanaAddress): Uint8Array =>
  seeds.get(address) ?? keep(seeds, address, bytesOfAddress(address))

/** The program address of the seeds: the first of 256 bumps whose hash is no point of the curve. */
export const findProgramAddress = (
  programAddress: SolanaAddress,
  parts: ReadonlyArray<Uint8Array>
): SolanaAddress => {
  // The hash is of all parts in a row: where one ends and the next begins makes no difference.
  const key = `${programAddress} ${Buffer.concat(parts).toString("latin1")}`
  return kept.get(key) ?? keep(kept, key, derive(programAddress, parts))
}

const derive = (programAddress: SolanaAddress, parts: ReadonlyArray<Uint8Array>): SolanaAddress => {
  const prefix = createHash("sha256")
  for (const part of parts) prefix.update(part)
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

const wallets = new Map<SolanaAddress, boolean>()

/** A wallet is a point on the curve: somebody can hold its key. Programs' addresses never are. */
export const isWallet = (address: SolanaAddress): boolean =>
  wallets.get(address) ?? keep(wallets, address, isOnCurve(seedOf(address)))
