import { createHash, createHmac, createPublicKey, timingSafeEqual, verify } from "node:crypto"
import { Data, Either, Schema } from "effect"
import {
  ATTESTATION_ALGORITHM,
  VERIFICATION_REASONS,
  type VerificationReason
} from "./attestation-reasons.ts"
import { canonicalJson } from "./canonical-json.ts"
import { isRecord } from "./json.ts"
import { DeepReport } from "./report.ts"

/** A public key set (RFC 7517). The HMAC key is published on purpose: its tag proves integrity, not origin. */
export const Jwks = Schema.Struct({
  keys: Schema.Array(Schema.Record({ key: Schema.String, value: Schema.String }))
}).annotations({ identifier: "Jwks" })
export type Jwks = typeof Jwks.Type

type Jwk = Jwks["keys"][number]

/** RFC 7638 thumbprint, base64url SHA-256 over the key's required members: equal keys have equal ids everywhere. */
export const thumbprint = (required: Readonly<Record<string, string>>): string =>
  createHash("sha256")
    .update(JSON.stringify(Object.fromEntries(Object.entries(required).toSorted())))
    .digest("base64url")

/** SHA-256 of canonical text. */
export const digestOf = (canonical: string): Buffer => createHash("sha256").update(canonical, "utf8").digest()

/** HMAC-SHA256, hex, of the digest's bytes (not of its hex text). */
export const hmacOf = (digest: Uint8Array, key: Uint8Array): string =>
  createHmac("sha256", key).update(digest).digest("hex")

export class VerificationFailure extends Data.TaggedError("VerificationFailure")<{
  readonly reason: VerificationReason
  readonly message: string
}> {}

const failure = (reason: VerificationReason): VerificationFailure =>
  new VerificationFailure({ reason, message: VERIFICATION_REASONS[reason] })

/** Bytes of base64url text in its one spelling; other spellings of the same bytes are refused. */
const fromBase64Url = (encoded: string): Buffer | undefined => {
  const bytes = Buffer.from(encoded, "base64url")
  return bytes.toString("base64url") === encoded ? bytes : undefined
}

const equalText = (a: string, b: string): boolean => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

const bytesOf32 = (encoded: string | undefined): Buffer | undefined => {
  const bytes = encoded === undefined ? undefined : fromBase64Url(encoded)
  return bytes?.length === 32 ? bytes : undefined
}

/** A key counts under the id its own material has, whatever id the set gives it. */
const findKey = (jwks: Jwks, kid: string, required: (key: Jwk) => Record<string, string> | undefined) =>
  jwks.keys.find((key) => {
    const members = key["kid"] === kid ? required(key) : undefined
    return members !== undefined && thumbprint(members) === kid
  })

const okpMembers = (key: Jwk): Record<string, string> | undefined => {
  const { kty, crv, x } = key
  return kty === "OKP" && crv === "Ed25519" && x !== undefined && bytesOf32(x) ? { crv, kty, x } : undefined
}

const octMembers = (key: Jwk): Record<string, string> | undefined => {
  const { kty, k } = key
  return kty === "oct" && k !== undefined && bytesOf32(k) ? { k, kty } : undefined
}

const isSignedBy = (key: Jwk, canonical: string, signature: string): boolean => {
  const bytes = fromBase64Url(signature)
  if (bytes?.length !== 64) return false
  try {
    const publicKey = createPublicKey({
      key: { kty: "OKP", crv: "Ed25519", x: key["x"] ?? "" },
      format: "jwk"
    })
    return verify(null, Buffer.from(canonical, "utf8"), publicKey, bytes)
  } catch {
    return false
  }
}

const decodeReport = Schema.decodeUnknownEither(DeepReport)

/**
 * Verifies a deep report offline against a key set, without I/O: schema, digest, HMAC, signature. The digest covers
 * every member as received, known to this version or not; the order of members does not matter. Success says that the
 * holder of the named Ed25519 key made exactly this report; that the key is the service's is for the caller to know.
 */
export const verifyReport = (report: unknown, jwks: Jwks): Either.Either<DeepReport, VerificationFailure> => {
  const fail = (reason: VerificationReason) => Either.left(failure(reason))
  if (!isRecord(report)) return fail("malformed-report")
  const { attestation, ...body } = report
  if (attestation === undefined || attestation === null) return fail("missing-attestation")
  const decoded = decodeReport(report)
  if (Either.isLeft(decoded)) return fail("malformed-report")
  const canonical = canonicalJson(body)
  if (canonical === undefined) return fail("malformed-report")

  const claimed = decoded.right.attestation
  if (claimed.algorithm !== ATTESTATION_ALGORITHM) return fail("unsupported-algorithm")
  const digest = digestOf(canonical)
  if (!equalText(digest.toString("hex"), claimed.digest)) return fail("digest-mismatch")
  const signingKey = findKey(jwks, claimed.keyId, okpMembers)
  if (signingKey === undefined) return fail("unknown-key")
  const hmacKey = bytesOf32(findKey(jwks, claimed.hmacKeyId, octMembers)?.["k"])
  if (hmacKey === undefined) return fail("unknown-hmac-key")
  if (!equalText(hmacOf(digest, hmacKey), claimed.hmac)) return fail("hmac-mismatch")
  if (!isSignedBy(signingKey, canonical, claimed.signature)) return fail("signature-mismatch")
  return Either.right(decoded.right)
}
