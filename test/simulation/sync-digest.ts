import { createHash } from "node:crypto"

/**
 * Digests by WebCrypto come from another thread whenever it likes. While a story is played they come at once, so that
 * a seed is the same story each time. The result takes it back.
 */
export const digestAtOnce = (): (() => void) => {
  const { subtle } = globalThis.crypto
  const original = subtle.digest.bind(subtle)
  subtle.digest = (algorithm, data) => {
    const name = typeof algorithm === "string" ? algorithm : algorithm.name
    if (name !== "SHA-256") return original(algorithm, data)
    const bytes = ArrayBuffer.isView(data)
      ? Buffer.from(data.buffer, data.byteOffset, data.byteLength)
      : Buffer.from(data)
    const digest = createHash("sha256").update(bytes).digest()
    return Promise.resolve(Uint8Array.from(digest).buffer)
  }
  return () => {
    subtle.digest = original
  }
}
