import type { Effect, Option } from "effect"
import { Context } from "effect"
import type { Network } from "../domain/chain.ts"
import type { UpstreamError } from "../domain/errors.ts"
import type { BoundPayment, Checkout, Paid } from "./checkout.ts"
import type { Journal, Transfer } from "./journal.ts"

/** A new checkout. `idempotencyKey` is already scoped to its caller; `references` lead to it from the chain. */
export type NewCheckout = Extract<Checkout, { readonly status: "open" }> & {
  readonly idempotencyKey: string | null
  readonly references: ReadonlyArray<string>
}

/** What one caller may have going on at once. */
export interface CallerLimits {
  readonly createsPerMinute: number
  readonly maxOpen: number
}

/** What became of a create. `earlier`: its idempotency key is taken. */
export type Insertion =
  | { readonly _tag: "inserted" }
  | { readonly _tag: "earlier"; readonly checkout: Checkout }
  | { readonly _tag: "limited"; readonly by: "created" | "open" }
  /** A reference that should lead to it leads to another checkout. */
  | { readonly _tag: "taken" }

/** An event for the merchant, written in the same transaction as the state it tells of. */
export interface OutboxMessage {
  readonly id: string
  readonly body: string
}

/** What follows from a transfer that was written down. */
export interface Conclusion {
  /** The end of a checkout that is paid by it. */
  readonly paid: Paid | null
  /** Delivered only when the checkout has a webhook. */
  readonly messages: ReadonlyArray<OutboxMessage>
}

/** What follows from a transfer that was lost. */
export interface LossesToTell {
  readonly message: (checkout: Checkout, transfer: Transfer, journal: Journal) => OutboxMessage
  /** The end of a checkout that stays paid, where its receipt named the lost transfer. */
  readonly instead: (checkout: Checkout, transfer: Transfer, journal: Journal) => Conclusion
}

export type Unfinished = Extract<Checkout, { readonly status: "processing" }>

/** A payment as presented, by its key, whose checkout another transfer has paid. `since`: when it was bound. */
export interface Overtaken {
  readonly checkoutId: string
  readonly payment: string
  readonly payload: string
  readonly since: number
}

/** Which of a caller's checkouts to list, newest first. */
export interface Listing {
  readonly caller: string
  readonly status: Checkout["status"] | null
  /** Part of the merchant's memo; null for any. */
  readonly memo: string | null
  /** Only checkouts created before this one, for the next page. */
  readonly before: { readonly createdAt: number; readonly id: string } | null
  readonly limit: number
}

/**
 * Checkouts on SQL. Every change is one compare-and-set, so that processes sharing the database cannot both win.
 * Times are Unix milliseconds.
 */
export class CheckoutRepo extends Context.Tag("token-risk/CheckoutRepo")<
  CheckoutRepo,
  {
    readonly insert: (checkout: NewCheckout, limits: CallerLimits) => Effect.Effect<Insertion, UpstreamError>
    readonly find: (id: string) => Effect.Effect<Option.Option<Checkout>, UpstreamError>
    readonly findByKey: (idempotencyKey: string) => Effect.Effect<Option.Option<Checkout>, UpstreamError>
    /** The checkouts that memos and keys of one transaction lead to. */
    readonly findByReferences: (
      references: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<Checkout>, UpstreamError>
    readonly list: (listing: Listing) => Effect.Effect<ReadonlyArray<Checkout>, UpstreamError>
    /** Checkouts of a caller that were paid in the last 24 hours, by the full hour. */
    readonly paidInADay: (caller: string, now: number) => Effect.Effect<number, UpstreamError>
    /** Binds a payment to an open, unexpired checkout, or takes over the same payment. False: it cannot be bound. */
    readonly bind: (id: string, payment: BoundPayment) => Effect.Effect<boolean, UpstreamError>
    /** Gives the checkout back when one of these attempts still holds it and its payment certainly failed. */
    readonly release: (id: string, attempts: ReadonlyArray<string>) => Effect.Effect<void, UpstreamError>
    /**
     * Writes a transfer into the journal, once, with what follows from it. `conclude` sees the checkout and all its
     * transfers, this one among them, and whether one of them was lost before. A transfer whose evidence belongs to
     * another checkout changes nothing; a wallet's that was lost counts again. The checkout as it stands afterwards.
     */
    readonly record: (
      transfer: Transfer,
      now: number,
      conclude: (checkout: Checkout, transfers: ReadonlyArray<Transfer>, isAgain: boolean) => Conclusion
    ) => Effect.Effect<Checkout, UpstreamError>
    /**
     * Claimants of the transfers that the ledger lost and that are in a checkout's sums all the same; a bounded number, and
     * none of those hides another that were taken out before, or that paid for no checkout.
     */
    readonly losses: (network: Network) => Effect.Effect<ReadonlyArray<string>, UpstreamError>
    /**
     * Takes transfers that the ledger lost, by their claimants, out of the sums. A checkout that is not paid without
     * them gets back the state it had; one that other transfers keep paid gets their receipt. How many it took out.
     */
    readonly lose: (
      claimants: ReadonlyArray<string>,
      now: number,
      told: LossesToTell
    ) => Effect.Effect<number, UpstreamError>
    readonly transfers: (id: string) => Effect.Effect<ReadonlyArray<Transfer>, UpstreamError>
    /**
     * Ends open checkouts whose clock ran out and that nothing still unseen on chain can have paid. How many it ended.
     */
    readonly expire: (
      now: number,
      message: (checkout: Checkout) => OutboxMessage
    ) => Effect.Effect<number, UpstreamError>
    /** Ends an open checkout of this caller. False: it is not open, or not theirs. */
    readonly cancel: (id: string, caller: string, now: number) => Effect.Effect<boolean, UpstreamError>
    /**
     * Checkouts whose payment was bound before a time and has not come to an end: a bounded number, the oldest first,
     * from where an earlier look ended.
     */
    readonly unfinished: (
      before: number,
      after: { readonly since: number; readonly id: string } | null
    ) => Effect.Effect<ReadonlyArray<Unfinished>, UpstreamError>
    /**
     * Payments that were bound before a time and whose checkout a wallet paid before their outcome was known: a bounded
     * number, the oldest first, from where an earlier look ended.
     */
    readonly overtaken: (
      before: number,
      after: Pick<Overtaken, "checkoutId" | "payment" | "since"> | null
    ) => Effect.Effect<ReadonlyArray<Overtaken>, UpstreamError>
    /** Whether a checkout has such a payment. */
    readonly isOvertaking: (id: string) => Effect.Effect<boolean, UpstreamError>
    /** The payment's outcome is known. */
    readonly endOvertaken: (id: string, payment: string) => Effect.Effect<void, UpstreamError>
    /**
     * Forgets unpaid checkouts without any transfer that ended before a time, accounts that are not watched any more, and
     * counters nothing looks at.
     */
    readonly purge: (before: number, now: number) => Effect.Effect<void, UpstreamError>
  }
>() {}
