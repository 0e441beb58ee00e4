import type { Network } from "../domain/chain.ts"
import type { Eip3009Payload, PaymentPayload, SvmPayload } from "../domain/x402.ts"

interface Common {
  readonly network: Network
  readonly envelope: PaymentPayload
  /**
   * Identity of the authorization, equal for every encoding of it: chain, asset, from and nonce on Base; the hash of
   * the message bytes on Solana. The ledger is unique in it.
   */
  readonly authorizationKey: string
}

/** A parsed payment: its envelope was decoded strictly and its payload has the shape its network requires. */
export type Payment =
  | (Common & { readonly scheme: "eip3009"; readonly evm: Eip3009Payload })
  | (Common & { readonly scheme: "svm"; readonly svm: SvmPayload })
