const ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

/** Longest text of 32 bytes; a longer one is not looked at. */
const MAX_LENGTH = 44

/** The 32 bytes of a Solana address or blockhash in base58; `undefined` for any other text. */
export const fromBase58 = (text: string): Uint8Array<ArrayBuffer> | undefined => {
  if (text.length === 0 || text.length > MAX_LENGTH) return undefined
  let value = 0n
  for (const character of text) {
    const digit = ALPHABET.indexOf(character)
    if (digit < 0) return undefined
    value = value * 58n + BigInt(digit)
  }
  const zeros = /^1*/.exec(text)?.[0].length ?? 0
  const bytes: Array<number> = []
  for (; value > 0n; value >>= 8n) bytes.unshift(Number(value & 0xffn))
  return zeros + bytes.length === 32
    ? Uint8Array.from([...Array<number>(zeros).fill(0), ...bytes])
    : undefined
}
