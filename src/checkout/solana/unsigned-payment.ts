import { address } from "@solana/kit"
import { Effect, Schema } from "effect"
import type { SolanaRpc } from "../../chain/chain-rpc.ts"
import { Whole } from "../../chain/solana-wire.ts"
import type { CheckoutTerms } from "../../domain/checkout.ts"
import type { UpstreamError } from "../../domain/errors.ts"
import { SOLANA_PROGRAMS } from "../../domain/solana-programs.ts"
import { CheckoutInvalid } from "../errors.ts"
import { usdcAccountOf } from "../../chain/usdc-account.ts"
import { memoOfTerms } from "./solana-pay.ts"
import { memoOf, numbered, unsignedTransaction, usdcTransfer } from "./transfer-message.ts"

const COMPUTE_BUDGET_PROGRAM = address(SOLANA_PROGRAMS.computeBudget)
/** Instruction numbers. Source: compute budget program. */
const SET_LIMIT = 2
const SET_PRICE = 3
/** What the reference x402 client asks for: enough for a transfer and a memo. */
const COMPUTE_UNITS = 20_000
const MICRO_LAMPORTS_PER_UNIT = 1n

const Latest = Schema.Struct({
  value: Schema.Struct({
    blockhash: Schema.String,
    lastValidBlockHeight: Whole
  })
})

const budget = [
  {
    programAddress: COMPUTE_BUDGET_PROGRAM,
    data: numbered(SET_LIMIT, 5, (data) => data.writeUInt32LE(COMPUTE_UNITS, 1))
  },
  {
    programAddress: COMPUTE_BUDGET_PROGRAM,
    data: numbered(SET_PRICE, 9, (data) => data.writeBigUInt64LE(MICRO_LAMPORTS_PER_UNIT, 1))
  }
]

const notAWallet = new CheckoutInvalid({ field: "account", message: "must be a wallet's address on solana" })

/**
 * The transaction a buyer's wallet signs to pay a checkout on Solana, base64, as any x402 client would build it: the
 * service pays the network's fee. A page in a browser has no chain of its own to build it from.
 */
export const unsignedPayment =
  ({ call }: SolanaRpc) =>
  (terms: CheckoutTerms, payer: string): Effect.Effect<string, CheckoutInvalid | UpstreamError> =>
    Effect.gen(function* () {
      const feePayer = String(terms.extra["feePayer"])
      const source = usdcAccountOf(payer)
      const destination = usdcAccountOf(terms.payTo)
      if (source === undefined || destination === undefined || payer === feePayer) return yield* notAWallet
      const { value } = yield* call("getLatestBlockhash", [{ commitment: "confirmed" }], Latest)
      const transfer = usdcTransfer({
        source: address(source),
        destination: address(destination),
        owner: address(payer),
        amount: BigInt(terms.amount)
      })
      return unsignedTransaction(
        {
          feePayer: address(feePayer),
          blockhash: value.blockhash,
          validUntil: value.lastValidBlockHeight
        },
        [...budget, transfer, memoOf(memoOfTerms(terms))]
      )
    })
