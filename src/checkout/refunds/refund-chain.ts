import type { Effect } from "effect"
import type { CheckoutTerms } from "../../domain/checkout.ts"
import type { UpstreamError } from "../../domain/errors.ts"
import type { RefundCall } from "../../domain/refund.ts"
import { CheckoutConflict } from "../errors.ts"
import type { SeenRefund } from "../paid-record.ts"
import type { Refund } from "./refund.ts"

/** A refund that its merchant cannot pay is not prepared. */
export const notEnough = new CheckoutConflict({
  message: "the merchant's account does not hold enough USDC to refund"
})

/** What lets a new refund land at most once. */
export type Anchor = Pick<Refund, "lifetime" | "validUntil" | "lookedTo">

/** The transaction for the merchant's wallet. The same refund always gives transactions of which one can land. */
export interface Unsigned {
  /**
   * Serialized and unsigned: 0x hex of an EIP-1559 transaction on Base, base64 on Solana. Null for a contract wallet.
   */
  readonly transaction: string | null
  /** The same as a call, for wallets that build their own transaction. Base alone. */
  readonly call: RefundCall | null
}

/** A transfer that may be a refund. */
export interface RefundCandidate extends SeenRefund {
  /** What moved for this refund alone, by a name of its own: for where all that moved is another order's. */
  readonly apart?: SeenRefund
}

/** What a look at the chain found of an open refund. */
export interface RefundLook extends Pick<Refund, "lookedTo" | "state"> {
  /**
   * Transfers that may be this refund: it is the first one that belongs to no other order and no other refund. `state`
   * holds when there is none.
   */
  readonly candidates: ReadonlyArray<RefundCandidate>
}

/** What a look for a refund that ended found. `isToHead`: nothing that a node lists is newer. */
export interface LateLook extends Pick<RefundLook, "candidates" | "lookedTo"> {
  readonly isToHead: boolean
}

/** One chain as refunds need it. We hold no merchant's key: nothing is signed or sent here. */
export interface RefundChain {
  /**
   * Whether nobody's own key signs for this address: a contract, or an address a program made. It may be a wallet; it may
   * be a pool or an exchange's, where money that is sent back is lost.
   */
  readonly isKeyless: (payer: string) => Effect.Effect<boolean, UpstreamError>
  readonly anchor: (terms: CheckoutTerms) => Effect.Effect<Anchor, UpstreamError>
  readonly unsigned: (
    refund: Refund,
    terms: CheckoutTerms
  ) => Effect.Effect<Unsigned, UpstreamError | CheckoutConflict>
  readonly look: (refund: Refund, terms: CheckoutTerms) => Effect.Effect<RefundLook, UpstreamError>
  /** Looks for a refund whose transaction never lands: a wallet may have sent the same by itself. */
  readonly lookLate: (refund: Refund, terms: CheckoutTerms) => Effect.Effect<LateLook, UpstreamError>
}
