import { Effect } from "effect"
import { PaymentUnavailable, type UpstreamError } from "../../../domain/errors.ts"
import { type Evidence, type Height, open, type SettlementOutcome, type Sighting } from "../../outcome.ts"
import type { CheckedPayment } from "../checked-payment.ts"
import type { Begun } from "../payment-verifier.ts"
import type { SolanaNode } from "./node.ts"
import { type DecodedTransaction, decodeTransaction, messageHash } from "./transaction.ts"

const FAILED = "invalid_exact_svm_transaction_failed"
const EXPIRED = "invalid_exact_svm_blockhash_expired"

/** The transfer's place in every payment we take: after the compute unit limit and price. See `checkSvm`. */
export const TRANSFER_INSTRUCTION = 2

/** Transactions of an account that one look reads; more of them since the payment was seen leave it open. */
const MOST_TRANSACTIONS = 300

/** A node's status cache holds the last 300 slots; for older ones it has to keep a history. */
const STATUS_CACHE_SLOTS = 300

type Look = Effect.Effect<SettlementOutcome, UpstreamError>

const sighting = (node: SolanaNode, height: Height): Sighting => ({ node: node.host, height })

/** The evidence that a landed transfer gives. */
export const settledOnSolana = (
  { requirements, payer }: CheckedPayment,
  transaction: string,
  slot: Height
): SettlementOutcome => ({
  state: "settled",
  evidence: {
    network: requirements.network,
    transaction,
    index: TRANSFER_INSTRUCTION,
    height: slot,
    payer,
    payTo: requirements.payTo,
    amount: requirements.amount
  }
})

/**
 * A message that landed with an error cannot land again: the chain takes a message once while its blockhash lives.
 * Source: agave runtime, status cache keyed by message hash.
 */
const failed = (node: SolanaNode, transaction: string, slot: Height): SettlementOutcome => ({
  state: "void",
  reason: FAILED,
  proof: { kind: "transaction-failed", transaction, seen: sighting(node, slot) }
})

/** What was found of a transfer: an outcome, or that nothing up to a slot holds it, or nothing that proves anything. */
type Found =
  SettlementOutcome | { readonly state: "absent"; readonly upTo: Height } | { readonly state: "unsure" }

/** A transaction whose id we know: our own fee payer's signature, or one a facilitator named. */
const byId = (node: SolanaNode, checked: CheckedPayment, signature: string) =>
  Effect.map(node.landing(signature), ({ state, slot, seenAt }): Found => {
    if (state === "unseen") return { state: "absent", upTo: seenAt }
    if (slot === undefined || state === "pending") return open(signature)
    return state === "landed" ? settledOnSolana(checked, signature, slot) : failed(node, signature, slot)
  })

/** The account the money leaves; every transaction that moves it is listed there. */
const sourceOf = ({ message }: DecodedTransaction): string | undefined => {
  const index = message.instructions[TRANSFER_INSTRUCTION]?.accountIndices?.[0]
  return index === undefined ? undefined : message.staticAccounts[index]
}

const isSame = (wire: string, hash: string): boolean => {
  const decoded = decodeTransaction(wire)
  return decoded !== undefined && messageHash(decoded) === hash
}

/**
 * The same message among the transactions of the payer's account, whose fee payer is a stranger. Looks back to the
 * slot at which the payment was last seen unused; a search that does not get there has found nothing out.
 */
const bySearch = (
  node: SolanaNode,
  checked: CheckedPayment,
  transaction: DecodedTransaction,
  since: Height
): Effect.Effect<Found, UpstreamError> =>
  Effect.gen(function* () {
    const source = sourceOf(transaction)
    const hash = messageHash(transaction)
    if (source === undefined) return { state: "unsure" }
    const signatures = yield* node.signaturesOf(source, MOST_TRANSACTIONS)
    for (const { signature, slot } of signatures) {
      // Older than the read that saw it unused: everything newer has been looked at.
      if (slot < since) return { state: "absent", upTo: signatures[0]?.slot ?? slot }
      const found = yield* node.transaction(signature)
      if (found === undefined) return { state: "unsure" }
      if (!isSame(found.wire, hash)) continue
      return found.succeeded
        ? settledOnSolana(checked, signature, found.slot)
        : failed(node, signature, found.slot)
    }
    return { state: "unsure" }
  })

/**
 * The finalized slot at which the payment's blockhash was gone, on a node that had already been where the blockhash
 * was known; `undefined` while it may live. A node that lags knows neither a young blockhash nor that it is young.
 */
const expiredAt = (node: SolanaNode, blockhash: string, since: Height) =>
  Effect.gen(function* () {
    const newest = yield* node.blockhash(blockhash, "confirmed")
    if (newest.isValid) return undefined
    const final = yield* node.blockhash(blockhash, "finalized")
    return final.isValid || final.slot < since ? undefined : final.slot
  })

/** Whether "no such transaction" is this node's knowledge: in its status cache, or in a history it says it keeps. */
const covers = (node: SolanaNode, since: Height, slot: Height) =>
  slot - since <= STATUS_CACHE_SLOTS
    ? Effect.succeed(true)
    : Effect.match(node.firstBlock, { onFailure: () => false, onSuccess: (first) => first <= since })

const ask = (node: SolanaNode, checked: CheckedPayment, begun: Begun, id: string | undefined): Look =>
  Effect.gen(function* () {
    const { payment } = checked
    const transaction = payment.scheme === "svm" ? decodeTransaction(payment.svm.transaction) : undefined
    if (transaction === undefined) return open()
    const known = id ?? begun.transaction ?? undefined
    const search = bySearch(node, checked, transaction, begun.since)
    const find = known === undefined ? search : byId(node, checked, known)
    const first = yield* find
    if (first.state !== "absent" && first.state !== "unsure") return first
    const closed = yield* expiredAt(node, transaction.message.lifetimeToken, begun.since)
    if (closed === undefined) return open(known)
    // Asked last, and by the same node: what landed on a blockhash that is gone for good has landed before now.
    const last = yield* find
    if (last.state !== "absent") return last.state === "unsure" ? open(known) : last
    if (known !== undefined) {
      const isKnowledge = last.upTo >= closed && (yield* covers(node, begun.since, last.upTo))
      if (!isKnowledge && (yield* search).state !== "absent") return open(known)
    }
    return {
      state: "void",
      reason: EXPIRED,
      proof: { kind: "window-closed", closed, seen: sighting(node, Math.max(closed, last.upTo)) }
    }
  })

/**
 * What became of a transfer. `idOf` gives its transaction's id where we know it before anybody sends it. Asks the
 * nodes in order, each on its own, until one gives a whole answer; what none proves is open.
 */
export const lookUpOnSolana =
  (nodes: ReadonlyArray<SolanaNode>, idOf: (checked: CheckedPayment) => string | undefined) =>
  (checked: CheckedPayment, begun: Begun): Effect.Effect<SettlementOutcome> =>
    Effect.gen(function* () {
      const id = idOf(checked)
      for (const node of nodes) {
        const answer = yield* Effect.option(ask(node, checked, begun, id))
        if (answer._tag === "Some" && answer.value.state !== "open") return answer.value
      }
      return open(id ?? begun.transaction ?? undefined)
    }).pipe(Effect.withSpan("Solana.lookUp"))

/** When a transfer landed, by the time of its slot. */
export const landedOnSolana =
  (node: SolanaNode) =>
  ({ height }: Evidence): Effect.Effect<number, PaymentUnavailable> =>
    Effect.mapError(node.blockTime(height), () => new PaymentUnavailable({ upstream: "solana-rpc" }))
