import { createRequire } from "node:module"
import { recoverPublicKey, type Hex } from "viem"

type NativeRecover = (
  signature: Uint8Array,
  recovery: number,
  digest: Uint8Array,
  compressed: boolean
) => unknown

/**
 * The native binding, or nothing: the package's own fallback is a slow and less trusted library, so we name the binding
 * itself and fall back to viem.
 */
const loadNative = (): NativeRecover | undefined => {
  try {
    const binding: unknown = createRequire(import.meta.url)("secp256k1/bindings.js")
    const holder = typeof binding === "object" && binding !== null ? binding : {}
    const recover = "ecdsaRecover" in holder ? holder.ecdsaRecover : undefined
    return typeof recover === "function" ? (...args) => Reflect.apply(recover, holder, args) : undefined
  } catch {
    return undefined
  }
}

/** Recovers the 65-byte uncompressed public key that signed `digest`; `undefined` when there is none. */
export type RecoverPublicKey = (
  digest: Uint8Array,
  rs: Uint8Array,
  recovery: 0 | 1
) => Promise<Uint8Array | undefined>

/** Pure JavaScript, for machines the native binding does not run on. About 30 times slower. */
export const recoverWithViem: RecoverPublicKey = async (digest, rs, recovery) => {
  try {
    const hex = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString("hex")}`
    const signature = { r: hex(rs.subarray(0, 32)), s: hex(rs.subarray(32, 64)), yParity: recovery }
    const key = await recoverPublicKey({ hash: hex(digest), signature })
    return Buffer.from(key.slice(2), "hex")
  } catch {
    return undefined
  }
}

const withNative =
  (recover: NativeRecover): RecoverPublicKey =>
  async (digest, rs, recovery) => {
    try {
      const key = recover(rs, recovery, digest, false)
      return key instanceof Uint8Array ? key : undefined
    } catch {
      return undefined
    }
  }

const native = loadNative()

/** Whether libsecp256k1 verifies signatures here. */
export const recoversFast = native !== undefined

/** libsecp256k1 where its binding runs (about 90 µs), viem elsewhere. Accepts high-s: callers check it. */
export const recoverSigner: RecoverPublicKey = native === undefined ? recoverWithViem : withNative(native)
