import { sign } from "node:crypto"
import { hmacJwk, signingJwk, toHmacKey, toSigningKey } from "../attestation/keys.ts"
import { ATTESTATION_ALGORITHM } from "../domain/attestation-reasons.ts"
import { digestOf, hmacOf } from "../domain/attestation.ts"
import { canonicalJson } from "../domain/canonical-json.ts"

/** Keys that everybody knows: good for comparing implementations and for nothing else. */
const SEED = Buffer.alloc(32, 1)
const HMAC_SECRET = Buffer.alloc(32, 2)

/** Members out of order, every kind of number, and text that is not ASCII: what implementations get wrong. */
const REPORT = {
  verdict: "caution",
  chain: "base",
  address: "0x4200000000000000000000000000000000000006",
  score: 38.5,
  band: "elevated",
  reasons: [
    { code: "LP_UNLOCKED", message: "42.5 % of the liquidity can be removed – at once.", points: 20.5 }
  ],
  priceUsd: 1.499e-7,
  liquidityUsd: 1e21,
  fetchedAt: 1_795_269_600_000,
  cacheHit: false,
  free: true,
  signals: [],
  coverage: 1,
  methodology: "test-vector",
  evidence: {
    block: "38210744",
    slot: null,
    codeHash: null,
    implementation: null,
    implementationCodeHash: null
  }
}

/** Everything a verifier computes on its way, with the keys it needs. Served with the page that explains it. */
export const makeTestVector = () => {
  const signingKey = toSigningKey(SEED)
  const hmacKey = toHmacKey(HMAC_SECRET)
  const canonical = canonicalJson(REPORT) ?? ""
  const digest = digestOf(canonical)
  const attestation = {
    digest: digest.toString("hex"),
    hmac: hmacOf(digest, HMAC_SECRET),
    keyId: signingKey.kid,
    hmacKeyId: hmacKey.kid,
    algorithm: ATTESTATION_ALGORITHM,
    signature: sign(null, Buffer.from(canonical, "utf8"), signingKey.privateKey).toString("base64url")
  }
  return {
    note: "Keys for comparing implementations only: everybody has them.",
    signingSeedHex: SEED.toString("hex"),
    hmacKeyHex: HMAC_SECRET.toString("hex"),
    jwks: { keys: [signingJwk(signingKey.publicKey), hmacJwk(hmacKey)] },
    canonical,
    report: { ...REPORT, attestation }
  }
}
