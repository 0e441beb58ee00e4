/**
 * Base58 of 32 bytes, Solana's addresses, blockhashes and programs, and of its signatures' 64. A screening reads and writes
 * thousands of them, and the general codecs, which divide one large integer by 58 again and again, took half of its time.
 */
const ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

const LENGTH = 32
/** Spellings of 32 bytes have 32 to 44 characters; no other text is looked at. */
const MAX_CHARACTERS = 44
const SIGNATURE_LENGTH = 64
/** Spellings of 64 bytes have at most so many. */
const MAX_SIGNATURE_CHARACTERS = 88

/** The number is held in limbs of 24 bits, most significant first, and moved by four digits at once: 58⁴·2²⁴ < 2⁵³. */
const LIMBS = 11
const LIMB_BYTES = 3
const LIMB = 2 ** 24
const FOUR_DIGITS = 58 ** 4
const TWO_DIGITS = 58 ** 2
const PAIRS: ReadonlyArray<string> = [...ALPHABET].flatMap((high) => [...ALPHABET].map((low) => high + low))

const digitOf = new Map([...ALPHABET].map((character, digit) => [character.charCodeAt(0), digit]))

const leadingZeros = (bytes: Uint8Array): number => {
  const first = bytes.findIndex((byte) => byte !== 0)
  return first < 0 ? bytes.length : first
}

const leadingOnes = (text: string): number => {
  let count = 0
  while (text[count] === "1") count += 1
  return count
}

/** Divides by 58⁴ in place; the remainder. */
const divide = (limbs: Array<number>): number => {
  let rest = 0
  for (let i = 0; i < limbs.length; i++) {
    const value = rest * LIMB + (limbs[i] ?? 0)
    const quotient = Math.floor(value / FOUR_DIGITS)
    limbs[i] = quotient
    rest = value - quotient * FOUR_DIGITS
  }
  return rest
}

/** Multiplies and adds in place. */
const multiplyAdd = (limbs: Array<number>, factor: number, addend: number): void => {
  let carry = addend
  for (let i = LIMBS - 1; i >= 0; i--) {
    const value = (limbs[i] ?? 0) * factor + carry
    carry = Math.floor(value / LIMB)
    limbs[i] = value - carry * LIMB
  }
}

/** Bytes as limbs; the first limb has what is left over. */
const limbsOf = (bytes: Uint8Array): Array<number> => {
  const count = Math.ceil(bytes.length / LIMB_BYTES)
  const first = bytes.length - LIMB_BYTES * count
  const at = (index: number): number => bytes[index] ?? 0
  return Array.from({ length: count }, (_, i) => {
    const start = first + LIMB_BYTES * i
    return (at(start) << 16) | (at(start + 1) << 8) | at(start + 2)
  })
}

/** The one spelling of some bytes, which takes at most so many characters, a multiple of four. */
const spell = (bytes: Uint8Array, maxCharacters: number): string => {
  const limbs = limbsOf(bytes)
  let text = ""
  for (let digits = 0; digits < maxCharacters; digits += 4) {
    const rest = divide(limbs)
    text = `${PAIRS[Math.floor(rest / TWO_DIGITS)]}${PAIRS[rest % TWO_DIGITS]}${text}`
  }
  return "1".repeat(leadingZeros(bytes)) + text.slice(leadingOnes(text))
}

/** The one spelling of the 32 bytes from `offset` on, which must be there. */
export const toBase58 = (data: Uint8Array, offset = 0): string => {
  const bytes = data.subarray(offset, offset + LENGTH)
  if (bytes.length < LENGTH) throw new RangeError("fewer than 32 bytes")
  return spell(bytes, MAX_CHARACTERS)
}

/** The one spelling of a signature, which has 64 bytes: a transaction's id. */
export const signatureToBase58 = (signature: Uint8Array): string => {
  if (signature.length !== SIGNATURE_LENGTH) throw new RangeError("a signature has 64 bytes")
  return spell(signature, MAX_SIGNATURE_CHARACTERS)
}

/** The 32 bytes of a Solana address or blockhash in base58; `undefined` for any other text. */
export const fromBase58 = (text: string): Uint8Array<ArrayBuffer> | undefined => {
  if (text.length < LENGTH || text.length > MAX_CHARACTERS) return undefined
  const limbs = Array.from({ length: LIMBS }, () => 0)
  for (let i = 0; i < text.length;) {
    let factor = 1
    let group = 0
    for (; i < text.length && factor < FOUR_DIGITS; i++) {
      const digit = digitOf.get(text.charCodeAt(i))
      if (digit === undefined) return undefined
      group = group * 58 + digit
      factor *= 58
    }
    multiplyAdd(limbs, factor, group)
  }
  const [top = 0] = limbs
  if (top >= 2 ** 16) return undefined
  const bytes = new Uint8Array(LENGTH)
  for (const [i, limb] of limbs.entries()) {
    if (i > 0) bytes[3 * i - 1] = limb >> 16
    bytes[3 * i] = limb >> 8
    bytes[3 * i + 1] = limb
  }
  return leadingZeros(bytes) === leadingOnes(text) ? bytes : undefined
}
