import { Either } from "effect"
import {
  PayerMustWait,
  PaymentConflict,
  PaymentRejected,
  PaymentUnavailable,
  PaymentUnresolved
} from "../../domain/errors.ts"
import type { SaleError, UpstreamError } from "../../domain/errors.ts"
import type { IdentifierTaken } from "../ledger/identifiers.ts"
import { fingerprintDigest } from "../fingerprint.ts"
import type { NewClaim } from "../ledger/ledger.ts"
import { encodePayload } from "../ledger/ledger-row.ts"
import { type MatchedPayment, matchPayment } from "../message/match.ts"
import type { Payment, SettleablePayment } from "../message/payment.ts"
import type { Height } from "../outcome.ts"
import type { OnChain } from "../verifier/payment-verifier.ts"
import type { VerifiedPayment } from "../verifier/verified-payment.ts"
import type { Order } from "./sale.ts"

/** A payment that is presented for an order, and what the ledger knows it by. */
export interface Presented {
  readonly payment: SettleablePayment
  readonly key: string
  readonly fingerprint: string
  readonly payload: string
  readonly order: Order
  /**
   * Which of the order's terms it pays as they are now, or why none. They may have been others when it was first
   * presented: what was begun then is brought to its end all the same.
   */
  readonly matched: Either.Either<MatchedPayment, PaymentRejected>
}

/** One attempt to sell: the payment beside our terms. */
export interface Attempt extends Presented, MatchedPayment {}

/** Presents a payment for an order. Fails for one of a kind we never take. */
export const present = (payment: Payment, order: Order): Either.Either<Presented, PaymentRejected> =>
  payment.scheme === "unsupported"
    ? Either.left(new PaymentRejected({ reason: payment.reason }))
    : Either.right({
        payment,
        key: payment.authorizationKey,
        fingerprint: fingerprintDigest(order.fingerprint),
        payload: encodePayload(payment),
        order,
        matched: matchPayment(payment, order)
      })

/** Whether somebody else's claim or request is this very payment for this very order. */
export const isSame = (
  attempt: Pick<Presented, "fingerprint" | "payload">,
  other: { readonly fingerprint: string; readonly payload: string }
): boolean => attempt.fingerprint === other.fingerprint && attempt.payload === other.payload

/** A payment that was verified here and on chain. */
export interface Accepted {
  readonly verified: VerifiedPayment
  readonly onChain: OnChain
  /** Where it was seen unused, or else where its transfer is. */
  readonly since: Height
}

export const newClaim = (attempt: Attempt, { onChain, since, verified }: Accepted): NewClaim => ({
  authorizationKey: attempt.key,
  fingerprint: attempt.fingerprint,
  network: attempt.requirements.network,
  payer: verified.payer,
  amount: attempt.requirements.amount,
  payload: attempt.payload,
  requirements: attempt.requirements,
  since,
  identifier: attempt.payment.identifier,
  feeBudgets: attempt.order.feeBudgets ?? [],
  feeQuote: onChain.fee
})

/** Seconds until a caller should come back with the same payment, where nothing says better. */
const RETRY_AFTER_SECONDS = 2

export const isSaleError = (error: unknown): error is SaleError =>
  error instanceof PayerMustWait ||
  error instanceof PaymentConflict ||
  error instanceof PaymentRejected ||
  error instanceof PaymentUnresolved ||
  error instanceof PaymentUnavailable

/**
 * The payment bought, or moved its money for, something else. That counts before our terms do: whoever heard that it pays
 * none of them would believe it unused.
 */
export const alreadyUsed = ({ payment }: Pick<Presented, "payment">, payer?: string) =>
  new PaymentRejected({ reason: "payment_already_used", network: payment.network, payer })

/** What became of a claim that was not written. `unsure`: it may have been written all the same. */
export const notClaimed =
  (payer: string, unsure: () => SaleError) =>
  (error: UpstreamError | IdentifierTaken): SaleError =>
    error._tag === "IdentifierTaken" ? new PaymentConflict({ payer }) : unsure()

export const again = () => new PaymentUnresolved({ retryAfterSeconds: RETRY_AFTER_SECONDS })
export const ledgerDown = () => new PaymentUnavailable({ upstream: "database" })
