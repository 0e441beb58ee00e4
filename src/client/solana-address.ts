import { fromBase58 } from "../domain/base58.ts"
import { isOnCurve } from "../domain/ed25519-point.ts"
import { SOLANA_PROGRAMS } from "../domain/solana-programs.ts"

/** The 32 bytes of an address in base58. Throws `TypeError` on any other text. */
export const addressBytes = (text: string): Uint8Array<ArrayBuffer> => {
  const bytes = fromBase58(text)
  if (bytes === undefined) throw new TypeError(`${text.slice(0, 60)} is no Solana address`)
  return bytes
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
  const seeds = [owner, SOLANA_PROGRAMS.token, mint].map(addressBytes)
  const program = addressBytes(SOLANA_PROGRAMS.associatedToken)
  for (let bump = 255; bump >= 0; bump--) {
    const seed = concat(...seeds, Uint8Array.of(bump), program, PDA_MARKER)
    const candidate = new Uint8Array(await crypto.subtle.digest("SHA-256", seed))
    if (!isOnCurve(candidate)) return candidate
  }
  throw new Error("no associated token account exists")
}
