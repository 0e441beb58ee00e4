import { Effect, Schema } from "effect"
import type { SolanaAddress } from "../domain/address.ts"
import type { UpstreamError } from "../domain/errors.ts"
import type { RpcCall } from "./rpc-call.ts"

/** A transaction that mentions an account, newest first in a listing. */
export interface SolanaSignature {
  readonly signature: string
  readonly failed: boolean
  /** Unix seconds; null where the node does not know. */
  readonly blockTime: number | null
}

/** What one owner's holding of one token was before and after a transaction, in smallest units. */
export interface SolanaTokenChange {
  readonly mint: string
  readonly owner: string
  readonly before: bigint
  readonly after: bigint
}

/** A landed transaction as far as transfers are concerned; inner instructions are counted in the changes. */
export interface SolanaTransaction {
  readonly failed: boolean
  readonly slot: number
  /** Unix seconds; null where the node does not know. */
  readonly blockTime: number | null
  /** The signed transaction in base64. */
  readonly wire: string
  readonly changes: ReadonlyArray<SolanaTokenChange>
}

export interface SignatureRange {
  readonly limit: number
  /** Only what is older than this transaction. */
  readonly before?: string | undefined
  /** Only what is newer than this transaction. */
  readonly until?: string | undefined
  /** The node must have seen this slot, or refuse. */
  readonly minContextSlot?: bigint | undefined
}

/** The past of accounts, read at `confirmed`. */
export interface SolanaHistory {
  readonly getSignatures: (
    account: SolanaAddress,
    range: SignatureRange
  ) => Effect.Effect<ReadonlyArray<SolanaSignature>, UpstreamError>
  /** Null: this node does not know the transaction (yet). */
  readonly getTransaction: (signature: string) => Effect.Effect<SolanaTransaction | null, UpstreamError>
  /** Unix seconds of a slot; null where the node does not know. */
  readonly getBlockTime: (slot: bigint) => Effect.Effect<number | null, UpstreamError>
}

const Whole = Schema.Union(Schema.Number, Schema.NumberFromString).pipe(Schema.int(), Schema.nonNegative())
const Signature = Schema.String.pipe(Schema.pattern(/^[1-9A-HJ-NP-Za-km-z]{64,90}$/))
const Time = Schema.optionalWith(Schema.NullOr(Whole), { default: () => null })
const Signatures = Schema.Array(Schema.Struct({ signature: Signature, err: Schema.Unknown, blockTime: Time }))
const Balances = Schema.optionalWith(
  Schema.NullOr(
    Schema.Array(
      Schema.Struct({
        accountIndex: Whole,
        mint: Schema.String,
        owner: Schema.optional(Schema.String),
        uiTokenAmount: Schema.Struct({ amount: Schema.String.pipe(Schema.pattern(/^[0-9]{1,20}$/)) })
      })
    )
  ),
  { default: () => null }
)
const Landed = Schema.NullOr(
  Schema.Struct({
    slot: Whole,
    blockTime: Time,
    transaction: Schema.Tuple(Schema.String, Schema.Literal("base64")),
    meta: Schema.NullOr(
      Schema.Struct({ err: Schema.Unknown, preTokenBalances: Balances, postTokenBalances: Balances })
    )
  })
)
type Meta = NonNullable<NonNullable<typeof Landed.Type>["meta"]>

const commitment = "confirmed"
const isNone = (value: unknown): boolean => value === null || value === undefined

/** Per token account, so that an owner with several accounts of a token is counted once for each. */
const changesOf = ({ postTokenBalances, preTokenBalances }: Meta): ReadonlyArray<SolanaTokenChange> => {
  const changes = new Map<number, SolanaTokenChange>()
  for (const { accountIndex, mint, owner, uiTokenAmount } of preTokenBalances ?? []) {
    if (owner === undefined) continue
    changes.set(accountIndex, { mint, owner, before: BigInt(uiTokenAmount.amount), after: 0n })
  }
  for (const { accountIndex, mint, owner, uiTokenAmount } of postTokenBalances ?? []) {
    if (owner === undefined) continue
    const before = changes.get(accountIndex)?.before ?? 0n
    changes.set(accountIndex, { mint, owner, before, after: BigInt(uiTokenAmount.amount) })
  }
  return [...changes.values()]
}

/** A transaction without its effects cannot be judged: it counts as not known yet. */
const toTransaction = (landed: typeof Landed.Type): SolanaTransaction | null =>
  landed === null || landed.meta === null
    ? null
    : {
        failed: !isNone(landed.meta.err),
        slot: landed.slot,
        blockTime: landed.blockTime,
        wire: landed.transaction[0],
        changes: changesOf(landed.meta)
      }

/** The past of accounts over one JSON-RPC client. */
export const makeSolanaHistory = (call: RpcCall): SolanaHistory => ({
  getSignatures: Effect.fn("SolanaRpc.getSignatures")((account, range) =>
    call("getSignaturesForAddress", [account, { commitment, ...definedOf(range) }], Signatures).pipe(
      Effect.map((found) =>
        found.map(({ blockTime, err, signature }) => ({ signature, failed: !isNone(err), blockTime }))
      )
    )
  ),
  getTransaction: Effect.fn("SolanaRpc.getTransaction")((signature) =>
    call(
      "getTransaction",
      [signature, { encoding: "base64", commitment, maxSupportedTransactionVersion: 0 }],
      Landed
    ).pipe(Effect.map(toTransaction))
  ),
  getBlockTime: Effect.fn("SolanaRpc.getBlockTime")((slot) =>
    call("getBlockTime", [Number(slot)], Schema.NullOr(Whole))
  )
})

const definedOf = ({ before, limit, minContextSlot, until }: SignatureRange) => ({
  limit,
  ...(before === undefined ? {} : { before }),
  ...(until === undefined ? {} : { until }),
  ...(minContextSlot === undefined ? {} : { minContextSlot: Number(minContextSlot) })
})
