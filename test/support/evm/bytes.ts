/** Words, and bytes as code, calls and memory hold them. */
import { keccak256 } from "viem"

const WORD = 32
const MOST = 1 << 18

/** A transaction that ends here, as on the chain; whatever it wrote is undone. */
export class Failed extends Error {}

/** Bytes from a place on, filled up with zeros. */
export const cut = (bytes: Uint8Array, at: bigint, length: bigint): Uint8Array => {
  if (length > BigInt(MOST)) throw new Failed("gas")
  const part = new Uint8Array(Number(length))
  if (at < BigInt(bytes.length)) part.set(bytes.subarray(Number(at), Number(at) + part.length))
  return part
}

/** The word at a place. */
export const toWord = (bytes: Uint8Array, at = 0): bigint => {
  const whole = bytes.length >= at + WORD ? bytes : cut(bytes, 0n, BigInt(at + WORD))
  const view = new DataView(whole.buffer, whole.byteOffset + at, WORD)
  const [a, b, c, d] = [0, 8, 16, 24].map((part) => view.getBigUint64(part))
  return ((a ?? 0n) << 192n) | ((b ?? 0n) << 128n) | ((c ?? 0n) << 64n) | (d ?? 0n)
}

export const toBytes = (value: bigint): Uint8Array => {
  const bytes = new Uint8Array(WORD)
  const view = new DataView(bytes.buffer)
  for (let part = 24, rest = value; part >= 0; part -= 8, rest >>= 64n)
    view.setBigUint64(part, BigInt.asUintN(64, rest))
  return bytes
}

const MOST_KNOWN = 100_000
const known = new Map<string, bigint>()

/** Keccak-256. The same few places are asked for in each life of a token. */
export const hashOf = (bytes: Uint8Array): bigint => {
  const key = Buffer.from(bytes).toString("latin1")
  const found = known.get(key)
  if (found !== undefined) return found
  if (known.size >= MOST_KNOWN) known.clear()
  const hash = BigInt(keccak256(bytes))
  known.set(key, hash)
  return hash
}

/** Memory of one call. */
export class Memory {
  private bytes = new Uint8Array(1_024)
  /** In bytes, as far as it was reached. */
  size = 0

  /** The place as a number, with room behind it. */
  private reach(at: bigint, length: bigint): number {
    if (length === 0n) return 0
    if (at + length > BigInt(MOST)) throw new Failed("gas")
    const end = Number(at + length)
    if (end > this.bytes.length) {
      const larger = new Uint8Array(Math.max(end, 2 * this.bytes.length))
      larger.set(this.bytes)
      this.bytes = larger
    }
    this.size = Math.max(this.size, WORD * Math.ceil(end / WORD))
    return Number(at)
  }

  read(at: bigint, length: bigint): Uint8Array {
    const start = this.reach(at, length)
    return this.bytes.slice(start, start + Number(length))
  }

  write(at: bigint, bytes: Uint8Array): void {
    const start = this.reach(at, BigInt(bytes.length))
    this.bytes.set(bytes, start)
  }
}
