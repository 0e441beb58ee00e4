import { Effect, Schema } from "effect"
import type { RpcCall } from "../../../chain/rpc-call.ts"
import type { Height } from "../../outcome.ts"

const commitment = "confirmed"
const Slot = Schema.Union(Schema.NonNegativeInt, Schema.NumberFromString.pipe(Schema.nonNegative()))
const InContext = <A, I, R>(value: Schema.Schema<A, I, R>) =>
  Schema.Struct({ context: Schema.Struct({ slot: Slot }), value })

const Simulation = InContext(Schema.Struct({ err: Schema.Unknown }))
const Statuses = InContext(
  Schema.Array(
    Schema.NullOr(
      Schema.Struct({
        slot: Slot,
        err: Schema.Unknown,
        confirmationStatus: Schema.optional(Schema.NullOr(Schema.String))
      })
    )
  )
)
const Balance = InContext(Schema.Union(Schema.BigIntFromNumber, Schema.BigInt))
const Validity = InContext(Schema.Boolean)
const Signatures = Schema.Array(Schema.Struct({ signature: Schema.String, slot: Slot }))
const Landed = Schema.NullOr(
  Schema.Struct({
    slot: Slot,
    transaction: Schema.Tuple(Schema.String, Schema.Literal("base64")),
    meta: Schema.NullOr(Schema.Struct({ err: Schema.Unknown }))
  })
)

const isNone = (error: unknown): boolean => error === null || error === undefined

/** What a status says: `landed` and `failed` mean confirmed or finalized; `pending` seen, and not yet that. */
export interface SignatureStatus {
  readonly state: "landed" | "failed" | "pending" | "unseen"
  /** Slot it is in; absent when unseen. */
  readonly slot?: Height
  /** Slot up to which the node had looked. */
  readonly seenAt: Height
}

type WireStatus = (typeof Statuses.Type)["value"][number] | undefined

const statusOf = (status: WireStatus, seenAt: Height): SignatureStatus => {
  if (status === undefined || status === null) return { state: "unseen", seenAt }
  const { confirmationStatus, err, slot } = status
  const isConfirmed = confirmationStatus === "confirmed" || confirmationStatus === "finalized"
  return { state: !isConfirmed ? "pending" : isNone(err) ? "landed" : "failed", slot, seenAt }
}

interface Caller {
  /** For proofs: a URL may hold a key. */
  readonly host: string
  readonly call: RpcCall
}

/** What a node keeps of the past. */
const historyOf = ({ call }: Caller) => ({
  /** The newest transactions that touched an account, newest first; a node gives 1,000 at most. */
  signaturesOf: (account: string, limit: number) =>
    call("getSignaturesForAddress", [account, { limit, commitment }], Signatures),
  /** The oldest slot whose transactions this node still has. */
  firstBlock: call("getFirstAvailableBlock", [], Slot),
  /** Unix seconds of a slot. */
  blockTime: (slot: Height) => call("getBlockTime", [slot], Slot),
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
              slot: found.slot,
              wire: found.transaction[0],
              succeeded: found.meta !== null && isNone(found.meta.err)
            }
    )
})

/**
 * The methods one payment needs, of one node or of the whole pool. Errors are `UpstreamError`.
 */
export const solanaNode = ({ host, call }: Caller) => ({
  host,
  /** Whether the transaction would succeed, and at which slot. Signatures are not verified: the fee payer's may be empty. */
  simulate: (transaction: string) =>
    Effect.map(
      call(
        "simulateTransaction",
        [transaction, { encoding: "base64", commitment, sigVerify: false, replaceRecentBlockhash: false }],
        Simulation
      ),
      ({ context, value }) => ({ succeeds: isNone(value.err), slot: context.slot })
    ),
  /** Lamports of an account. */
  balance: (account: string) =>
    Effect.map(call("getBalance", [account, { commitment }], Balance), ({ value }) => value),
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
  /** At most 256 signatures. */
  statuses: (signatures: ReadonlyArray<string>) =>
    Effect.map(
      call("getSignatureStatuses", [signatures, { searchTransactionHistory: true }], Statuses),
      ({ context, value }) => signatures.map((_, at) => statusOf(value[at], context.slot))
    ),
  status: (signature: string) =>
    Effect.map(
      call("getSignatureStatuses", [[signature], { searchTransactionHistory: true }], Statuses),
      ({ context, value: [found] }) => statusOf(found, context.slot)
    ),
  /** The newest slot of a commitment. */
  slot: (at: "confirmed" | "finalized") => call("getSlot", [{ commitment: at }], Slot),
  /** Whether a transaction may still land on this blockhash, as the newest bank of that commitment knows it. */
  blockhash: (blockhash: string, at: "confirmed" | "finalized") =>
    Effect.map(call("isBlockhashValid", [blockhash, { commitment: at }], Validity), ({ context, value }) => ({
      isValid: value,
      slot: context.slot
    })),
  ...historyOf({ host, call })
})

export type SolanaNode = ReturnType<typeof solanaNode>
