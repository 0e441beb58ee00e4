import { Effect } from "effect"
import { createKeccak, type IHasher } from "hash-wasm"
import { type Hex, keccak256 } from "viem"

/** Keccak-256 of bytes, 32 bytes. */
export type Keccak = (bytes: Uint8Array) => Uint8Array

/** Pure JavaScript, for machines that run no WebAssembly. About five times slower. */
export const keccakWithViem: Keccak = (bytes) => keccak256(bytes, "bytes")

/** One kept instance: every hash starts from its initial state. */
const withWasm =
  (hasher: IHasher): Keccak =>
  (bytes) =>
    hasher.init().update(bytes).digest("binary")

let fast: Keccak | undefined
const loading = createKeccak(256).then(
  (hasher) => {
    fast = withWasm(hasher)
    return true
  },
  () => false
)

/** Whether WebAssembly hashes here; known once it is compiled. */
export const hashesFast: Effect.Effect<boolean> = Effect.promise(() => loading)

/** WebAssembly as soon as it is compiled, JavaScript before that and where there is none. */
export const keccak: Keccak = (bytes) => (fast ?? keccakWithViem)(bytes)

const asHex = ({ buffer, byteLength, byteOffset }: Uint8Array): Hex =>
  `0x${Buffer.from(buffer, byteOffset, byteLength).toString("hex")}`

/** Kept for what is hashed by the thousand, keys of mappings above all: two fresh buffers each are half of such a hash. */
const SPELLED = Buffer.alloc(256)
const HASH = Buffer.alloc(32)

const bytesOf = (hex: Hex): Uint8Array =>
  hex.length - 2 > SPELLED.length * 2
    ? Buffer.from(hex.slice(2), "hex")
    : SPELLED.subarray(0, SPELLED.write(hex.slice(2), "hex"))

/** Keccak-256 of the bytes that whole hex spells. */
export const keccakHex = (hex: Hex): Hex => {
  HASH.set(keccak(bytesOf(hex)))
  return `0x${HASH.toString("hex")}`
}

/** Keccak-256 of a text's bytes in UTF-8. */
export const keccakText = (text: string): Hex => asHex(keccak(Buffer.from(text)))
