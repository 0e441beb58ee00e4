import type { Effect, Option } from "effect"
import { Context } from "effect"
import type { CheckoutSimulation, CheckoutStatus, CheckoutTerms, CreateCheckout } from "../domain/checkout.ts"
import type {
  MalformedPayment,
  PaymentRejected,
  PaymentUnavailable,
  PaymentUnresolved,
  UpstreamError
} from "../domain/errors.ts"
import type { SettlementResponse } from "../domain/x402.ts"
import type { Webhook } from "./checkout.ts"
import type {
  CheckoutBusy,
  CheckoutConflict,
  CheckoutExpired,
  CheckoutInvalid,
  CheckoutLimited,
  CheckoutNotFound
} from "./errors.ts"

/** A checkout that was created now, or earlier under the same idempotency key: the answer is the same. */
export interface Created {
  readonly terms: CheckoutTerms
  readonly webhook: Webhook | null
}

/** A paid checkout's answer: the stored bytes of the receipt, and what `PAYMENT-RESPONSE` carries. */
export interface Verified {
  readonly receipt: string
  readonly settlement: SettlementResponse
}

export type CreateError = CheckoutInvalid | CheckoutConflict | CheckoutLimited | UpstreamError
export type FindError = CheckoutNotFound | UpstreamError
export type VerifyError =
  | FindError
  | CheckoutExpired
  | CheckoutConflict
  | CheckoutBusy
  | CheckoutLimited
  | MalformedPayment
  | PaymentRejected
  | PaymentUnresolved
  | PaymentUnavailable

/** Checkouts as every channel serves them: a merchant gets paid exactly once, directly by the buyer. */
export class Checkouts extends Context.Tag("Checkouts")<
  Checkouts,
  {
    readonly create: (
      request: CreateCheckout,
      idempotencyKey: Option.Option<string>
    ) => Effect.Effect<Created, CreateError>
    readonly status: (id: string) => Effect.Effect<CheckoutStatus, FindError>
    /** `paymentSignature` is the base64 of an x402 PaymentPayload. */
    readonly verify: (id: string, paymentSignature: string) => Effect.Effect<Verified, VerifyError>
    /** Terms to challenge an unpaid caller with; fails when the checkout cannot be paid any more. */
    readonly challenge: (
      id: string
    ) => Effect.Effect<CheckoutTerms, FindError | CheckoutExpired | CheckoutConflict>
    /** Walks the same rules in memory. Touches neither chain nor ledger nor database. */
    readonly simulate: (request: CreateCheckout) => Effect.Effect<CheckoutSimulation, CheckoutInvalid>
    /** Brings payments to their end whose run was cut off. How many were unfinished. */
    readonly resume: Effect.Effect<number, UpstreamError>
    /** Looks for transfers wallets made by themselves for the checkouts whose page was opened. How many it looked at. */
    readonly findTransfers: Effect.Effect<number, UpstreamError>
    /** The hosted page was opened with a code a wallet can pay without us. */
    readonly watch: (id: string) => Effect.Effect<void, UpstreamError>
  }
>() {}
