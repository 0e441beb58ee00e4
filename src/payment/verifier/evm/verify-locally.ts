import type { Eip3009Payload, PaymentRequirements } from "../../../domain/x402.ts"
import type { LocalVerdict } from "../verdict.ts"
import { authorizationDigest, isSignedBy } from "./authorization.ts"

/**
 * Seconds an authorization must still live when settlement starts: a Base block takes two, and one may be missed. The
 * reference facilitator wants the same.
 */
const MIN_REMAINING_SECONDS = 6n

/** How far a payer's clock may run ahead of ours, in seconds. */
const CLOCK_SKEW_SECONDS = 60n

/**
 * Recipient, amount and time window. `now` is Unix seconds. The upper bound of the window keeps an authorization from
 * outliving our memory of why it was refused; USDC compares `validAfter` strictly.
 */
export const authorizationReason = (
  { from, to, value, validAfter, validBefore }: Eip3009Payload["authorization"],
  { payTo, amount, maxTimeoutSeconds }: PaymentRequirements,
  now: bigint
): string | undefined => {
  if (to.toLowerCase() !== payTo.toLowerCase()) return "invalid_exact_evm_recipient_mismatch"
  // The token moves what is moved to oneself, and nothing has come in.
  if (from.toLowerCase() === payTo.toLowerCase()) return "invalid_exact_evm_recipient_is_payer"
  if (value !== amount) return "invalid_exact_evm_payload_authorization_value_mismatch"
  const latest = now + BigInt(maxTimeoutSeconds) + CLOCK_SKEW_SECONDS
  if (BigInt(validBefore) < now + MIN_REMAINING_SECONDS || BigInt(validBefore) > latest) {
    return "invalid_exact_evm_payload_authorization_valid_before"
  }
  return BigInt(validAfter) >= now ? "invalid_exact_evm_payload_authorization_valid_after" : undefined
}

/** Everything about an EIP-3009 payment that needs no chain. */
export const verifyEip3009 = async (
  { authorization, signature }: Eip3009Payload,
  requirements: PaymentRequirements,
  now: bigint
): Promise<LocalVerdict> => {
  const payer = authorization.from
  const reason = authorizationReason(authorization, requirements, now)
  if (reason !== undefined) return { ok: false, payer, reason }
  const digest = authorizationDigest(authorization, requirements)
  if (digest === undefined) return { ok: false, payer, reason: "invalid_exact_evm_missing_eip712_domain" }
  return { ok: true, payer, signatureVerified: await isSignedBy(digest, signature, payer) }
}
