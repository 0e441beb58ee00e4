import { Effect } from "effect"
import { listSince } from "../../../chain/solana-lists.ts"
import { PaymentUnavailable, type UpstreamError } from "../../../domain/errors.ts"
import { span } from "../../../domain/span.ts"
import { type Evidence, type Height, open, type SettlementOutcome, type Sighting } from "../../outcome.ts"
import type { VerifiedPayment } from "../verified-payment.ts"
import type { Begun } from "../payment-verifier.ts"
import type { SolanaNode } from "./node.ts"
import {
  type DecodedTransaction,
  decodeTransaction,
  messageHash,
  sourceOf,
  TRANSFER_INSTRUCTION,
  transactionOf
} from "./transaction.ts"

const FAILED = "invalid_exact_svm_transaction_failed"
export const EXPIRED = "invalid_exact_svm_blockhash_expired"

/** Transactions that one look reads. Where there are more, the next one goes on. */
const MOST_READ = 300
/** Transactions of which is known what a node has told: twice what one list shows. The oldest is forgotten first. */
const MOST_KNOWN = 20_000
/**
 * Slots after the one at which a payment was last seen unused in which it can have landed. Its blockhash was known by then,
 * and lives for 150 blocks: this holds where nineteen slots of twenty have none. Where that slot was not written down, at 0,
 * it can have landed in any.
 */
const LANDS_WITHIN = 3_000

/** A node's status cache holds the last 300 slots; for older ones it has to keep a history. */
const STATUS_CACHE_SLOTS = 300

/**
 * How many of the newest slots forks may still take back: statuses are those of the newest bank, and what is this much
 * deeper is confirmed. A payment is recorded as unused up to so many slots before the one that knew its blockhash.
 */
export const FORKS = 32

type Look = Effect.Effect<SettlementOutcome, UpstreamError>

const sighting = (node: SolanaNode, height: Height): Sighting => ({ node: node.host, height })

