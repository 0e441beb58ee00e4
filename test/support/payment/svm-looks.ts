/** A node of Solana that says of a payment what a test tells it to, and the look that is taken there. */
import { Effect, Schema } from "effect"
import type { RpcCall } from "../../../src/chain/rpc-call.ts"
import { SOLANA_USDC } from "../../../src/domain/chain.ts"
import { UpstreamError } from "../../../src/domain/errors.ts"
import { VerifiedPayment } from "../../../src/payment/verifier/verified-payment.ts"
import { lookUpOnSolana } from "../../../src/payment/verifier/svm/lookup.ts"
import { solanaNode } from "../../../src/payment/verifier/svm/node.ts"
import { decodeTransaction, withFeePayerSignature } from "../../../src/payment/verifier/svm/transaction.ts"
import { VirtualTime } from "../../simulation/clock.ts"
import { Dice } from "../../simulation/dice.ts"
import { simFeePayer } from "../../simulation/sim-solana.ts"
import { SimSolana } from "../../simulation/solana-chain.ts"
import { solanaBuyer } from "../../simulation/buyers.ts"
import { firstPageOf, pageOf } from "../solana/listing.ts"

interface Listed {
  readonly signature: string
  readonly slot: number
  readonly wire: string
  /** One that a node gives only to whoever says to know it. */
  readonly version?: number
}

/** What one node says of a payment that was seen unused at slot 1,000 on a blockhash that is dead from slot 1,200 on. */
export interface Says {
  /** Newest finalized slot. */
  readonly finalized: number
  /** Slot up to which statuses are known. */
  readonly statuses: number
  /** The node is so far behind that it has never heard of the blockhash. */
  readonly isBehind?: boolean
  /** Newest slot in the index of accounts. */
  readonly indexed: number
  /** Whether a history of everything since is kept. */
  readonly history?: boolean
  /** Transactions of the payer's account, newest first, with what `getTransaction` gives for each. */
  readonly transactions?: ReadonlyArray<Listed>
  /** Nothing is listed from before the payment: only the list's end shows that the search was whole. */
  readonly isYoung?: boolean
  /** How many transactions a page of the node's lists has at most. */
  readonly most?: number
  /** Where a list goes on it does not know. */
  readonly isForgetful?: boolean
  /** The status of our own transaction. */
  readonly status?: { readonly slot: number; readonly err: unknown }
}

export const SEEN = 1_000
const DEAD = 1_200
/** Before the payment: a search that comes to it has seen everything since. */
const older: Listed = { signature: "older", slot: SEEN - 5, wire: "" }

const REJECTED = "rejected"

const answers = (says: Says, method: string, [first, options]: ReadonlyArray<unknown>): unknown => {
  const transactions = [...(says.transactions ?? []), ...(says.isYoung === true ? [] : [older])]
  const found = transactions.find(({ signature }) => signature === first)
  switch (method) {
    case "isBlockhashValid":
      return { context: { slot: says.finalized }, value: says.isBehind !== true && says.finalized < DEAD }
    case "getSignatureStatuses": {
      const status = says.status && { ...says.status, confirmationStatus: "finalized" }
      return { context: { slot: says.statuses }, value: [status ?? null] }
    }
    case "getFirstAvailableBlock":
      return says.history === true ? 0 : says.finalized
    case "getSignaturesForAddress":
      return first === SOLANA_USDC
        ? [{ signature: "busy", slot: says.indexed }]
        : (says.isForgetful === true ? firstPageOf : pageOf)(transactions, options, says.most)
    case "getTransaction":
      if ((found?.version ?? 0) > Number(Object(options)["maxSupportedTransactionVersion"])) return REJECTED
      return found === undefined || found.wire === ""
        ? null
        : { slot: found.slot, transaction: [found.wire, "base64"], meta: { err: null } }
    default:
      return undefined
  }
}

export const nodeThat = (says: Says, onCall: (method: string) => void = () => {}) => {
  const call: RpcCall = (method, params, result) => {
    onCall(method)
    const answer = answers(says, method, params)
    const kind = answer === REJECTED ? "rejected" : "malformed"
    return Effect.mapError(
      Schema.decodeUnknown(result)(answer),
      () => new UpstreamError({ upstream: "solana-rpc", kind, detail: method })
    )
  }
  return solanaNode({ host: "node", call })
}

/** A payment, and the wire form that somebody else's fee payer gives the same message. */
export const payment = Effect.promise(async () => {
  const dice = new Dice(7)
  const chain = new SimSolana(dice, new VirtualTime(1_800_000_000_000))
  const buyer = await solanaBuyer(dice, 1, chain, simFeePayer.address)
  if (buyer.payment.scheme !== "svm") throw new Error("a payment on Solana")
  const verified = VerifiedPayment.recorded(
    { payment: buyer.payment, requirements: buyer.terms },
    buyer.payer
  )
  const decoded = decodeTransaction(buyer.payment.svm.transaction)
  if (decoded === undefined) throw new Error("a transaction")
  return { verified, wire: withFeePayerSignature(decoded, new Uint8Array(64).fill(9)) }
})

export const lookUp = (says: Says, by: "own" | "facilitator", named: string | null = null, since = SEEN) =>
  Effect.flatMap(payment, ({ verified }) =>
    lookUpOnSolana([nodeThat(says)], (one) => (by === "own" ? simFeePayer.sign(one)?.id : undefined))(
      verified,
      {
        transaction: named,
        since
      }
    )
  )

export const LATE = { finalized: 1_260, statuses: 1_290, indexed: 1_290 }
export const voided = {
  state: "void",
  proof: { kind: "window-closed", closed: 1_260, seen: { node: "node" } }
}
