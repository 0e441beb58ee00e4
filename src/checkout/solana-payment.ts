import {
  AccountRole,
  address,
  appendTransactionMessageInstructions,
  blockhash,
  compileTransaction,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash
} from "@solana/kit"
import { Effect, Schema } from "effect"
import type { SolanaRpc } from "../chain/chain-rpc.ts"
import { isSolanaAddress } from "../domain/address.ts"
import { SOLANA_USDC } from "../domain/chain.ts"
import type { CheckoutTerms } from "../domain/checkout.ts"
import type { UpstreamError } from "../domain/errors.ts"
import { CheckoutInvalid } from "./errors.ts"
import { usdcAccountOf } from "./merchant-account.ts"
import { memoOfTerms } from "./solana-pay.ts"

const COMPUTE_BUDGET_PROGRAM = address("ComputeBudget111111111111111111111111111111")
const TOKEN_PROGRAM = address("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA")
const MEMO_PROGRAM = address("MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr")
/** Instruction numbers. Source: compute budget program, SPL Token `TransferChecked`. */
const SET_LIMIT = 2
const SET_PRICE = 3
const TRANSFER_CHECKED = 12
const USDC_DECIMALS = 6
/** What the reference x402 client asks for: enough for a transfer and a memo. */
const COMPUTE_UNITS = 20_000
const MICRO_LAMPORTS_PER_UNIT = 1n

const Latest = Schema.Struct({
  value: Schema.Struct({
    blockhash: Schema.String,
    lastValidBlockHeight: Schema.Union(Schema.Number, Schema.NumberFromString)
  })
})

const numbered = (instruction: number, size: number, write: (data: Buffer) => void): Uint8Array => {
  const data = Buffer.alloc(size)
  data.writeUInt8(instruction, 0)
  write(data)
  return new Uint8Array(data)
}

const instructionsOf = (terms: CheckoutTerms, payer: string, source: string, destination: string) => [
  {
    programAddress: COMPUTE_BUDGET_PROGRAM,
    data: numbered(SET_LIMIT, 5, (data) => data.writeUInt32LE(COMPUTE_UNITS, 1))
  },
  {
    programAddress: COMPUTE_BUDGET_PROGRAM,
    data: numbered(SET_PRICE, 9, (data) => data.writeBigUInt64LE(MICRO_LAMPORTS_PER_UNIT, 1))
  },
  {
    programAddress: TOKEN_PROGRAM,
    data: numbered(TRANSFER_CHECKED, 10, (data) => {
      data.writeBigUInt64LE(BigInt(terms.amount), 1)
      data.writeUInt8(USDC_DECIMALS, 9)
    }),
    accounts: [
      { address: address(source), role: AccountRole.WRITABLE },
      { address: address(SOLANA_USDC), role: AccountRole.READONLY },
      { address: address(destination), role: AccountRole.WRITABLE },
      { address: address(payer), role: AccountRole.READONLY_SIGNER }
    ]
  },
  { programAddress: MEMO_PROGRAM, data: new TextEncoder().encode(memoOfTerms(terms)) }
]

/**
 * The transaction a buyer's wallet signs to pay a checkout on Solana, base64, as any x402 client would build it: the
 * service pays the network's fee. A page in a browser has no chain of its own to build it from.
 */
export const unsignedPayment =
  ({ call }: SolanaRpc) =>
  (terms: CheckoutTerms, payer: string): Effect.Effect<string, CheckoutInvalid | UpstreamError> =>
    Effect.gen(function* () {
      const feePayer = String(terms.extra["feePayer"])
      const source = isSolanaAddress(payer) ? yield* Effect.promise(() => usdcAccountOf(payer)) : undefined
      const destination = yield* Effect.promise(() => usdcAccountOf(terms.payTo))
      if (source === undefined || destination === undefined || payer === feePayer)
        return yield* new CheckoutInvalid({
          field: "account",
          message: "must be a wallet's address on solana"
        })
      const { value } = yield* call("getLatestBlockhash", [{ commitment: "confirmed" }], Latest)
      const lifetime = {
        blockhash: blockhash(value.blockhash),
        lastValidBlockHeight: BigInt(value.lastValidBlockHeight)
      }
      return pipe(
        createTransactionMessage({ version: 0 }),
        (message) => setTransactionMessageFeePayer(address(feePayer), message),
        (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
        (message) =>
          appendTransactionMessageInstructions(instructionsOf(terms, payer, source, destination), message),
        (message) => getBase64EncodedWireTransaction(compileTransaction(message))
      )
    })
