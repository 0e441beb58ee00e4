import type { Effect, Option } from "effect"
import { Context } from "effect"
import type { UpstreamError } from "../../domain/errors.ts"
import type { Network } from "../../domain/chain.ts"
import type { PaymentRequirements, SettlementResponse } from "../../domain/x402.ts"
import type { SettleablePayment } from "../message/payment.ts"

/** What a claim stores before any work is done. */
export interface NewClaim {
  readonly authorizationKey: string
  /** Digest of the order's fingerprint. */
  readonly fingerprint: string
  readonly network: Network
  readonly payer: string
  readonly amount: string
  /** Canonical JSON of the payment: equal exactly for equal payments with equal signatures. */
  readonly payload: string
  readonly requirements: PaymentRequirements
}

interface Common {
  readonly authorizationKey: string
  readonly fingerprint: string
  readonly payer: string
  readonly payload: string
}

/** A row whose settlement was started and whose outcome is not recorded. */
export interface Settling extends Common {
  readonly state: "settling"
  readonly answer: string
  readonly transaction: string | null
  readonly payment: SettleablePayment
  readonly requirements: PaymentRequirements
}

/** A row as it is found again. */
export type LedgerEntry =
  /** `lapsed`: its owner's lease is over, so anyone may claim it. */
  | (Common & { readonly state: "claimed"; readonly lapsed: boolean })
  | Settling
  | (Common & { readonly state: "settled"; readonly answer: string; readonly settlement: SettlementResponse })

/**
 * The durable record of every payment. Unique in the authorization; every move is one compare-and-set, and the
 * history of moves is kept in an append-only table in the same transaction. `true` means the move happened.
 *
 * A claim belongs to its owner until its lease ends, so that the claim of a dead process can be taken over. A row in
 * "settling" never goes back to work: its lease only says who drives it to its end.
 */
export class Ledger extends Context.Tag("Ledger")<
  Ledger,
  {
    readonly find: (authorizationKey: string) => Effect.Effect<Option.Option<LedgerEntry>, UpstreamError>
    /** Claims a free authorization, or one whose owner's lease is over. */
    readonly claim: (claim: NewClaim) => Effect.Effect<boolean, UpstreamError>
    /** claimed → settling, with the answer that will be delivered. Precedes every broadcast. */
    readonly settling: (authorizationKey: string, answer: string) => Effect.Effect<boolean, UpstreamError>
    /** settling → settled. */
    readonly settled: (
      authorizationKey: string,
      settlement: SettlementResponse
    ) => Effect.Effect<boolean, UpstreamError>
    /** Keeps a broadcast transaction's id with a row whose outcome is open, and gives up its lease. */
    readonly unresolved: (
      authorizationKey: string,
      transaction: string | undefined
    ) => Effect.Effect<boolean, UpstreamError>
    /** Extends the lease of a row this process drives; see `keepLease`. */
    readonly renew: (authorizationKey: string) => Effect.Effect<void, UpstreamError>
    /** claimed → free, by its owner. */
    readonly release: (authorizationKey: string, reason: string) => Effect.Effect<boolean, UpstreamError>
    /** settling → free, when the transfer certainly did not and will not happen. */
    readonly void: (authorizationKey: string, reason: string) => Effect.Effect<boolean, UpstreamError>
    /** Takes over driving a "settling" row whose driver's lease is over. */
    readonly takeOver: (authorizationKey: string) => Effect.Effect<boolean, UpstreamError>
    /** Keys of "settling" rows nobody drives, oldest first, and removal of claims nobody owns. */
    readonly abandoned: Effect.Effect<ReadonlyArray<string>, UpstreamError>
  }
>() {}
