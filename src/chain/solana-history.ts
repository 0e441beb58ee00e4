import { getBase58Encoder } from "@solana/kit"
import { Effect, Schema } from "effect"
import type { SolanaAddress } from "../domain/address.ts"
import { UpstreamError } from "../domain/errors.ts"
import type { RpcCall } from "./rpc-call.ts"
import { Whole } from "./solana-wire.ts"

/** A transaction that mentions an account, newest first in a listing. */
export interface SolanaSignature {
  readonly signature: string
  readonly slot: number
  readonly failed: boolean
  /** Unix seconds; null where the node does not know. */
  readonly blockTime: number | null
}

/** What a token account held before and after a transaction, in smallest units. */
export interface SolanaTokenChange {
  readonly account: string
  readonly mint: string
  /** Null where the node does not say: nodes did not keep it at first. */
  readonly owner: string | null
  readonly before: bigint
  readonly after: bigint
}

/** An instruction of a landed transaction, of the message itself or called by one of those. */
export interface SolanaInstruction {
  /** Position among the message's own instructions: its own, or that of the one that called it. */
  readonly position: number
  readonly program: string
  readonly accounts: ReadonlyArray<string>
  readonly data: Uint8Array
}

/**
 * A landed transaction as far as transfers are concerned. The node takes it apart, so that one whose form we do not
 * know how to decode is read like any other.
 */
export interface SolanaTransaction {
  readonly failed: boolean
  readonly slot: number
  /** Unix seconds; null where the node does not know. */
  readonly blockTime: number | null
  /** Every account it names, those loaded from tables among them; the first pays the network's fee. */
  readonly accounts: ReadonlyArray<string>
  /** Its own instructions and the inner ones. */
  readonly instructions: ReadonlyArray<SolanaInstruction>
  readonly changes: ReadonlyArray<SolanaTokenChange>
}

/** A transaction that landed, and when. */
export interface SolanaMoment {
  readonly signature: string
  readonly slot: bigint
  /** Unix seconds. */
  readonly time: number
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
  /** A page of what names an account, newest first. What a short or an empty one says is told by solana-lists. */
  readonly getSignatures: (
    account: SolanaAddress,
    range: SignatureRange
  ) => Effect.Effect<ReadonlyArray<SolanaSignature>, UpstreamError>
  /** Null: this node does not know the transaction (yet). */
  readonly getTransaction: (signature: string) => Effect.Effect<SolanaTransaction | null, UpstreamError>
  /** Unix seconds of a slot; null where the node does not know. */
  readonly getBlockTime: (slot: bigint) => Effect.Effect<number | null, UpstreamError>
  /**
   * A transaction of the block at a slot: what came before it can be listed of any account, whether it names that or not.
   * Fails where no block stands there. Null: the node does not know when that was, or of no transaction in it.
   */
  readonly getMoment: (slot: bigint) => Effect.Effect<SolanaMoment | null, UpstreamError>
}

const Signature = Schema.String.pipe(Schema.pattern(/^[1-9A-HJ-NP-Za-km-z]{64,90}$/))
const Time = Schema.optionalWith(Schema.NullOr(Whole), { default: () => null })
/** How a transaction ended: `null`, and there, where it succeeded. An answer without it says nothing. */
export const TransactionError = Schema.NullOr(
  Schema.Union(Schema.String, Schema.Record({ key: Schema.String, value: Schema.Unknown }))
)
const Signatures = Schema.Array(
  Schema.Struct({ signature: Signature, slot: Whole, err: TransactionError, blockTime: Time })
)
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
const Instruction = Schema.Struct({
  programIdIndex: Whole,
  accounts: Schema.Array(Whole),
  data: Schema.String.pipe(Schema.pattern(/^[1-9A-HJ-NP-Za-km-z]*$/))
})
const Inner = Schema.optionalWith(
  Schema.NullOr(Schema.Array(Schema.Struct({ index: Whole, instructions: Schema.Array(Instruction) }))),
  { default: () => null }
)
const Loaded = Schema.optionalWith(
  Schema.NullOr(
    Schema.Struct({ writable: Schema.Array(Schema.String), readonly: Schema.Array(Schema.String) })
  ),
  { default: () => null }
)
const Landed = Schema.NullOr(
  Schema.Struct({
    slot: Whole,
    blockTime: Time,
    transaction: Schema.Struct({
      /** The first is the transaction's name. */
      signatures: Schema.NonEmptyArray(Signature),
      message: Schema.Struct({
        accountKeys: Schema.Array(Schema.String),
        instructions: Schema.Array(Instruction)
      })
    }),
    meta: Schema.NullOr(
      Schema.Struct({
        err: TransactionError,
        preTokenBalances: Balances,
        postTokenBalances: Balances,
        innerInstructions: Inner,
        loadedAddresses: Loaded
      })
    )
  })
)
const Block = Schema.NullOr(Schema.Struct({ blockTime: Time, signatures: Schema.Array(Signature) }))
type Meta = NonNullable<NonNullable<typeof Landed.Type>["meta"]>

const commitment = "confirmed"

/** What nodes are asked for first: some gateways take no other number. */
const KNOWN_VERSION = 0
/** Whatever version a transaction may have: it is the node that reads it. */
const ANY_VERSION = 255