/** The evidence that a landed transfer gives. */
export const settledOnSolana = (
  { requirements, payer }: VerifiedPayment,
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

/**
 * What was found of a transfer: an outcome; that it is in no slot up to one (`absent`); or nothing that proves
 * anything.
 */
type Found =
  SettlementOutcome | { readonly state: "absent"; readonly upTo: Height } | { readonly state: "unsure" }

const UNSURE = { state: "unsure" } as const

/** A transaction under our own fee payer's signature, which signs this message and no other. */
const byId = (node: SolanaNode, verified: VerifiedPayment, signature: string) =>
  Effect.map(node.status(signature), ({ state, slot, seenAt }): Found => {
    if (state === "unseen") return { state: "absent", upTo: seenAt }
    if (slot === undefined || state === "pending") return open(signature)
    return state === "landed" ? settledOnSolana(verified, signature, slot) : failed(node, signature, slot)
  })

/** A landed transaction as an outcome of the payment whose message it carries. */
const outcomeOf = (
  { verified, node }: { readonly verified: VerifiedPayment; readonly node: SolanaNode },
  signature: string,
  { slot, succeeded }: { readonly slot: Height; readonly succeeded: boolean }
): SettlementOutcome =>
  succeeded ? settledOnSolana(verified, signature, slot) : failed(node, signature, slot)

/** The hash of the message that a transaction carries; nothing where it is of a kind that no payment has. */
const hashIn = (wire: string): string => {
  const decoded = decodeTransaction(wire)
  return decoded === undefined ? "" : messageHash(decoded)
}

/** Which message each transaction carries, as one node has told: under its signature there is no other, in whatever slot. */
type Messages = Map<string, string>

const learn = (messages: Messages, signature: string, hash: string): void => {
  messages.set(signature, hash)
  const oldest = messages.size > MOST_KNOWN ? messages.keys().next().value : undefined
  if (oldest !== undefined) messages.delete(oldest)
}

interface Question {
  readonly node: SolanaNode
  readonly verified: VerifiedPayment
  readonly begun: Begun
  readonly transaction: DecodedTransaction
  /** The transaction's id by our own fee payer's signature: there is no other that carries this message. */
  readonly own: string | undefined
  /** What this node has told in earlier looks. */
  readonly messages: Messages
  /** How many transactions this look may still read. */
  readonly budget: { reads: number }
}

/** Whether a node says that it has every block since a slot: only then is the end of its list an account's beginning. */
const keepsSince = (node: SolanaNode, since: Height) =>
  Effect.match(node.firstBlock, { onFailure: () => false, onSuccess: (first) => first <= since })

/**
 * The same message among the transactions of the payer's account, whose fee payer is a stranger. They are read from the
 * slot on at which the payment was last seen unused: it landed soon after, and what its account has done since is nobody's
 * concern. Its payer may have filled that time with any number of transfers, so each is read once, over many looks. A search
 * that has not read all of them has found out nothing else.
 */
const bySearch = ({ begun, budget, messages, node, transaction, verified }: Question) =>
  Effect.gen(function* () {
    const { since } = begun
    // Every transaction that moves its money is listed there.
    const source = sourceOf(transaction)
    const hash = messageHash(transaction)
    if (source === undefined) return UNSURE
    const { end, listed } = yield* listSince(
      (limit, before) => node.signaturesOf(source, limit, before),
      since
    )
    const until = since > 0 ? since + LANDS_WITHIN : Infinity
    const possible = listed.filter(({ slot }) => slot >= since && slot <= until).toReversed()
    for (const { signature } of possible) {
      if ((messages.get(signature) ?? hash) !== hash) continue
      if (budget.reads === 0) return UNSURE
      budget.reads -= 1
      const found = yield* node.transaction(signature)
      if (found === undefined) return UNSURE
      const carried = hashIn(found.wire)
      learn(messages, signature, carried)
      if (carried === hash) return outcomeOf({ verified, node }, signature, found)
    }
    const isWhole = end === "passed" || (end === "ended" && (yield* keepsSince(node, since)))
    return isWhole ? { state: "absent" as const, upTo: listed[0]?.slot ?? 0 } : UNSURE
  })

/**
 * The finalized slot at which the payment's blockhash was gone, on a node that had already been where the blockhash
 * was known; `undefined` while it may live. A node that lags knows neither a young blockhash nor that it is young.
 */
const expiredAt = Effect.fnUntraced(function* (node: SolanaNode, blockhash: string, since: Height) {
  const newest = yield* node.blockhash(blockhash, "confirmed")
  if (newest.isValid) return undefined
  const final = yield* node.blockhash(blockhash, "finalized")
  return final.isValid || final.slot < since + FORKS ? undefined : final.slot
})

/**
 * Whether a node's index of accounts has come to a slot. It is written after the banks, and how far it is shows in the
 * mint, which every transfer of USDC names.
 */
const isIndexedUpTo = (node: SolanaNode, mint: string, slot: Height) =>
  Effect.match(node.signaturesOf(mint, 1), {
    onFailure: () => false,
    onSuccess: ([newest]) => newest !== undefined && newest.slot >= slot
  })

/** Whether "no such transaction" is this node's knowledge: in its status cache, or in a history it says it keeps. */
const covers = (node: SolanaNode, since: Height, slot: Height) =>
  slot - since <= STATUS_CACHE_SLOTS ? Effect.succeed(true) : keepsSince(node, since)

/** Whether a node holds no such transaction up to a slot, by an index that has come that far. */
const isNowhere = Effect.fnUntraced(function* (question: Question, slot: Height) {
  const { node, verified } = question
  // Asked before the search, so that the search sees everything this index shows.
  const isIndexed = yield* isIndexedUpTo(node, verified.requirements.asset, slot)
  const found: Found = yield* bySearch(question)
  return { found, isProven: found.state === "absent" && (isIndexed || found.upTo >= slot) }
})

const expired = ({ node }: Question, closed: Height, upTo: Height): SettlementOutcome => ({
  state: "void",
  reason: EXPIRED,
  proof: { kind: "window-closed", closed, seen: sighting(node, Math.max(closed, upTo)) }
})

/**
 * Void, or what a last look found. Asked after the blockhash is gone for good: what landed on it has landed before.
 * Absence says something only of our own id: one that a facilitator named may be invented, and the search finds the
 * message under any id.
 */
const lastLook = (question: Question, closed: Height): Look =>
  Effect.gen(function* () {
    const { begun, verified, node, own } = question
    if (own !== undefined) {
      const last = yield* byId(node, verified, own)
      if (last.state !== "absent") return last.state === "unsure" ? open(own) : last
      const isKnowledge = last.upTo >= closed && (yield* covers(node, begun.since, last.upTo))
      if (isKnowledge) return expired(question, closed, last.upTo)
    }
    const { found, isProven } = yield* isNowhere(question, closed)
    if (isProven) return expired(question, closed, closed)
    return found.state === "absent" || found.state === "unsure" ? open(own) : found
  })

/** What a facilitator named, if it carries this message: the id of any other transaction is ignored. */
const byHint = (question: Question, id: string) =>
  Effect.map(question.node.transaction(id), (found) =>
    found !== undefined && hashIn(found.wire) === messageHash(question.transaction)
      ? outcomeOf(question, id, found)
      : undefined
  )

/** The transfer under our own id, or else under the one that was named, or else under any. */
const firstLook = (question: Question): Effect.Effect<Found, UpstreamError> =>
  Effect.gen(function* () {
    const { begun, verified, node, own } = question
    if (own !== undefined) return yield* byId(node, verified, own)
    const named = begun.transaction === null ? undefined : yield* byHint(question, begun.transaction)
    return named ?? (yield* bySearch(question))
  })

type Asking = Pick<Question, "begun" | "messages" | "node" | "own" | "verified">

const ask = (asking: Asking): Look =>
  Effect.gen(function* () {
    const { begun, node, own, verified } = asking
    const { payment } = verified
    const transaction = payment.scheme === "svm" ? transactionOf(payment.svm) : undefined
    if (transaction === undefined) return open()
    const question: Question = { ...asking, transaction, budget: { reads: MOST_READ } }
    const first = yield* firstLook(question)
    if (first.state !== "absent" && first.state !== "unsure") return first
    const closed = yield* expiredAt(node, transaction.message.lifetimeToken, begun.since)
    return closed === undefined
      ? open(own ?? begun.transaction ?? undefined)
      : yield* lastLook(question, closed)
  })

/**
 * What became of a transfer. `idOf` gives its transaction's id where we know it before anybody sends it. Asks the
 * nodes in order, each on its own, until one gives a whole answer; what none proves is open.
 */
export const lookUpOnSolana = (
  nodes: ReadonlyArray<SolanaNode>,
  idOf: (verified: VerifiedPayment) => string | undefined
) => {
  const asked = nodes.map((node) => ({ node, messages: new Map<string, string>() }))
  return (verified: VerifiedPayment, begun: Begun): Effect.Effect<SettlementOutcome> =>
    Effect.gen(function* () {
      const own = idOf(verified)
      for (const one of asked) {
        const answer = yield* Effect.option(ask({ ...one, begun, own, verified }))
        if (answer._tag === "Some" && answer.value.state !== "open") return answer.value
      }
      return open(own ?? begun.transaction ?? undefined)
    }).pipe(span("Solana.lookUp"))
}

/** When a transfer landed, by the time of its slot. */
export const landedOnSolana =
  (node: SolanaNode) =>
  ({ height }: Evidence): Effect.Effect<number, PaymentUnavailable> =>
    Effect.mapError(node.blockTime(height), () => new PaymentUnavailable({ upstream: "solana-rpc" }))
