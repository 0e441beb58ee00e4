import type { Network } from "../../domain/chain.ts"
import type { Eip3009Payload, PaymentPayload, SvmPayload } from "../../domain/x402.ts"

interface Common {
  readonly envelope: PaymentPayload
  /**
   * Identity of the authorization, equal for every encoding of it: chain, asset, from and nonce on Base; the hash of
   * the message bytes on Solana. The ledger is unique in it.
   */
  readonly authorizationKey: string
  /** The caller's own id for this payment (x402 `payment-identifier`), where there is one. */
  readonly identifier?: string | undefined
}

/** An EIP-3009 authorization on Base. Addresses, nonce and signature are lower-case hex. */
export interface Eip3009Payment extends Common {
  readonly scheme: "eip3009"
  readonly network: Network
  readonly evm: Eip3009Payload
}

/** A signed transfer on Solana, its transaction strictly decodable and with an empty fee-payer signature. */
export interface SvmPayment extends Common {
  readonly scheme: "svm"
  readonly network: Network
  readonly svm: SvmPayload
}

/** A well-formed envelope of a version, network, scheme or payload type we do not take. Every sale rejects it. */
export interface UnsupportedPayment extends Common {
  readonly scheme: "unsupported"
  /** The network it names, unchecked. */
  readonly network: string
  readonly reason: string
}

/** A payment a verifier can verify. */
export type SettleablePayment = Eip3009Payment | SvmPayment

/** A parsed payment: its envelope was decoded strictly and its payload has the shape its network requires. */
export type Payment = SettleablePayment | UnsupportedPayment

/** The node that a payment is checked with. */
export const upstreamOf = ({ scheme }: Pick<SettleablePayment, "scheme">): "solana-rpc" | "base-rpc" =>
  scheme === "svm" ? "solana-rpc" : "base-rpc"
