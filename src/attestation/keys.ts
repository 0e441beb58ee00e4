import { createPublicKey, type KeyObject } from "node:crypto"
import { thumbprint, type Jwks } from "../domain/attestation.ts"
import { privateKeyOf } from "../domain/ed25519-key.ts"

type Jwk = Jwks["keys"][number]

/** An Ed25519 key that signs, with its public half in base64url. */
export interface SigningKey {
  readonly kid: string
  readonly publicKey: string
  readonly privateKey: KeyObject
}

export interface HmacKey {
  readonly kid: string
  readonly secret: Uint8Array
}

const signingKid = (publicKey: string): string => thumbprint({ crv: "Ed25519", kty: "OKP", x: publicKey })

/** From a 32-byte seed (RFC 8032). */
export const toSigningKey = (seed: Uint8Array): SigningKey => {
  const privateKey = privateKeyOf(seed)
  const publicKey = createPublicKey(privateKey).export({ format: "jwk" }).x ?? ""
  return { kid: signingKid(publicKey), publicKey, privateKey }
}

/** From a secret of 32 bytes; its id is the thumbprint of RFC 7638. */
export const toHmacKey = (secret: Uint8Array): HmacKey => ({
  kid: thumbprint({ k: Buffer.from(secret).toString("base64url"), kty: "oct" }),
  secret
})

/** An Ed25519 public key (base64url) as `/.well-known/jwks.json` publishes it. Source: RFC 8037. */
export const signingJwk = (publicKey: string): Jwk => ({
  kty: "OKP",
  crv: "Ed25519",
  x: publicKey,
  kid: signingKid(publicKey),
  use: "sig",
  alg: "EdDSA"
})

/** An HMAC key as it is published: it proves integrity and no origin, so it is no secret. Source: RFC 7518, 6.4. */
export const hmacJwk = ({ kid, secret }: HmacKey): Jwk => ({
  kty: "oct",
  k: Buffer.from(secret).toString("base64url"),
  kid,
  use: "sig",
  alg: "HS256"
})
