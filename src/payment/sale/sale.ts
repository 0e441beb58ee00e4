import type { Effect } from "effect"
import { Context } from "effect"
import type { MalformedPayment, PaymentUnavailable, SaleError } from "../../domain/errors.ts"
import type { PaymentRequirements, SettlementResponse } from "../../domain/x402.ts"
import type { Payment } from "../message/payment.ts"

/** What is sold: one payment buys one answer to one operation on one input. */
export interface Order {
  /** Terms we advertise for it, in order of preference. */
  readonly accepts: ReadonlyArray<PaymentRequirements>
  /**
   * Equal exactly for requests that may share an answer: the channel (http, mcp, checkout), the operation id and the
   * canonical input. Stored as a digest beside the claim.
   */
  readonly fingerprint: string
  /**
   * `beside`: the work has no effects and may run in two processes at once for one payment; it starts beside the
   * verification on chain, and the first to finish sells. `under-claim` (the default): it runs once, after the ledger's claim.
   */
  readonly work?: "beside" | "under-claim"
  /**
   * What ties a payment to this order. `authorization`: what the payer signed names it, so that a transfer which is on
   * chain already pays it. `ledger` (the default): only our claim does, so that the payment must be unused when it first
   * comes.
   */
  readonly binding?: "ledger" | "authorization"
  /**
   * Whose budgets the network fee comes out of, from the widest to the narrowest; the work sets it aside (see
   * `FeeBudgets.reserve`). None: a sale of our own, which pays for itself.
   */
  readonly feeBudgets?: ReadonlyArray<string>
  /** URL of the resource; a payment that names another origin or path is refused. */
  readonly resourceUrl: string
}

/** A paid answer. A repeated payment gets the same bytes with `replayed: true`. */
export interface Sold {
  readonly answer: string
  readonly settlement: SettlementResponse
  readonly replayed: boolean
}

/**
 * The one state machine every channel sells through: match, verify here, verify on chain beside the work, record,
 * settle, record, answer. `work` yields the exact bytes to deliver; when it fails, nothing is charged and the payment
 * is good for another try. From the record on, everything runs in a scope of the application that no disconnect can cut.
 */
export class Sale extends Context.Tag("token-risk/Sale")<
  Sale,
  {
    /** Strict parsing of a `payment-signature` header. No I/O. */
    readonly parse: (header: string) => Effect.Effect<Payment, MalformedPayment>
    /** The same for a payment that arrives as JSON (MCP `_meta`). */
    readonly parseObject: (value: unknown) => Effect.Effect<Payment, MalformedPayment>
    /**
     * Whether this payment is on its way to buying this order, or has bought it: it is being worked for, its settlement is
     * begun, its answer is kept, or it was refused and might still land. `sell` brings that to its end.
     */
    readonly isBegun: (payment: Payment, order: Order) => Effect.Effect<boolean, PaymentUnavailable>
    readonly sell: <E, R>(
      payment: Payment,
      order: Order,
      work: Effect.Effect<string, E, R>
    ) => Effect.Effect<Sold, E | SaleError, R>
  }
>() {}
