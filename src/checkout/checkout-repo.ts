import type { Effect, Option } from "effect"
import { Context } from "effect"
import type { UpstreamError } from "../domain/errors.ts"
import type { SettlementResponse } from "../domain/x402.ts"
import type { BoundPayment, Checkout } from "./checkout.ts"

/** A new checkout. `idempotencyKey` is already scoped to its merchant. */
export type NewCheckout = Extract<Checkout, { readonly status: "open" }> & {
  readonly idempotencyKey: string | null
}

/** What one merchant has going on; see the limits in `config.ts`. */
export interface MerchantLoad {
  readonly open: number
  readonly createdLately: number
  readonly paymentsLately: number
}

/** An event for the merchant, written in the same transaction as the state it tells of. */
export interface OutboxMessage {
  readonly id: string
  readonly body: string
}

/** The end of a checkout that was paid. `message` is delivered only when the checkout has a webhook. */
export interface PaidRecord {
  readonly id: string
  readonly paymentKey: string
  readonly receipt: string
  readonly settlement: SettlementResponse
  readonly at: number
  readonly message: OutboxMessage
}

/**
 * Checkouts on SQL. Every change is one compare-and-set, so that processes sharing the database cannot both win.
 * Times are Unix milliseconds.
 */
export class CheckoutRepo extends Context.Tag("CheckoutRepo")<
  CheckoutRepo,
  {
    /** None when it was inserted; the earlier checkout when its idempotency key is taken. */
    readonly insert: (checkout: NewCheckout) => Effect.Effect<Option.Option<Checkout>, UpstreamError>
    readonly find: (id: string) => Effect.Effect<Option.Option<Checkout>, UpstreamError>
    readonly findByKey: (idempotencyKey: string) => Effect.Effect<Option.Option<Checkout>, UpstreamError>
    readonly load: (
      merchant: string,
      since: { readonly created: number; readonly payments: number; readonly now: number }
    ) => Effect.Effect<MerchantLoad, UpstreamError>
    /** Binds a payment to an open, unexpired checkout, or takes over the same payment. False: it cannot be bound. */
    readonly bind: (id: string, payment: BoundPayment) => Effect.Effect<boolean, UpstreamError>
    /** Gives the checkout back when one of these attempts still holds it and its payment certainly failed. */
    readonly release: (id: string, attempts: ReadonlyArray<string>) => Effect.Effect<void, UpstreamError>
    /** Records a settled payment; the first one stays. The checkout as it stands afterwards. */
    readonly markPaid: (record: PaidRecord) => Effect.Effect<Checkout, UpstreamError>
    /** Ends open checkouts whose clock ran out. How many. */
    readonly expire: (
      now: number,
      message: (checkout: Checkout) => OutboxMessage
    ) => Effect.Effect<number, UpstreamError>
    /** Checkouts whose payment was bound before a time and has not come to an end. */
    readonly unfinished: (before: number) => Effect.Effect<ReadonlyArray<Checkout>, UpstreamError>
    /** Remembers that the hosted page was opened. */
    readonly watch: (id: string, now: number) => Effect.Effect<void, UpstreamError>
    /** Open checkouts whose page was opened. */
    readonly watched: (limit: number) => Effect.Effect<ReadonlyArray<Checkout>, UpstreamError>
    /** Forgets unpaid checkouts that expired before a time. */
    readonly purge: (before: number) => Effect.Effect<void, UpstreamError>
  }
>() {}
