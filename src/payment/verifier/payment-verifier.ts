import type { Effect } from "effect"
import { Context } from "effect"
import type { Network } from "../../domain/chain.ts"
import type {
  PayerMustWait,
  PaymentRejected,
  PaymentUnavailable,
  UpstreamError
} from "../../domain/errors.ts"
import type { Evidence, Height, SettlementOutcome } from "../outcome.ts"
import type { VerifiedPayment } from "./verified-payment.ts"

/** Gives back what was set aside, once, when what it was for has ended. */
export type GiveBack = () => void

/** What a chain said about a payment that this process has not begun to settle. */
export interface OnChain {
  /** Where its state was read: a use that is found later came after it, or by a reorganisation in its place. */
  readonly height: Height
  /** The transfer it already made. A payment that is used up without one is rejected. */
  readonly used?: Evidence | undefined
  /** What the payer holds there, smallest units, where that was read: all of his payments come out of it. */
  readonly held?: bigint | undefined
  /** What sending it may cost us in network fees now, millionths of a USD; absent where nothing is to be sent by us. */
  readonly fee?: bigint | undefined
  /**
   * Sets that aside out of the day's fees at once, so that payments that come together do not pass them; `undefined` where
   * they have no room for it. Absent where nothing is to be sent by us.
   */
  readonly setAside?: (() => GiveBack | undefined) | undefined
  /**
   * Fails where it cannot land any more, for whoever has worked for it since and has begun nothing; absent where its window
   * says so.
   */
  readonly stillOpen?: Effect.Effect<void, PaymentRejected> | undefined
}

/**
 * Told of a payment that a facilitator is about to get into its hands, which may send it from then on, whatever it answers
 * and whatever becomes of us: by our own node it is signed, unused and funded there. Where this fails, nobody gets it.
 */
export type BeforeHandOver = (onChain: OnChain) => Effect.Effect<void, PaymentUnavailable | PayerMustWait>

/** Why a payment is not verified. */
export type NotVerified = PaymentRejected | PaymentUnavailable | PayerMustWait

/**
 * Verifies a payment on its chain.
 * @param unusedAt where we have seen it unused before, if we have: whoever had it in his hands may have sent it since,
 *   however long ago
 */
export type Verify = (
  verified: VerifiedPayment,
  beforeHandOver: BeforeHandOver,
  unusedAt?: Height
) => Effect.Effect<OnChain, NotVerified>

/** What is known of a settlement that was begun, for whoever asks the chain about it. */
export interface Begun {
  /** Transaction it was last seen in or sent with; `null` when it was never sent, as far as we know. */
  readonly transaction: string | null
  /** Where `verify` saw it unused, or else where its transfer was; 0 when unknown. */
  readonly since: Height
  /** It was written down by whoever settles it, just now: nothing of it was handed over to be sent before. */
  readonly isNew?: boolean
}

/** One chain as one node sees it, for asking whether recorded transfers are still in it. */
export interface ChainView {
  /** The newest block (slot). */
  readonly head: Height
  /** The newest block no reorganisation takes away: Base's `safe` block, Solana's `finalized` slot. */
  readonly final: Height
  /**
   * Whether each transfer is in this chain where it was recorded; `undefined` where the node does not say. `false` is a
   * reason to ask what became of it, never a proof.
   */
  readonly holds: (
    evidence: ReadonlyArray<Evidence>
  ) => Effect.Effect<ReadonlyArray<boolean | undefined>, UpstreamError>
}

/** Executes transfers of one network, by our own key or by a facilitator. Never fails: what has no proof is open. */
export type Settle = (verified: VerifiedPayment, begun: Begun) => Effect.Effect<SettlementOutcome>

/**
 * Verifies and executes payments on both networks. Two ways of settling exist: with our own keys, and through a remote
 * facilitator.
 */
export class PaymentVerifier extends Context.Tag("token-risk/PaymentVerifier")<
  PaymentVerifier,
  {
    /**
     * What a challenge needs from the settling side: Solana's fee payer. The same object as long as it is the same;
     * `undefined` while the network cannot be settled on, because the facilitator has not said how.
     */
    readonly extra: (network: Network) => Readonly<Record<string, unknown>> | undefined
    /** The signature and the chain's state. Moves nothing, and writes nothing but what `beforeHandOver` does. */
    readonly verify: Verify
    /** Executes the transfer, or joins one that was begun, and waits a bounded time for its outcome. */
    readonly settle: Settle
    /** What became of a settlement, as our own records have seen it or else the chain says. Moves nothing. */
    readonly lookup: Settle
    /** The same by the chain alone: a reorganisation may have taken away what our records have seen. */
    readonly lookupOnChain: Settle
    /** The chain as the first node that answers sees it. */
    readonly view: (network: Network) => Effect.Effect<ChainView, UpstreamError>
    /** When a transfer landed: its block's time in Unix seconds. */
    readonly landedAt: (evidence: Evidence) => Effect.Effect<number, PaymentUnavailable>
  }
>() {}
