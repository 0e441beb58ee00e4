import { Effect, Schema } from "effect"
import { makeTransport } from "../../../chain/solana-rpc-transport.ts"

const commitment = "confirmed"
const Value = <A, I, R>(value: Schema.Schema<A, I, R>) => Schema.Struct({ value })

const Simulation = Value(Schema.Struct({ err: Schema.Unknown }))
const Statuses = Value(
  Schema.Array(
    Schema.NullOr(
      Schema.Struct({
        err: Schema.Unknown,
        confirmationStatus: Schema.optional(Schema.NullOr(Schema.String))
      })
    )
  )
)
const Validity = Value(Schema.Boolean)
const Signatures = Schema.Array(Schema.Struct({ signature: Schema.String }))
const Landed = Schema.NullOr(
  Schema.Struct({
    transaction: Schema.Tuple(Schema.String, Schema.Literal("base64")),
    meta: Schema.NullOr(Schema.Struct({ err: Schema.Unknown }))
  })
)

/** What a status says: `landed` means confirmed or finalized. */
export type Landing = "landed" | "failed" | "pending" | "unseen"

/** Transactions of an account that are searched for one whose id we do not know. */
const SEARCH = 25

/** The methods one payment needs, over HTTP with fallbacks and time-outs. Errors are `UpstreamError`. */
export const makeSolanaNode = (urls: readonly [string, ...ReadonlyArray<string>]) =>
  Effect.map(makeTransport(urls), ({ call }) => ({
    /** Whether the transaction would succeed. Signatures are not checked: the fee payer's slot may be empty. */
    simulates: (transaction: string) =>
      Effect.map(
        call(
          "simulateTransaction",
          [transaction, { encoding: "base64", commitment, sigVerify: false, replaceRecentBlockhash: false }],
          Simulation
        ),
        ({ value }) => value.err === null || value.err === undefined
      ),
    /** Sends without waiting. Sending the same transaction again is harmless. */
    send: (transaction: string, options: { readonly preflight: boolean }) =>
      Effect.asVoid(
        call(
          "sendTransaction",
          [
            transaction,
            {
              encoding: "base64",
              skipPreflight: !options.preflight,
              preflightCommitment: commitment,
              maxRetries: 0
            }
          ],
          Schema.String
        )
      ),
    landing: (signature: string) =>
      Effect.map(
        call("getSignatureStatuses", [[signature], { searchTransactionHistory: true }], Statuses),
        ({ value: [status] }): Landing => {
          if (status === undefined || status === null) return "unseen"
          const { confirmationStatus } = status
          if (confirmationStatus !== "confirmed" && confirmationStatus !== "finalized") return "pending"
          return status.err === null || status.err === undefined ? "landed" : "failed"
        }
      ),
    isBlockhashValid: (blockhash: string) =>
      Effect.map(call("isBlockhashValid", [blockhash, { commitment }], Validity), ({ value }) => value),
    /** The newest transactions that touched an account: ids, newest first. */
    signaturesOf: (account: string) =>
      Effect.map(
        call("getSignaturesForAddress", [account, { limit: SEARCH, commitment }], Signatures),
        (found) => found.map(({ signature }) => signature)
      ),
    /** A landed transaction in its wire form; `undefined` when the node has none. */
    transaction: (signature: string) =>
      Effect.map(
        call(
          "getTransaction",
          [signature, { encoding: "base64", commitment, maxSupportedTransactionVersion: 0 }],
          Landed
        ),
        (found) =>
          found === null
            ? undefined
            : {
                wire: found.transaction[0],
                succeeded: found.meta?.err === null || found.meta?.err === undefined
              }
      )
  }))

export type SolanaNode = Effect.Effect.Success<ReturnType<typeof makeSolanaNode>>
