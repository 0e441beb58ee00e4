import { Effect } from "effect"
import { PaymentRejected, PaymentUnavailable } from "../../../domain/errors.ts"
import { span } from "../../../domain/span.ts"
import { both } from "../../../domain/together.ts"
import type { Height } from "../../outcome.ts"
import type { VerifiedPayment } from "../verified-payment.ts"
import { type OnChain, type Settle, SettlementDeclined } from "../payment-verifier.ts"
import { FORKS } from "./lookup.ts"
import type { SolanaNode } from "./node.ts"
import { type Ends, NOT_SHOWN } from "./ends.ts"
import { requireOwnEnds } from "./own-ends.ts"
import { endsOf, transactionOf } from "./transaction.ts"

const unavailable = () => new PaymentUnavailable({ upstream: "solana-rpc" })

/** Slots in which a payment that is presented now can have landed: a blockhash lives for 150, some are skipped. */
const LIFETIME_SLOTS = 250

/**
 * Reasons that lie in the chain and not in how a payment was made. The official facilitator gives them also where its node
 * does not answer.
 */
const OF_THE_CHAIN: ReadonlySet<string> = new Set([
  "invalid_exact_svm_transaction_simulation_failed",
  "invalid_exact_svm_verification_failed",
  "insufficient_funds"
])

/** A facilitator to whom the chain seems the opposite of what our own node shows does not see it. */
const weighed = (refused: PaymentRejected | PaymentUnavailable) =>
  refused._tag === "PaymentRejected" && OF_THE_CHAIN.has(refused.reason)
    ? new PaymentUnavailable({ upstream: "facilitator" })
    : refused

/** What a node knows of a payment before we do anything with it. */
interface FirstLook {
  /** Up to this slot it was not used, unless it is suspect. */
  readonly height: Height
  /** It may have been used: to be looked up. */
  readonly isSuspect: boolean
  /** Whether the payment's blockhash was known at this slot. */
  readonly isAlive: boolean
  /** The two accounts of the transfer after it, where they were shown. */
  readonly ends: Ends
}

const beforeForks = (slot: Height): Height => Math.max(1, slot - FORKS)

const askBlockhash = (node: SolanaNode, lifetime: string) =>
  Effect.map(node.blockhash(lifetime, "confirmed"), ({ isValid, slot }): FirstLook => ({
    height: slot,
    isSuspect: true,
    isAlive: isValid,
    ends: NOT_SHOWN
  }))

/**
 * Whether a payment is fresh. What our own key would send has an id, and its status says so; where that question is not
 * answered, and for what a facilitator would send, the payment is simulated: a node that has processed a message
 * refuses to simulate it again. Status comes first, because a node may be slow to notice, or lag behind the one that
 * told the slot. Where neither question is answered, only the slot is known, from the node's answer about the payment's
 * blockhash; the payment may have been used.
 */
const look = (
  node: SolanaNode,
  { payment }: VerifiedPayment,
  id: string | undefined
): Effect.Effect<FirstLook, PaymentUnavailable> => {
  if (payment.scheme !== "svm") return Effect.fail(unavailable())
  const decoded = transactionOf(payment.svm)
  if (decoded === undefined) return Effect.fail(unavailable())
  const simulated = node.simulate(payment.svm.transaction, endsOf(decoded))
  const trial = Effect.map(simulated, ({ left, owner, receiver, slot, succeeds }) => ({
    height: slot,
    isSuspect: !succeeds,
    isAlive: succeeds,
    ends: { left, owner, receiver }
  }))
  const status = (known: string) =>
    Effect.map(node.status(known), ({ seenAt, state }) => ({
      height: beforeForks(seenAt),
      isSuspect: state !== "unseen",
      isAlive: false,
      ends: NOT_SHOWN
    }))
  return (id === undefined ? trial : Effect.orElse(status(id), () => trial)).pipe(
    Effect.orElse(() => askBlockhash(node, decoded.message.lifetimeToken)),
    Effect.mapError(unavailable)
  )
}