/** A confirmed transaction, of whatever version: one of a version that we do not know must not hide the others. */
export const askTransaction = <A, I>(
  call: RpcCall,
  signature: string,
  encoding: "base64" | "json",
  result: Schema.Schema<A, I>
) => {
  const upTo = (maxSupportedTransactionVersion: number) =>
    call("getTransaction", [signature, { encoding, commitment, maxSupportedTransactionVersion }], result)
  return Effect.catchIf(
    upTo(KNOWN_VERSION),
    ({ kind }) => kind === "rejected",
    () => upTo(ANY_VERSION)
  )
}

const SIGNATURES_ONLY = {
  commitment,
  transactionDetails: "signatures",
  rewards: false,
  maxSupportedTransactionVersion: KNOWN_VERSION
}
/** What a node has written down of a transaction's tokens; null where it has not. */
const tokensOf = ({ postTokenBalances: post, preTokenBalances: pre }: Meta) =>
  post === null || pre === null ? null : { post, pre }

/** Per token account, so that an owner with several accounts of a token is counted once for each. */
const changesOf = (
  { post, pre }: NonNullable<ReturnType<typeof tokensOf>>,
  accounts: ReadonlyArray<string>
): ReadonlyArray<SolanaTokenChange> => {
  const changes = new Map<number, SolanaTokenChange>()
  for (const { accountIndex, mint, owner = null, uiTokenAmount } of pre) {
    const account = accounts[accountIndex] ?? ""
    changes.set(accountIndex, { account, mint, owner, before: BigInt(uiTokenAmount.amount), after: 0n })
  }
  for (const { accountIndex, mint, owner = null, uiTokenAmount } of post) {
    const account = accounts[accountIndex] ?? ""
    const before = changes.get(accountIndex)?.before ?? 0n
    changes.set(accountIndex, { account, mint, owner, before, after: BigInt(uiTokenAmount.amount) })
  }
  return [...changes.values()]
}

const base58 = getBase58Encoder()

const instructionsOf = (
  own: ReadonlyArray<typeof Instruction.Type>,
  { innerInstructions }: Meta,
  accounts: ReadonlyArray<string>
): ReadonlyArray<SolanaInstruction> => {
  const at = (index: number) => accounts[index] ?? ""
  const read = (position: number) => (instruction: typeof Instruction.Type) => ({
    position,
    program: at(instruction.programIdIndex),
    accounts: instruction.accounts.map(at),
    data: new Uint8Array(base58.encode(instruction.data))
  })
  return [
    ...own.map((instruction, position) => read(position)(instruction)),
    ...(innerInstructions ?? []).flatMap(({ index, instructions }) => instructions.map(read(index)))
  ]
}

/** A transaction without its effects, or without what it did to tokens, says nothing about money: it counts as not known yet. */
const toTransaction = (landed: typeof Landed.Type): SolanaTransaction | null => {
  if (landed === null || landed.meta === null) return null
  const tokens = tokensOf(landed.meta)
  if (tokens === null) return null
  const { blockTime, meta, slot, transaction } = landed
  const { accountKeys, instructions } = transaction.message
  // The order in which instructions count accounts. Source: Solana, address lookup tables.
  const loaded = meta.loadedAddresses
  const accounts = [...accountKeys, ...(loaded?.writable ?? []), ...(loaded?.readonly ?? [])]
  return {
    failed: meta.err !== null,
    slot,
    blockTime,
    accounts,
    instructions: instructionsOf(instructions, meta, accounts),
    changes: changesOf(tokens, accounts)
  }
}

const makeGetSignatures = (call: RpcCall): SolanaHistory["getSignatures"] =>
  Effect.fn("SolanaRpc.getSignatures")((account, range) =>
    call("getSignaturesForAddress", [account, { commitment, ...definedOf(range) }], Signatures).pipe(
      Effect.map((found) =>
        found.map(({ blockTime, err, signature, slot }) => ({
          signature,
          slot,
          failed: err !== null,
          blockTime
        }))
      )
    )
  )

/** The past of accounts over one JSON-RPC client. */
export const makeSolanaHistory = (call: RpcCall): SolanaHistory => ({
  getSignatures: makeGetSignatures(call),
  getTransaction: Effect.fn("SolanaRpc.getTransaction")((signature) =>
    askTransaction(call, signature, "json", Landed).pipe(
      Effect.filterOrFail(
        (landed) => landed === null || landed.transaction.signatures[0] === signature,
        () =>
          new UpstreamError({
            upstream: "solana-rpc",
            kind: "malformed",
            detail: "getTransaction: of another transaction"
          })
      ),
      Effect.map(toTransaction)
    )
  ),
  getBlockTime: Effect.fn("SolanaRpc.getBlockTime")((slot) =>
    call("getBlockTime", [Number(slot)], Schema.NullOr(Whole))
  ),
  getMoment: Effect.fn("SolanaRpc.getMoment")((slot) =>
    Effect.map(call("getBlock", [Number(slot), SIGNATURES_ONLY], Block), (block) => {
      const signature = block?.signatures.at(-1)
      return block?.blockTime == null || signature === undefined
        ? null
        : { signature, slot, time: block.blockTime }
    })
  )
})

const definedOf = ({ before, limit, minContextSlot, until }: SignatureRange) => ({
  limit,
  ...(before === undefined ? {} : { before }),
  ...(until === undefined ? {} : { until }),
  ...(minContextSlot === undefined ? {} : { minContextSlot: Number(minContextSlot) })
})
