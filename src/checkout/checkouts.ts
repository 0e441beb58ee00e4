import type { Effect, Option } from "effect"
import { Context } from "effect"
import type {
  CheckoutSimulation,
  CheckoutStatus,
  CheckoutStatusName,
  CheckoutTerms,
  CreateCheckout,
  MerchantCheckouts
} from "../domain/checkout.ts"
import type { MerchantSettings, UnassignedTransfers } from "../domain/merchant.ts"
import type { MalformedPayment, SaleError, UpstreamError } from "../domain/errors.ts"
import type { SettlementResponse } from "../domain/x402.ts"
import type { Caller } from "./caller.ts"
import type {
  CheckoutBusy,
  CheckoutConflict,
  CheckoutExpired,
  CheckoutInvalid,
  CheckoutLimited,
  CheckoutNotFound
} from "./errors.ts"
import type { Merchant } from "./merchants/merchants.ts"

/** Who creates a checkout, and the key that makes the request repeatable for this caller alone. */
export interface CreateOptions {
  readonly caller: Caller
  /** The merchant who presented a token, whose caller it then is. */
  readonly merchant?: Merchant | undefined
  readonly idempotencyKey: Option.Option<string>
}

/** Which page of a list. `before` is the `next` of an earlier page. */
export interface PageQuery {
  readonly before?: string | undefined
  readonly limit?: number | undefined
}

/** Which of a merchant's checkouts to list. */
export interface ListQuery extends PageQuery {
  readonly status?: CheckoutStatusName | undefined
  readonly memo?: string | undefined
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
  | SaleError

/** Why nobody is asked to pay a checkout. */
export type PayableError = FindError | CheckoutExpired | CheckoutConflict | CheckoutBusy

/** Checkouts as every channel serves them: a merchant gets paid exactly once, directly by the buyer. */
export class Checkouts extends Context.Tag("token-risk/Checkouts")<
  Checkouts,
  {
    /** The terms of a checkout that was created now, or earlier under the same idempotency key. */
    readonly create: (
      request: CreateCheckout,
      options: CreateOptions
    ) => Effect.Effect<CheckoutTerms, CreateError>
    /** Fails for an id nobody issued. */
    readonly known: (id: string) => Effect.Effect<void, FindError>
    readonly status: (id: string) => Effect.Effect<CheckoutStatus, FindError>
    /** `paymentSignature` is the base64 of an x402 PaymentPayload. */
    readonly verify: (id: string, paymentSignature: string) => Effect.Effect<Verified, VerifyError>
    /** Terms to challenge an unpaid caller with; fails when the checkout cannot be paid any more. */
    readonly challenge: (id: string) => Effect.Effect<CheckoutTerms, PayableError>
    /** What a wallet in a browser signs to pay on Solana: a transaction without signatures, base64. */
    readonly unsigned: (id: string, account: string) => Effect.Effect<string, PayableError | CheckoutInvalid>
    /** Walks the same rules in memory. Touches neither chain nor ledger nor database. */
    readonly simulate: (request: CreateCheckout) => Effect.Effect<CheckoutSimulation, CheckoutInvalid>
    /** Brings payments to their end whose run was cut off. How many were unfinished. */
    readonly resume: Effect.Effect<number, UpstreamError>
    /** The status with what the merchant wants its page to say. */
    readonly page: (
      id: string
    ) => Effect.Effect<
      { readonly status: CheckoutStatus; readonly merchant: MerchantSettings | null },
      FindError
    >
    readonly list: (
      merchant: Merchant,
      query: ListQuery
    ) => Effect.Effect<MerchantCheckouts, CheckoutInvalid | UpstreamError>
    /** Money that came into the merchant's account and counts for no order. */
    readonly strays: (
      merchant: Merchant,
      query: PageQuery
    ) => Effect.Effect<UnassignedTransfers, CheckoutInvalid | UpstreamError>
    /** Ends an open checkout of this merchant. */
    readonly cancel: (
      merchant: Merchant,
      id: string
    ) => Effect.Effect<CheckoutStatus, FindError | CheckoutConflict>
    /** Sends an event of one of this merchant's checkouts again. */
    readonly replayEvent: (merchant: Merchant, id: string, eventId: string) => Effect.Effect<void, FindError>
    /** Looks on chain for what wallets paid without us. How many receiving accounts it read through. */
    readonly findTransfers: Effect.Effect<number, UpstreamError>
    /** The same on Base, where an order's amount names it. */
    readonly findPlainTransfers: Effect.Effect<number, UpstreamError>
  }
>() {}
