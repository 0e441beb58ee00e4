import {
  address,
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  getTransactionDecoder,
  partiallySignTransaction
} from "@solana/kit"
import { Effect } from "effect"
import { usdcAccountOf } from "../../../src/chain/usdc-account.ts"
import { refundReferenceOf } from "../../../src/checkout/solana/solana-pay.ts"
import { memoOf, unsignedTransaction, usdcTransfer } from "../../../src/checkout/solana/transfer-message.ts"
import type { PreparedRefund } from "../../../src/domain/refund.ts"
import { LocalSandbox } from "../sandbox.ts"
import { callSolana } from "./solana-wallet.ts"

/** What a merchant's own program makes of several refunds: one transaction of the sandbox's rich wallet, sent. */
export const sendTogether = (refunds: ReadonlyArray<PreparedRefund>, memos: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const { solana } = yield* LocalSandbox
    const { payer: merchant } = solana.accounts
    const accountOf = (wallet: string) => address(usdcAccountOf(wallet) ?? "")
    const transfers = refunds.map(({ amount, from, refundId, to }) =>
      usdcTransfer({
        source: accountOf(from),
        destination: accountOf(to),
        owner: merchant.address,
        amount: BigInt(amount),
        reference: address(refundReferenceOf(refundId))
      })
    )
    const { value } = yield* callSolana(solana.url, "getLatestBlockhash", [])
    const merged = unsignedTransaction(
      { feePayer: merchant.address, blockhash: String(value.blockhash), validUntil: 0 },
      [...transfers, ...memos.map(memoOf)]
    )
    const signed = yield* Effect.promise(() =>
      partiallySignTransaction(
        [merchant.keyPair],
        getTransactionDecoder().decode(getBase64Encoder().encode(merged))
      )
    )
    yield* callSolana(solana.url, "sendTransaction", [
      getBase64EncodedWireTransaction(signed),
      { encoding: "base64" }
    ])
  })
