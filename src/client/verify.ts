import { ATTESTATION_ALGORITHM, VERIFICATION_REASONS } from "../domain/attestation-reasons.ts"
import { canonicalJson } from "../domain/canonical-json.ts"
import { fromBase64Url, toBase64Url, toHex } from "./base64.ts"
import type { VerificationReason } from "./errors.ts"
import { VerificationFailure } from "./errors.ts"
import { isRecord } from "../domain/json.ts"
import { isDeep } from "./read.ts"
import type { DeepReport, Jwks } from "./types.ts"

const EXPLANATION: Readonly<Record<VerificationReason, string>> = {
  ...VERIFICATION_REASONS,
  "wrong-token": "The report is about another token than the one asked for.",
  "no-ed25519": "This runtime has no Ed25519 in WebCrypto, so the origin cannot be verified here."
}

/** The error of a report that does not verify, with its reason in words. */
export const verificationFailure = (reason: VerificationReason): VerificationFailure =>
  new VerificationFailure(reason, EXPLANATION[reason])

type Jwk = Jwks["keys"][number]
type Bytes = Uint8Array<ArrayBuffer>

const utf8 = (text: string): Bytes => new TextEncoder().encode(text)
const sha256 = async (bytes: Bytes): Promise<Bytes> =>
  new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))

const bytesOf32 = (encoded: string | undefined): Bytes | undefined => {
  const bytes = encoded === undefined ? undefined : fromBase64Url(encoded)
  return bytes?.length === 32 ? bytes : undefined
}

/** RFC 7638: the required members in alphabetical order, hashed. */
const thumbprint = async (required: Readonly<Record<string, string>>): Promise<string> =>
  toBase64Url(await sha256(utf8(JSON.stringify(required))))

/** A key counts under the id that follows from its own material, whatever id the set gives it. */
const findKey = async (
  jwks: Jwks,
  kid: string,
  required: (key: Jwk) => Readonly<Record<string, string>> | undefined
): Promise<Jwk | undefined> => {
  for (const candidate of jwks.keys) {
    const members = candidate["kid"] === kid ? required(candidate) : undefined
    if (members !== undefined && (await thumbprint(members)) === kid) return candidate
  }
  return undefined
}

const okpMembers = ({ crv, kty, x }: Jwk) =>
  kty === "OKP" && crv === "Ed25519" && x !== undefined && bytesOf32(x) ? { crv, kty, x } : undefined

const octMembers = ({ k, kty }: Jwk) =>
  kty === "oct" && k !== undefined && bytesOf32(k) ? { k, kty } : undefined

const hasHmac = async (digest: Bytes, secret: Bytes, tag: string): Promise<boolean> => {
  const key = await crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, ["sign"])
  return toHex(new Uint8Array(await crypto.subtle.sign("HMAC", key, digest))) === tag
}

/** The failure of one signature, or `undefined` when the key made it. */
const signatureFailure = async (
  publicKey: Bytes,
  canonical: Bytes,
  signature: string
): Promise<VerificationReason | undefined> => {
  const bytes = fromBase64Url(signature)
  if (bytes?.length !== 64) return "signature-mismatch"
  let key: CryptoKey
  try {
    key = await crypto.subtle.importKey("raw", publicKey, { name: "Ed25519" }, false, ["verify"])
  } catch (cause) {
    // A runtime without Ed25519 names it in its error; every other exception means that the key is not valid.
    return cause instanceof DOMException && cause.name === "NotSupportedError" ? "no-ed25519" : "unknown-key"
  }
  return (await crypto.subtle.verify({ name: "Ed25519" }, key, bytes, canonical))
    ? undefined
    : "signature-mismatch"
}

const failureOf = async (
  report: DeepReport,
  canonical: Bytes,
  jwks: Jwks
): Promise<VerificationReason | undefined> => {
  const claimed = report.attestation
  if (claimed.algorithm !== ATTESTATION_ALGORITHM) return "unsupported-algorithm"
  const digest = await sha256(canonical)
  if (toHex(digest) !== claimed.digest) return "digest-mismatch"
  const signingKey = bytesOf32((await findKey(jwks, claimed.keyId, okpMembers))?.["x"])
  if (signingKey === undefined) return "unknown-key"
  const hmacKey = bytesOf32((await findKey(jwks, claimed.hmacKeyId, octMembers))?.["k"])
  if (hmacKey === undefined) return "unknown-hmac-key"
  if (!(await hasHmac(digest, hmacKey, claimed.hmac))) return "hmac-mismatch"
  return signatureFailure(signingKey, canonical, claimed.signature)
}

/**
 * Verifies a deep report offline against a key set, without I/O: shape, digest, HMAC, signature. The digest covers
 * every member as received, known to this version or not; the order of members does not matter. Success says that the
 * holder of the named Ed25519 key made exactly this report; whether that key is the service's, the caller has to know.
 * Rejects with a `VerificationFailure` that names the first check that failed.
 */
export const verifyReport = async (report: unknown, jwks: Jwks): Promise<DeepReport> => {
  if (!isRecord(report)) throw verificationFailure("malformed-report")
  const { attestation, ...body } = report
  if (attestation === undefined || attestation === null) throw verificationFailure("missing-attestation")
  const canonical = canonicalJson(body)
  if (!isDeep(report) || canonical === undefined) throw verificationFailure("malformed-report")
  const reason = await failureOf(report, utf8(canonical), jwks)
  if (reason !== undefined) throw verificationFailure(reason)
  return report
}
