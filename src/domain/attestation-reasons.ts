/**
 * Names what `digest`, `hmac` and `signature` are: SHA-256 over RFC 8785 bytes, HMAC-SHA256 of the digest's 32 bytes,
 * Ed25519 over the same RFC 8785 bytes.
 */
export const ATTESTATION_ALGORITHM = "JCS-SHA256+HMAC-SHA256+Ed25519"

/** What a reader is told for each reason why a report does not verify. Used by both verifiers, so it imports nothing. */
export const VERIFICATION_REASONS = {
  "malformed-report": "This is not a deep report.",
  "missing-attestation": "The report carries no attestation.",
  "unsupported-algorithm": `The attestation is not ${ATTESTATION_ALGORITHM}.`,
  "digest-mismatch": "The report was changed after it was attested: the digest differs.",
  "unknown-key": "The key set has no Ed25519 key with the report's keyId.",
  "unknown-hmac-key": "The key set has no HMAC key with the report's hmacKeyId.",
  "hmac-mismatch": "The HMAC does not match the digest.",
  "signature-mismatch": "The signature was not made by the key it names."
} as const

/**
 * Why a report does not verify. `malformed-report`: not a deep report, or without canonical form. `unknown-key`: no
 * usable key of that id and kind in the set. The mismatches name the first check that failed, in this order.
 */
export type VerificationReason = keyof typeof VERIFICATION_REASONS
