import { Schema } from "effect"
import { AmountUsd } from "./checkout.ts"
import { Network } from "./chain.ts"
import { AtomicAmount } from "./money.ts"
import { CLOSED } from "./rule.ts"

/** What a merchant asks for. Without an amount, all that may still go back to the payer. */
export const RefundRequest = Schema.Struct({
  payer: Schema.optional(Schema.String.pipe(Schema.maxLength(64))).annotations({
    description:
      "Whom to refund; needed only where several accounts paid, or a contract that signed nothing did."
  }),
  amountUsd: Schema.optional(AmountUsd)
}).annotations({ identifier: "RefundRequest", ...CLOSED })
export type RefundRequest = typeof RefundRequest.Type

/** A contract call for wallets that build their own transaction. */
export const RefundCall = Schema.Struct({
  to: Schema.String,
  data: Schema.String,
  value: Schema.String,
  uri: Schema.String.annotations({ description: "The same as an ERC-681 link." })
}).annotations({ identifier: "RefundCall" })
export type RefundCall = typeof RefundCall.Type

/** A refund for the merchant's own wallet to sign and send. The service holds no merchant's key. */
export const PreparedRefund = Schema.Struct({
  refundId: Schema.String,
  checkoutId: Schema.String,
  network: Network,
  from: Schema.String.annotations({ description: "The merchant's receiving address, which signs." }),
  to: Schema.String.annotations({ description: "Owner of the tokens that came in." }),
  amount: AtomicAmount,
  transaction: Schema.NullOr(Schema.String).annotations({
    description:
      "Unsigned: 0x hex of an EIP-1559 transaction on Base, base64 on Solana. Null for a contract wallet."
  }),
  call: Schema.NullOr(RefundCall).annotations({
    description:
      "Base: the same for a wallet that makes its own transaction. Send one of the two: both would be two refunds."
  }),
  memo: Schema.NullOr(Schema.String).annotations({
    description: "Solana: the memo by which the order is named."
  })
}).annotations({ identifier: "PreparedRefund" })
export type PreparedRefund = typeof PreparedRefund.Type
