import { createHash } from "node:crypto"

/** An order's fingerprint as the ledger keeps it. */
export const fingerprintDigest = (fingerprint: string): string =>
  createHash("sha256").update(fingerprint).digest("hex")
