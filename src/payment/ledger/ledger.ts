import type { Duration, Effect, Option } from "effect"
import { Context } from "effect"
import type { Network } from "../../domain/chain.ts"
import type { UpstreamError } from "../../domain/errors.ts"
import type { PaymentRequirements, SettlementResponse } from "../../domain/x402.ts"
import type { IdentifierTaken } from "./identifiers.ts"
import type { Evidence, Height, VoidProof } from "../outcome.ts"
import type { VerifiedPayment } from "../verifier/verified-payment.ts"

/** What the ledger stores of a payment that was verified. */
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
  /** Where it was seen unused, or else where its transfer is. */
  readonly since: Height
  /** The caller's own id for it. */
  readonly identifier?: string | undefined
  /** Whose budgets its network fee comes out of, and what it may be, millionths of a USD. */
  readonly feeBudgets?: ReadonlyArray<string>
  readonly feeQuote?: bigint | undefined
}

interface Common {
  readonly authorizationKey: string
  readonly fingerprint: string
  readonly payer: string
  /** Empty once dropped with age. */
  readonly payload: string
}

/** What is needed to ask the chain about a row, and to deliver what it bought. */
export interface Driven {
  readonly authorizationKey: string
  readonly verified: VerifiedPayment
  readonly answer: string
  readonly transaction: string | null
  readonly since: Height
}

/** A row whose settlement was started and whose outcome is not recorded. */
export type Settling = Common & Driven & { readonly state: "settling" }

/** A payment that did not settle. `driven` while it is watched: it may yet, if the chain takes its proof back. */
export interface Refused extends Common {
  readonly state: "refused"
  readonly reason: string
  readonly driven: Driven | undefined
}

/** A row as it is found again. */
export type LedgerEntry =
  /** `lapsed`: its owner gave it back or the lease is over, so anyone may claim it. */
  | (Common & { readonly state: "claimed"; readonly lapsed: boolean; readonly since: Height })
  | Settling
  /** `sold` is absent once the answer was dropped with age. */
  | (Common & {
      readonly state: "settled"
      readonly sold: { readonly answer: string; readonly settlement: SettlementResponse } | undefined
    })
  | Refused

/** A recorded transfer that a reorganisation may still take away. */
export interface RecentEvidence {
  readonly authorizationKey: string
  readonly evidence: Evidence
}

/** `used-elsewhere`: its evidence already paid for something else. `not-open`: it is settled already. */
export type Recorded = "recorded" | "not-open" | "used-elsewhere"

type Asked<A> = Effect.Effect<A, UpstreamError>

/**
 * The durable record of every payment. Unique in the authorization and in the evidence; every move is one
 * compare-and-set, and the history of moves is kept in an append-only table in the same transaction. `true` means the
 * move happened. Rows are never deleted.
 *
 * A claim belongs to its owner until its lease ends. A row in "settling" never goes back to work: its lease only says
 * who drives it to its end. Leases are counted by the database's clock.
 */
export class Ledger extends Context.Tag("token-risk/Ledger")<
  Ledger,
  {
    /** How long a row belongs to the process that drives it: the wait after a crash before another may go on. */
    readonly lease: Duration.Duration
    readonly find: (authorizationKey: string) => Asked<Option.Option<LedgerEntry>>
    /** Key of the payment this payer gave this id, if its id is not free again. */
    readonly named: (payer: string, identifier: string) => Asked<Option.Option<string>>
    /** free → claimed, for work that must not run twice. */
    readonly claim: (claim: NewClaim) => Effect.Effect<boolean, UpstreamError | IdentifierTaken>
    /**
     * free → given back at once: it was seen unused for this order, and goes into a facilitator's hands. Binds no id.
     */
    readonly handedOver: (claim: NewClaim) => Asked<boolean>
    /** free → settling in one write, for work that is done already. Precedes every broadcast. */
    readonly begin: (
      claim: NewClaim,
      answer: string
    ) => Effect.Effect<boolean, UpstreamError | IdentifierTaken>
    /** The newest answer this payer bought by one of these orders, while it is kept. */
    readonly bought: (
      payer: string,
      fingerprints: ReadonlyArray<string>
    ) => Asked<Option.Option<{ readonly answer: string; readonly settlement: SettlementResponse }>>
    /** claimed → settling, with the answer that will be delivered. Precedes every broadcast. */
    readonly settling: (authorizationKey: string, answer: string) => Asked<boolean>
    /** settling or refused → settled, and the evidence with it. */
    readonly settled: (
      authorizationKey: string,
      settlement: SettlementResponse,
      evidence: Evidence
    ) => Asked<Recorded>
    /** Keeps a broadcast transaction's id with a row whose outcome is open, and gives up its lease. */
    readonly unresolved: (authorizationKey: string, transaction: string | undefined) => Asked<boolean>
    /**
     * settling → refused, by proof; or the newer proof of a refused one. One that holds for good, because no
     * reorganisation can take it back, ends the watch.
     */
    readonly refused: (
      authorizationKey: string,
      reason: string,
      proof: VoidProof,
      isForGood: boolean
    ) => Asked<boolean>
    /** Extends the lease of a row this process drives; see `keepLease`. */
    readonly renew: (authorizationKey: string) => Asked<void>
    /** Gives a claim back, by its owner. The row stays, and anyone may claim it. */
    readonly release: (authorizationKey: string, reason: string) => Asked<boolean>
    /** Takes over driving a watched row whose driver's lease is over. */
    readonly takeOver: (authorizationKey: string) => Asked<boolean>
    /** Keys of watched rows nobody drives, oldest first. */
    readonly abandoned: Asked<ReadonlyArray<string>>
    /**
     * Writes down a transfer that settled something without a payment's row, such as a checkout paid by a wallet.
     * `false` when it already paid for something else; `by` names the claimant, and writing the same transfer again
     * gives `true` again: one that is not final is then recorded where it is seen now, also when it had been lost.
     */
    readonly claimEvidence: (evidence: Evidence, by: string) => Asked<boolean>
    /**
     * Payments' recorded transfers that a reorganisation may still take away, in blocks (slots) above `since` or at
     * most `final`, newest first; a bounded number of them, behind `after` where that is given.
     */
    readonly recent: (
      network: Network,
      since: Height,
      final: Height,
      after?: RecentEvidence
    ) => Asked<ReadonlyArray<RecentEvidence>>
    /** The same of transfers without a payment's row: `authorizationKey` is their claimant. */
    readonly recentClaims: (network: Network) => Asked<ReadonlyArray<RecentEvidence>>
    /** These transfers stay in the chain for good. */
    readonly final: (evidence: ReadonlyArray<Evidence>) => Asked<void>
    /**
     * A reorganisation moved a recorded transfer. `false`: it is not recent, or the new one paid for something else.
     */
    readonly moved: (authorizationKey: string, from: Evidence, to: Evidence) => Asked<boolean>
    /**
     * A reorganisation took a recorded transfer away and, as `proof` says, it cannot come back. The answer was sold.
     */
    readonly lost: (authorizationKey: string, evidence: Evidence, proof: VoidProof) => Asked<boolean>
    /** What would settle a settled payment again; none once its payload was dropped with age. */
    readonly sold: (authorizationKey: string) => Asked<Option.Option<Driven>>
    /**
     * Drops answers, payloads and histories of what ended more than this many milliseconds ago. Gives the rows it
     * touched.
     */
    readonly purge: (ageMillis: number) => Asked<number>
  }
>() {}
