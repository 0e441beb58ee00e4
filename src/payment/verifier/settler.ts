import type { Effect } from "effect"
import type { PaymentRejected, PaymentUnavailable } from "../../domain/errors.ts"
import type { Evidence, Height, SettlementOutcome } from "../outcome.ts"
import type { CheckedPayment } from "./checked-payment.ts"

/** What a chain said when it was asked about a payment that nobody has begun to settle. */
export interface Verified {
  readonly payer: string
  /** Where its state was read: whatever used the payment at or below this height did so before we saw it. */
  readonly height: Height
  /** The transfer it already made, when it is used; a payment that is used otherwise is rejected. */
  readonly used?: Evidence | undefined
}

/** What is known of a settlement that was begun, for whoever asks the chain about it. */
export interface Begun {
  /** Transaction it was last seen in or sent with. */
  readonly transaction: string | null
  /** Height of the read that allowed it: it was unused there. 0 when unknown. */
  readonly since: Height
}

/**
 * The settling side of one network: our own key, or a facilitator. `settle` and `lookup` never fail: what is not
 * proven is `open`.
 */
export interface Settler {
  /** The signature and the chain's state. Moves nothing. */
  readonly verify: (checked: CheckedPayment) => Effect.Effect<Verified, PaymentRejected | PaymentUnavailable>
  /** Executes the transfer, or joins one that was begun, and waits a bounded time for the outcome. */
  readonly settle: (checked: CheckedPayment, begun: Begun) => Effect.Effect<SettlementOutcome>
  /** Asks the chain what became of it. Moves nothing. */
  readonly lookup: (checked: CheckedPayment, begun: Begun) => Effect.Effect<SettlementOutcome>
}
