import { fromBase58 } from "./base58.ts"

/** Programs a payment names. */
export const PROGRAMS = {
  token: "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",
  associatedToken: "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL",
  computeBudget: "ComputeBudget111111111111111111111111111111",
  memo: "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr"
} as const

export const addressBytes = (text: string): Uint8Array<ArrayBuffer> => {
  const bytes = fromBase58(text)
  if (bytes === undefined) throw new TypeError(`${text.slice(0, 60)} is no Solana address`)
  return bytes
}

/** The field of Curve25519. */
const P = 2n ** 255n - 19n
/** Edwards curve constant of Ed25519: -121665/121666. */
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n

const mod = (value: bigint): bigint => ((value % P) + P) % P

const power = (base: bigint, exponent: bigint): bigint => {
  let result = 1n
  for (
    let [square, rest] = [mod(base), exponent];
    rest > 0n;
    [square, rest] = [mod(square * square), rest >> 1n]
  )
    if ((rest & 1n) === 1n) result = mod(result * square)
  return result
}

/** Whether 32 bytes are a point of Ed25519: a program's address must not be one, so that it has no private key. */
export const isOnCurve = (bytes: Uint8Array): boolean => {
  const odd = ((bytes[31] ?? 0) & 0x80) !== 0
  let y = 0n
  for (let at = 31; at >= 0; at--)
    y = (y << 8n) | BigInt(at === 31 ? (bytes[at] ?? 0) & 0x7f : (bytes[at] ?? 0))
  // x² = (y² - 1) / (d·y² + 1); the numerator times the denominator is a square exactly when the quotient is.
  const numerator = mod(y * y - 1n)
  const denominator = mod(D * y * y + 1n)
  if (numerator === 0n) return !odd
  return power(numerator * denominator, (P - 1n) / 2n) === 1n
}

const PDA_MARKER = new TextEncoder().encode("ProgramDerivedAddress")

const concat = (...parts: ReadonlyArray<Uint8Array>): Uint8Array<ArrayBuffer> => {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** The associated token account of a wallet for a mint of the SPL Token program. */
export const associatedTokenAccount = async (owner: string, mint: string): Promise<Uint8Array> => {
  const seeds = [owner, PROGRAMS.token, mint].map(addressBytes)
  const program = addressBytes(PROGRAMS.associatedToken)
  for (let bump = 255; bump >= 0; bump--) {
    const seed = concat(...seeds, Uint8Array.of(bump), program, PDA_MARKER)
    const candidate = new Uint8Array(await crypto.subtle.digest("SHA-256", seed))
    if (!isOnCurve(candidate)) return candidate
  }
  throw new Error("no associated token account exists")
}
