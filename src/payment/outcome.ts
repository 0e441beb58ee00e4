import { Schema } from "effect"
import { Network, SOLANA_NETWORK } from "../domain/chain.ts"
import { AtomicAmount } from "../domain/money.ts"

/** Block number on Base, slot on Solana. */
export const Height = Schema.NonNegativeInt
export type Height = typeof Height.Type

/**
 * The one transfer that settles a payment, as the chain shows it. On Base: the `AuthorizationUsed` log of the
 * payment's nonce and the `Transfer` FiatToken emits with it. On Solana: the instruction that moves the money.
 * The ledger is unique in `evidenceKey`, over every channel: one transfer pays once.
 */
export const Evidence = Schema.Struct({
  network: Network,
  /** Base: hash, lower-case hex. Solana: the transaction's first signature, base58. */
  transaction: Schema.String,
  /**
   * Base: position of `AuthorizationUsed` among its own transaction's logs, from 0. A reorganisation leaves it as it is,
   * unless a transfer before it in the same batch fails in the new block. Solana: position of the transfer among the
   * message's instructions, from 0.
   */
  index: Schema.NonNegativeInt,
  height: Height,
  /** Hash of the block, lower-case hex; absent on Solana. */
  blockHash: Schema.optional(Schema.String),
  /** Owner of the tokens before the transfer. */
  payer: Schema.String,
  payTo: Schema.String,
  /** Smallest units. */
  amount: AtomicAmount
})
export type Evidence = typeof Evidence.Type

/** The canonical identity of a transfer in one chain: equal for every reading of it. */
export const evidenceKey = ({
  network,
  transaction,
  index
}: Pick<Evidence, "network" | "transaction" | "index">) =>
  `${network}:${network === SOLANA_NETWORK ? transaction : transaction.toLowerCase()}:${index}`

/** Above the position of any real log: a transaction has no room for so many. */
const UNSEEN = 2 ** 30

/**
 * A place for a transfer of which only the transaction is known: a number of its own that no log has, made of hex digits
 * that are its own.
 */
export const unseenIndex = (digits: string): number =>
  UNSEEN + (Number.parseInt(digits.slice(0, 8), 16) % UNSEEN)

/** Where something was seen. */
export const Sighting = Schema.Struct({
  /** Host of the node that said it; never its URL, which may hold a key. */
  node: Schema.String,
  height: Height,
  blockHash: Schema.optional(Schema.String)
})
export type Sighting = typeof Sighting.Type

/**
 * Why a payment did not settle and cannot settle on the chain as it was seen.
 * - `window-closed`: at a final block (slot) past the payment's window it was not used. Holds for ever.
 * - `nonce-cancelled`, `nonce-used-elsewhere` (Base): the log that consumed the nonce without this transfer.
 * - `transaction-failed` (Solana): the message landed with an error, and a message lands once.
 * - `absent`: a whole list of the account's transfers up to the newest block lacks a transfer that a wallet sent by
 *   itself, and the block where it was seen is final without it. Should it land again, it counts again. All but the
 *   first hold unless a reorganisation takes their block away: the row is watched until that block is final. That a
 *   payer no longer holds the amount proves nothing: it may come back while the window is open.
 */
export const VoidProof = Schema.Union(
  Schema.Struct({
    kind: Schema.Literal("window-closed"),
    /** Base: `validBefore` in Unix seconds. Solana: first slot at which the blockhash was seen expired. */
    closed: Schema.NonNegativeInt,
    seen: Sighting
  }),
  Schema.Struct({
    kind: Schema.Literal("nonce-cancelled", "nonce-used-elsewhere"),
    transaction: Schema.String,
    /** As in `Evidence`. */
    index: Schema.NonNegativeInt,
    seen: Sighting
  }),
  Schema.Struct({ kind: Schema.Literal("transaction-failed"), transaction: Schema.String, seen: Sighting }),
  Schema.Struct({ kind: Schema.Literal("absent"), seen: Sighting })
)
export type VoidProof = typeof VoidProof.Type

/** What is known of a settlement that was begun. Whoever is in doubt says `open`. */
export type SettlementOutcome =
  | { readonly state: "settled"; readonly evidence: Evidence }
  /** `reason` is the x402 error code for the payer. */
  | { readonly state: "void"; readonly reason: string; readonly proof: VoidProof }
  | {
      readonly state: "open"
      /** The transaction that may carry it, where one was sent. */
      readonly transaction?: string | undefined
      /** When the caller should send the same payment again. */
      readonly retryAfterSeconds: number
      /** The chain refuses the transfer as things stand, by the payer's own doing, and may yet take it. */
      readonly isRefusedNow?: boolean
    }

/** An outcome in doubt. A Base block takes two seconds, a Solana slot less. */
export const open = (transaction?: string, retryAfterSeconds = 3): SettlementOutcome => ({
  state: "open",
  retryAfterSeconds,
  ...(transaction === undefined ? {} : { transaction })
})
