import { Context, Schema } from "effect"
import type { Effect, Option } from "effect"
import type { OperationId } from "../domain/catalog.ts"
import type { SaleError, UpstreamError } from "../domain/errors.ts"
import type { TokenRef } from "../domain/token.ts"
import type { SettlementResponse } from "../domain/x402.ts"
import type { FreeCaller } from "../free-tier/free-tier-store.ts"
import type { Payment } from "../payment/message/payment.ts"
import type { Sale } from "../payment/sale/sale.ts"
import type { ScreeningError } from "../screening/screener.ts"
import type { Channel } from "./offers.ts"

/** An answer to deliver: the exact bytes of the body, and the receipt when it was paid for. */
export interface Answer {
  readonly body: string
  readonly settlement: SettlementResponse | null
}

/** A request for one screening. A payment is touched only when no free call serves it. */
export interface ScreeningRequest {
  readonly operation: OperationId
  readonly token: TokenRef
  readonly channel: Channel
  readonly payment: Effect.Effect<Option.Option<Payment>, PaymentFailure>
  readonly caller: Option.Option<FreeCaller>
}

type PaymentFailure = Effect.Effect.Error<ReturnType<Sale["Type"]["parse"]>>

/** Neither a free call nor a payment: the channel answers with its challenge. */
export class PaymentDue extends Schema.TaggedError<PaymentDue>()("PaymentDue", {}) {}

/**
 * Too many free calls of this address ended in nothing lately. Not a challenge: whoever has free calls left is not to
 * be charged for them.
 */
export class FreeCallsPaused extends Schema.TaggedError<FreeCallsPaused>()("FreeCallsPaused", {
  retryAfterSeconds: Schema.Number
}) {}

export type OperationError =
  PaymentDue | FreeCallsPaused | PaymentFailure | SaleError | ScreeningError | UpstreamError

/** The two paid operations as every channel runs them: free tier, or challenge, or sale; then the answer. */
export class Operations extends Context.Tag("token-risk/Operations")<
  Operations,
  {
    readonly run: (request: ScreeningRequest) => Effect.Effect<Answer, OperationError>
    /** Whether this caller's next deep call would be free. Reserves nothing. */
    readonly hasFreeCall: (caller: FreeCaller) => Effect.Effect<boolean, UpstreamError>
  }
>() {}
