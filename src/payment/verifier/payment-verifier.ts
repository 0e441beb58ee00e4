import type { Effect } from "effect"
import { Context } from "effect"
import type { PaymentRejected, PaymentUnavailable, PaymentUnresolved } from "../../domain/errors.ts"
import type { Network } from "../../domain/chain.ts"
import type { PaymentRequirements, SettlementResponse } from "../../domain/x402.ts"
import type { SettleablePayment } from "../message/payment.ts"

/** What is known of a payment whose settlement was started and not confirmed. */
export type SettlementFate =
  | { readonly state: "settled"; readonly transaction: string }
  /** It can never land any more: the window is over, the nonce was cancelled, the blockhash expired. */
  | { readonly state: "void"; readonly reason: string }
  | { readonly state: "open" }

/**
 * Checks and executes payments on one or both networks. Two layers exist: self-hosted settlement with our own keys,
 * and a remote facilitator.
 */
export class PaymentVerifier extends Context.Tag("PaymentVerifier")<
  PaymentVerifier,
  {
    /** What a challenge needs from the settling side: Solana's fee payer. */
    readonly extra: (network: Network) => Readonly<Record<string, unknown>>
    /** All local checks, then the signature and the chain's state. Moves nothing. */
    readonly verify: (
      payment: SettleablePayment,
      requirements: PaymentRequirements
    ) => Effect.Effect<{ readonly payer: string }, PaymentRejected | PaymentUnavailable>
    /**
     * Executes the transfer. `PaymentRejected` only when it certainly did not and will not happen; every doubt is
     * `PaymentUnresolved`.
     */
    readonly settle: (
      payment: SettleablePayment,
      requirements: PaymentRequirements
    ) => Effect.Effect<SettlementResponse, PaymentRejected | PaymentUnresolved>
    /** Asks the chain what became of a settlement that was started. */
    readonly lookup: (
      payment: SettleablePayment,
      requirements: PaymentRequirements,
      transaction: string | null
    ) => Effect.Effect<SettlementFate, PaymentUnavailable>
  }
>() {}
