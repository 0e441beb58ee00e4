import { Context, Effect, Layer, Option, Schema } from "effect"
import { ChainRpc } from "../chain/chain-rpc.ts"
import { makeTransport } from "../chain/solana-rpc-transport.ts"
import type { CheckoutTerms } from "../domain/checkout.ts"
import type { UpstreamError } from "../domain/errors.ts"
import { decodeTransaction } from "../payment/verifier/svm/transaction.ts"
import { referenceOf } from "./solana-pay.ts"

/** A transfer a wallet made by itself, after scanning the page's code. */
export interface WalletTransfer {
  readonly transaction: string
  readonly payer: string
}

/** Finds the transfer that pays a checkout on Solana without having passed through us. */
export class WalletTransfers extends Context.Tag("WalletTransfers")<
  WalletTransfers,
  { readonly find: (terms: CheckoutTerms) => Effect.Effect<Option.Option<WalletTransfer>, UpstreamError> }
>() {}

const commitment = "confirmed"
/** Transactions looked at: anybody may add a reference to a transaction of his own. */
const SEARCH = 10

const MEMO_PROGRAMS = new Set([
  "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr",
  "Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo"
])

const Time = Schema.NullOr(Schema.Union(Schema.Number, Schema.NumberFromString))
const Signatures = Schema.Array(Schema.Struct({ signature: Schema.String, err: Schema.Unknown }))
const Balances = Schema.Array(
  Schema.Struct({
    mint: Schema.String,
    owner: Schema.optional(Schema.String),
    uiTokenAmount: Schema.Struct({ amount: Schema.String.pipe(Schema.pattern(/^[0-9]{1,20}$/)) })
  })
)
const Landed = Schema.NullOr(
  Schema.Struct({
    blockTime: Time,
    transaction: Schema.Tuple(Schema.String, Schema.Literal("base64")),
    meta: Schema.NullOr(
      Schema.Struct({ err: Schema.Unknown, preTokenBalances: Balances, postTokenBalances: Balances })
    )
  })
)
type Transaction = NonNullable<typeof Landed.Type>

const isNone = (value: unknown): boolean => value === null || value === undefined

const held = (balances: typeof Balances.Type, { asset, payTo }: CheckoutTerms): bigint =>
  balances
    .filter(({ mint, owner }) => mint === asset && owner === payTo)
    .reduce((sum, { uiTokenAmount }) => sum + BigInt(uiTokenAmount.amount), 0n)

/** The only memo of a transaction; `undefined` when there is none or several. */
const memoOf = (base64: string): string | undefined => {
  const message = decodeTransaction(base64)?.message
  const memos = message?.instructions.filter(({ programAddressIndex }) =>
    MEMO_PROGRAMS.has(message.staticAccounts[programAddressIndex] ?? "")
  )
  const [memo, ...more] = memos ?? []
  return memo === undefined || more.length > 0 ? undefined : Buffer.from(memo.data ?? []).toString("utf8")
}

const payerOf = (base64: string): string => decodeTransaction(base64)?.message.staticAccounts[0] ?? ""

/** Solana Pay's own rule: at least the amount, in the right token, to the right owner; ours: this order, in time. */
const pays = ({ blockTime, meta, transaction }: Transaction, terms: CheckoutTerms): boolean =>
  meta !== null &&
  isNone(meta.err) &&
  blockTime !== null &&
  blockTime * 1000 <= Date.parse(terms.expiresAt) &&
  memoOf(transaction[0]) === terms.checkoutId &&
  held(meta.postTokenBalances, terms) - held(meta.preTokenBalances, terms) >= BigInt(terms.amount)

const make = Effect.gen(function* () {
  const { solana } = yield* ChainRpc
  const [first, ...others] = solana.urls
  if (first === undefined) return WalletTransfers.of({ find: () => Effect.succeedNone })
  const { call } = yield* makeTransport([first, ...others])

  const look = (signature: string, terms: CheckoutTerms) =>
    call(
      "getTransaction",
      [signature, { encoding: "base64", commitment, maxSupportedTransactionVersion: 0 }],
      Landed
    ).pipe(
      Effect.map((found) =>
        found !== null && pays(found, terms)
          ? Option.some({ transaction: signature, payer: payerOf(found.transaction[0]) })
          : Option.none()
      )
    )

  const find = Effect.fn("WalletTransfers.find")(function* (terms: CheckoutTerms) {
    const reference = referenceOf(terms.checkoutId)
    const found = yield* call(
      "getSignaturesForAddress",
      [reference, { limit: SEARCH, commitment }],
      Signatures
    )
    const landed = found.filter(({ err }) => isNone(err))
    const looked = yield* Effect.forEach(landed, ({ signature }) => look(signature, terms))
    return Option.firstSomeOf(looked)
  })

  return WalletTransfers.of({ find })
})

/** Wallet transfers on the chain of `SOLANA_RPC_URL`. */
export const WalletTransfersLive = Layer.effect(WalletTransfers, make)