/** What is known of a payment that would be settled. */
interface Examined {
  /** What that may cost us (`OnChain.fee`). */
  readonly fee?: bigint | undefined
  /** The slot at which the chain would have executed it, where one of our nodes said so. */
  readonly triedAt?: Height | undefined
  /** What there was to pay with (`OnChain.held`). */
  readonly held?: bigint | undefined
}

interface Options {
  readonly node: SolanaNode
  readonly lookup: Settle
  /** Whether it would be settled. */
  readonly examine: (
    verified: VerifiedPayment
  ) => Effect.Effect<Examined, PaymentRejected | PaymentUnavailable>
  /** The transaction's id where we know it before anybody sends it. */
  readonly idOf: (verified: VerifiedPayment) => string | undefined
}

/**
 * Where a facilitator's payment, whose trial failed here, is known to be alive. A node that has never heard of its
 * blockhash would later take it for dead, and the payment for one that never landed.
 */
const aliveAt = (
  node: SolanaNode,
  { payment }: VerifiedPayment,
  { height, isAlive }: FirstLook
): Effect.Effect<Height, PaymentUnavailable> => {
  const lifetime = payment.scheme === "svm" ? transactionOf(payment.svm)?.message.lifetimeToken : undefined
  if (isAlive) return Effect.succeed(height)
  if (lifetime === undefined) return Effect.fail(unavailable())
  return askBlockhash(node, lifetime).pipe(
    Effect.mapError(unavailable),
    Effect.flatMap((asked) => (asked.isAlive ? Effect.succeed(asked.height) : Effect.fail(unavailable())))
  )
}

/**
 * Verifies a payment on Solana: that it is fresh, and what `examine` says, a simulation among it. One that may have
 * landed already is looked up: its transfer is handed on, for whoever can recognise it.
 */
export const verifyOnSolana = ({
  examine,
  idOf,
  lookup,
  node
}: Options): ((
  verified: VerifiedPayment
) => Effect.Effect<OnChain, PaymentRejected | PaymentUnavailable | SettlementDeclined>) =>
  Effect.fnUntraced(function* (verified: VerifiedPayment) {
    const id = idOf(verified)
    const [first, examined] = yield* both(look(node, verified, id), Effect.either(examine(verified)))
    const { ends, height, isSuspect } = first
    const { payer, payment } = verified
    const rejected = (reason: string) => new PaymentRejected({ reason, network: payment.network, payer })
    // What our own key would send was examined with the accounts of its transfer; of a facilitator's payment we ask.
    const isOwn = id === undefined ? Effect.asVoid(requireOwnEnds(node, verified, ends)) : Effect.void
    const said = examined._tag === "Left" ? examined.left : undefined
    const failure = id === undefined && first.isAlive ? said && weighed(said) : said
    if (failure !== undefined && id === undefined && !isSuspect) {
      yield* isOwn
      return yield* new SettlementDeclined({ why: failure, onChain: { height } })
    }
    if (failure?._tag === "PaymentUnavailable") return yield* failure
    if (examined._tag === "Right" && !isSuspect) {
      yield* isOwn
      const { fee, held, triedAt = 1 } = examined.right
      // The node that told the status may be behind the one that knew the blockhash, and would call that dead.
      const isHandedOver = id === undefined ? true : undefined
      return { height: Math.max(height, beforeForks(triedAt)), held, fee, isHandedOver }
    }
    const since = Math.max(1, height - LIFETIME_SLOTS)
    const found = yield* lookup(verified, { transaction: null, since })
    if (found.state === "settled") return { height, used: found.evidence }
    if (failure !== undefined) return yield* failure
    // A trial that failed here but not at the facilitator's node proves nothing: the chain will show what the
    // facilitator settles.
    if (id === undefined) return { height: yield* Effect.zipLeft(aliveAt(node, verified, first), isOwn) }
    // The payment was seen, but what became of it cannot be seen now.
    if (found.state === "open") return yield* unavailable()
    return yield* rejected(found.reason)
  }, span("Solana.verify"))
