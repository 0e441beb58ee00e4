import { recoverPublicKey, type Hex } from "viem"
import { nativeSecp256k1 } from "../../secp256k1-binding.ts"

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

const native = nativeSecp256k1("ecdsaRecover")

const withNative =
  (recover: NonNullable<typeof native>): RecoverPublicKey =>
  async (digest, rs, recovery) => {
    try {
      const key = recover(rs, recovery, digest, false)
      return key instanceof Uint8Array ? key : undefined
    } catch {
      return undefined
    }
  }

/** Whether libsecp256k1 verifies signatures here. */
export const recoversFast = native !== undefined

/** libsecp256k1 where its binding runs (about 90 µs), viem elsewhere. Accepts high-s: callers check it. */
export const recoverSigner: RecoverPublicKey = native === undefined ? recoverWithViem : withNative(native)
