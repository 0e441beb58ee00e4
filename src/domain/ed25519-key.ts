import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto"

/** DER headers of Ed25519 keys in PKCS #8 and in SPKI; the 32 bytes of the seed or of the key follow. Source: RFC 8410. */
const PKCS8 = Buffer.from("302e020100300506032b657004220420", "hex")
const SPKI = Buffer.from("302a300506032b6570032100", "hex")

/** The key that signs, from its 32-byte seed (RFC 8032). */
export const privateKeyOf = (seed: Uint8Array): KeyObject =>
  createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: "der", type: "pkcs8" })

/** The key that verifies, from its 32 bytes. */
export const publicKeyOf = (bytes: Uint8Array): KeyObject =>
  createPublicKey({ key: Buffer.concat([SPKI, bytes]), format: "der", type: "spki" })
