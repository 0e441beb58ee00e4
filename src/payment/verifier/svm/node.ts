import { Effect, Schema } from "effect"
import type { RpcCall } from "../../../chain/rpc-call.ts"
import { askTransaction, TransactionError } from "../../../chain/solana-history.ts"
import { Whole } from "../../../chain/solana-wire.ts"
import { UpstreamError } from "../../../domain/errors.ts"
import type { Height } from "../../outcome.ts"
import { endsIn } from "./ends.ts"
import type { EndAddresses } from "./transaction.ts"

const commitment = "confirmed"
const InContext = <A, I, R>(value: Schema.Schema<A, I, R>) =>
  Schema.Struct({ context: Schema.Struct({ slot: Whole }), value })

const Simulation = InContext(
  Schema.Struct({ err: TransactionError, accounts: Schema.optional(Schema.Unknown) })
)
const Accounts = InContext(Schema.Unknown)
const Statuses = InContext(
  Schema.Array(
    Schema.NullOr(
      Schema.Struct({
        slot: Whole,
        err: TransactionError,
        confirmationStatus: Schema.optional(Schema.NullOr(Schema.String))
      })
    )
  )
)
const Balance = InContext(Schema.Union(Schema.BigIntFromNumber, Schema.BigInt))
const Validity = InContext(Schema.Boolean)
const Signatures = Schema.Array(Schema.Struct({ signature: Schema.String, slot: Whole }))
const Landed = Schema.NullOr(
  Schema.Struct({
    slot: Whole,
    transaction: Schema.Tuple(Schema.String, Schema.Literal("base64")),
    meta: Schema.NullOr(Schema.Struct({ err: TransactionError }))
  })
)

/** What a status says: `landed` and `failed` mean confirmed or finalized; `pending` seen, and not yet that. */
export interface SignatureStatus {
  readonly state: "landed" | "failed" | "pending" | "unseen"
  /** Slot it is in; absent when unseen. */
  readonly slot?: Height
  /** No fork takes it away any more. */
  readonly isFinal: boolean
  /** Slot up to which the node had looked. */
  readonly seenAt: Height
}

/**
 * Failures that are the fee payer's, whatever the owner of the money has signed: it has no account, does not hold the
 * fee, or would be left with too little to go on existing. It is the first account. Source: Solana, `TransactionError`.
 */
const OF_FEE_PAYER: ReadonlySet<string> = new Set([
  "AccountNotFound",
  "InvalidAccountForFee",
  "InsufficientFundsForFee"
])
const isRentOfFeePayer = Schema.is(
  Schema.Struct({ InsufficientFundsForRent: Schema.Struct({ account_index: Schema.Literal(0) }) })
)
const isOfFeePayer = (err: unknown): boolean =>
  typeof err === "string" ? OF_FEE_PAYER.has(err) : isRentOfFeePayer(err)

/** A blockhash that is over, or not known there yet. Source: Solana, `TransactionError`. */
const UNHEARD = "BlockhashNotFound"

type WireStatus = (typeof Statuses.Type)["value"][number]

const statusOf = (status: WireStatus, seenAt: Height): SignatureStatus => {
  if (status === null) return { state: "unseen", isFinal: false, seenAt }
  const { confirmationStatus, err, slot } = status
  const isFinal = confirmationStatus === "finalized"
  const isConfirmed = confirmationStatus === "confirmed" || isFinal
  return { state: !isConfirmed ? "pending" : err === null ? "landed" : "failed", slot, isFinal, seenAt }
}

/** A node that told the statuses of fewer or more than it was asked for. */
export const incomplete = () =>
  new UpstreamError({ upstream: "solana-rpc", kind: "malformed", detail: "statuses of other signatures" })

/** In their order. An answer of another length says nothing: who is left out of it was not looked for. */
const statusesOf = (call: RpcCall, signatures: ReadonlyArray<string>) =>
  Effect.flatMap(
    call("getSignatureStatuses", [signatures, { searchTransactionHistory: true }], Statuses),
    ({ context, value }) =>
      value.length === signatures.length
        ? Effect.succeed(value.map((status) => statusOf(status, context.slot)))
        : incomplete()
  )

