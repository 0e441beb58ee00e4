import type { VerificationReason as AttestationReason } from "../domain/attestation-reasons.ts"

/** Whether money moved: `null` when it is not known. */
export type Charged = boolean | null

interface Details {
  readonly charged: Charged
  readonly reason?: string | undefined
  readonly payment?: string | undefined
  readonly cause?: unknown
}

/**
 * Every failure of this client. `code` is stable and made for programs, `message` is made for people.
 * `charged`: `false` when certainly nothing was paid, `true` when a payment was executed, `null` when it is not known.
 */
export abstract class TokenRiskError extends Error {
  abstract readonly code: string
  readonly charged: Charged
  /** The machine-readable detail behind `code`, where there is one. */
  readonly reason: string | undefined
  /**
   * The signed payment whose outcome is open. The client sends it again at the next identical call by itself; a new
   * process passes it as `options.payment`. Never sign a second one for the same request.
   */
  readonly payment: string | undefined

  constructor(message: string, { cause, charged, payment, reason }: Details) {
    super(message, cause === undefined ? undefined : { cause })
    this.charged = charged
    this.reason = reason
    this.payment = payment
  }
}

/** A failure before anything was paid, with nothing to say beside its message. */
abstract class Uncharged extends TokenRiskError {
  constructor(message: string) {
    super(message, { charged: false })
  }
}

/** The input cannot be right, found here or by the service (400). Nothing was charged. */
export class InvalidRequest extends Uncharged {
  override readonly name = "InvalidRequest"
  readonly code = "invalid_request"
}

/** The policy forbids every option of a challenge, or nobody approved it. Nothing was signed. One line per option. */
export class PolicyRefusal extends TokenRiskError {
  override readonly name = "PolicyRefusal"
  readonly code = "policy_refused"
  readonly reasons: ReadonlyArray<string>
  constructor(reasons: ReadonlyArray<string>) {
    super(`the spending policy forbids this payment: ${reasons.join("; ")}`, {
      charged: false,
      reason: reasons.join("; ")
    })
    this.reasons = reasons
  }
}

/** The wallet could not sign. Nothing was sent. */
export class SigningFailed extends TokenRiskError {
  override readonly name = "SigningFailed"
  readonly code = "signing_failed"
  constructor(cause: unknown) {
    super(`signing failed: ${cause instanceof Error ? cause.message : "unknown cause"}`, {
      charged: false,
      cause
    })
  }
}

/** The service's challenge is not what x402 v2 says, or is for another service. Nothing was signed. */
export class MalformedChallenge extends Uncharged {
  override readonly name = "MalformedChallenge"
  readonly code = "malformed_challenge"
}

/** No pool of the token exists (404). Nothing was charged. */
export class TokenNotFound extends Uncharged {
  override readonly name = "TokenNotFound"
  readonly code = "token_not_found"
}

/** The service refused the payment (402 after paying). `reason` is its x402 error code; the page of errors lists them. */
export class PaymentRefused extends TokenRiskError {
  override readonly name = "PaymentRefused"
  readonly code = "payment_refused"
  constructor(reason: string, charged: Charged, payment?: string) {
    super(`the service refused the payment: ${reason}`, { charged, reason, payment })
  }
}

/** Too many requests (429). `retryAfterSeconds` says when to come back. */
export class RateLimited extends TokenRiskError {
  override readonly name = "RateLimited"
  readonly code = "rate_limited"
  readonly retryAfterSeconds: number
  constructor(message: string, retryAfterSeconds: number, charged: Charged, payment?: string) {
    super(message, { charged, payment })
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** The service cannot answer now (5xx). */
export class Unavailable extends TokenRiskError {
  override readonly name = "Unavailable"
  readonly code = "unavailable"
  constructor(message: string, charged: Charged, payment?: string) {
    super(message, { charged, payment })
  }
}

/** No answer came: no connection, or it broke. */
export class NetworkError extends TokenRiskError {
  override readonly name = "NetworkError"
  readonly code = "network"
  constructor(message: string, charged: Charged, payment: string | undefined, cause: unknown) {
    super(message, { charged, payment, cause })
  }
}

/** `timeoutMs` went by. */
export class TimedOut extends TokenRiskError {
  override readonly name = "TimedOut"
  readonly code = "timeout"
  constructor(timeoutMs: number, charged: Charged, payment?: string) {
    super(`no answer within ${timeoutMs} ms`, { charged, payment })
  }
}

/** `signal` was aborted. `charged` is `false` whenever nothing had been sent that pays. */
export class Aborted extends TokenRiskError {
  override readonly name = "Aborted"
  readonly code = "aborted"
  constructor(cause: unknown, charged: Charged, payment?: string) {
    super("the call was aborted", { charged, payment, cause })
  }
}

/** Whoever answered does not speak this contract: most often the address of another server. */
export class UnexpectedAnswer extends TokenRiskError {
  override readonly name = "UnexpectedAnswer"
  readonly code = "unexpected_answer"
  constructor(message: string, charged: Charged, payment?: string) {
    super(message, { charged, payment })
  }
}

/** Why a report does not verify: by its attestation, because it is about another token, or because nothing here can tell. */
export type VerificationReason = AttestationReason | "wrong-token" | "no-ed25519"

/** The report must not be acted on. `reason` names the first check that failed. */
export class VerificationFailure extends TokenRiskError {
  override readonly name = "VerificationFailure"
  readonly code = "not_verified"
  override readonly reason: VerificationReason
  constructor(reason: VerificationReason, message: string, charged: Charged = false) {
    super(message, { charged, reason })
    this.reason = reason
  }
}
