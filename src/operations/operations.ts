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
import type { CountedScreening } from "./metrics.ts"
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

/** A report as free callers get it, made before. The same one is the same object. */
export interface KnownReport extends CountedScreening {
  readonly text: string
}

/** A free call whose report is known. */
export interface KnownCall {
  readonly caller: FreeCaller
  readonly report: KnownReport
  /** The caller has a free call left: gives the report. `false` where they have hung up, and it does not count. */
  readonly deliver: () => boolean
  /** The caller has none left. */
  readonly refuse: () => void
}

/**
 * Free calls that need no work: the report is in memory, and only the call must be counted. What `run` would do for them,
 * for many at once and with one fiber for all of them.
 */
export interface FreeReports {
  /**
   * The report that a free call would get at this moment (Unix milliseconds); `undefined` where there is more to do for
   * it, or its address has to wait: `run` knows what.
   */
  readonly find: (
    operation: OperationId,
    token: TokenRef,
    address: string,
    now: number
  ) => KnownReport | undefined
  /** Counts the calls, in one transaction, and ends each. Where it fails, none was counted and none has ended. */
  readonly give: (calls: ReadonlyArray<KnownCall>) => Effect.Effect<void, UpstreamError>
}

/** The two paid operations as every channel runs them: free tier, or challenge, or sale; then the answer. */
export class Operations extends Context.Tag("token-risk/Operations")<
  Operations,
  {
    readonly run: (request: ScreeningRequest) => Effect.Effect<Answer, OperationError>
    readonly freeReports: FreeReports
    /** Whether this caller's next deep call would be free. Reserves nothing. */
    readonly hasFreeCall: (caller: FreeCaller) => Effect.Effect<boolean, UpstreamError>
  }
>() {}