interface Caller {
  /** For proofs: a URL may hold a key. */
  readonly host: string
  readonly call: RpcCall
}

/** What a node keeps of the past. */
const historyOf = ({ call }: Caller) => ({
  /**
   * A page of the transactions that touched an account, newest first: the newest, or those older than one. What a short or
   * an empty one says is told by solana-lists.
   */
  signaturesOf: (account: string, limit: number, before?: string) =>
    call(
      "getSignaturesForAddress",
      [account, { limit, commitment, ...(before === undefined ? {} : { before }) }],
      Signatures
    ),
  /** The oldest slot whose transactions this node still has. */
  firstBlock: call("getFirstAvailableBlock", [], Whole),
  /** Unix seconds of a slot. */
  blockTime: (slot: Height) => call("getBlockTime", [slot], Whole),
  /** A landed transaction in its wire form; `undefined` when the node has none, or does not say how it ended. */
  transaction: (signature: string) =>
    Effect.map(askTransaction(call, signature, "base64", Landed), (found) =>
      found === null || found.meta === null
        ? undefined
        : { slot: found.slot, wire: found.transaction[0], succeeded: found.meta.err === null }
    )
})

/**
 * The methods one payment needs, of one node or of the whole pool. Errors are `UpstreamError`.
 */
export const solanaNode = ({ host, call }: Caller) => ({
  host,
  /**
   * Whether the transaction would succeed, or fail for its fee payer or its blockhash, at which slot, what it would leave
   * where the money comes from, and whose the two accounts are. Signatures are not verified: the fee payer's may be empty.
   */
  simulate: (transaction: string, ends?: EndAddresses) =>
    Effect.map(
      call(
        "simulateTransaction",
        [
          transaction,
          {
            encoding: "base64",
            commitment,
            sigVerify: false,
            replaceRecentBlockhash: false,
            ...(ends === undefined ? {} : { accounts: { encoding: "base64", addresses: ends } })
          }
        ],
        Simulation
      ),
      ({ context, value }) => ({
        succeeds: value.err === null,
        isOfFeePayer: isOfFeePayer(value.err),
        isOfBlockhash: value.err === UNHEARD,
        slot: context.slot,
        ...endsIn(value.accounts)
      })
    ),
  /** What is in the account a transfer comes from now, and whose it and the one it goes to are. */
  ends: (ends: EndAddresses) =>
    Effect.map(
      call("getMultipleAccounts", [ends, { encoding: "base64", commitment }], Accounts),
      ({ value }) => endsIn(value)
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
  statuses: (signatures: ReadonlyArray<string>) => statusesOf(call, signatures),
  status: (signature: string) =>
    Effect.flatMap(statusesOf(call, [signature]), ([status]) =>
      status === undefined ? incomplete() : Effect.succeed(status)
    ),
  /** The newest slot of a commitment. */
  slot: (at: "confirmed" | "finalized") => call("getSlot", [{ commitment: at }], Whole),
  /** Whether a transaction may still land on this blockhash, as the newest bank of that commitment knows it. */
  blockhash: (blockhash: string, at: "confirmed" | "finalized") =>
    Effect.map(call("isBlockhashValid", [blockhash, { commitment: at }], Validity), ({ context, value }) => ({
      isValid: value,
      slot: context.slot
    })),
  ...historyOf({ host, call })
})

export type SolanaNode = ReturnType<typeof solanaNode>

/** What a node does not know of the newest blocks it knows a block or two later; another one may be so far ahead of it. */
const NODES_APART = "400 millis"

/** Tries a transaction, and once more where its blockhash is not known: a client's node may know newer ones than ours. */
export const tryOut = (
  { simulate }: Pick<SolanaNode, "simulate">,
  transaction: string,
  ends?: EndAddresses
): ReturnType<SolanaNode["simulate"]> => {
  const once = Effect.suspend(() => simulate(transaction, ends))
  return Effect.flatMap(once, (said) =>
    said.isOfBlockhash ? Effect.delay(once, NODES_APART) : Effect.succeed(said)
  )
}
