import { Effect, Either } from "effect"
import { PaymentRejected, PaymentUnavailable } from "../../../domain/errors.ts"
import { span } from "../../../domain/span.ts"
import { atNow, withNow } from "../../../domain/now.ts"
import { both } from "../../../domain/together.ts"
import type { Height } from "../../outcome.ts"
import type { VerifiedPayment } from "../verified-payment.ts"
import type { BeforeHandOver, Settle, Verify } from "../payment-verifier.ts"
import { EXPIRED, FORKS } from "./lookup.ts"
import { type SolanaNode, tryOut } from "./node.ts"
import { type Ends, NOT_SHOWN } from "./ends.ts"
import { requireOwnEnds } from "./own-ends.ts"
import { endsOf, transactionOf } from "./transaction.ts"

const unavailable = () => new PaymentUnavailable({ upstream: "solana-rpc" })

/** The reason of a payment that our own node would not execute, for want of money too. */
const UNFUNDED = "invalid_exact_svm_transaction_simulation_failed"

/**
 * Slots in which a payment that is presented now, and that we have never seen, can have landed and be worth looking for: a
 * blockhash lives for 150, some are skipped.
 */
const LIFETIME_SLOTS = 250

/** Milliseconds after which a payment that was verified is asked about again before it is begun: a tenth of its life. */
const YOUNG = 3_000

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

const lifetimeOf = ({ payment }: VerifiedPayment): string | undefined =>
  payment.scheme === "svm" ? transactionOf(payment.svm)?.message.lifetimeToken : undefined

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
  const simulated = tryOut(node, payment.svm.transaction, endsOf(decoded))
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
  verified: VerifiedPayment,
  { height, isAlive }: FirstLook
): Effect.Effect<Height, PaymentUnavailable> => {
  const lifetime = lifetimeOf(verified)
  if (isAlive) return Effect.succeed(height)
  if (lifetime === undefined) return Effect.fail(unavailable())
  return askBlockhash(node, lifetime).pipe(
    Effect.mapError(unavailable),
    Effect.flatMap((asked) => (asked.isAlive ? Effect.succeed(asked.height) : Effect.fail(unavailable())))
  )
}

/** What a node showed of a payment that may have landed already: just now, or since we had it unused. */
const lookUpSuspect = (
  lookup: Settle,
  verified: VerifiedPayment,
  { height }: FirstLook,
  unusedAt: Height = height
) => lookup(verified, { transaction: null, since: Math.max(1, Math.min(height - LIFETIME_SLOTS, unusedAt)) })

const rejected = ({ payer, payment }: VerifiedPayment, reason: string) =>
  new PaymentRejected({ reason, network: payment.network, payer })

/**
 * Asks whether the payment's blockhash still lives, where seconds have passed since it was known at a slot: nobody has it
 * but we, so what is sent too late never lands, and its payer would wait until that is proven. A node that is behind, or does
 * not answer, says nothing.
 */
const makeStillOpen = (node: SolanaNode, verified: VerifiedPayment, knownAt: Height) =>
  atNow((verifiedAt) =>
    withNow((now): Effect.Effect<void, PaymentRejected> => {
      const lifetime = lifetimeOf(verified)
      // Where the clock was set back meanwhile it does not tell how long it was.
      if (lifetime === undefined || Math.abs(now - verifiedAt) < YOUNG) return Effect.void
      return Effect.matchEffect(askBlockhash(node, lifetime), {
        onFailure: () => Effect.void,
        onSuccess: ({ height, isAlive }) =>
          isAlive || height < knownAt ? Effect.void : Effect.fail(rejected(verified, EXPIRED))
      })
    })
  )

/** What our own key would send. It is examined, with the accounts of its transfer, beside the look. */
const verifyOwn = Effect.fnUntraced(function* (
  { examine, lookup, node }: Options,
  verified: VerifiedPayment,
  id: string,
  unusedAt: Height | undefined
) {
  const [first, examined] = yield* both(look(node, verified, id), Effect.either(examine(verified)))
  const { height, isSuspect } = first
  if (Either.isLeft(examined) && examined.left._tag === "PaymentUnavailable") return yield* examined.left
  if (Either.isRight(examined) && !isSuspect) {
    const { fee, held, triedAt = 1 } = examined.right
    // The node that told the status may be behind the one that knew the blockhash, and would call that dead.
    const since = Math.max(height, beforeForks(triedAt))
    return { height: since, held, fee, stillOpen: yield* makeStillOpen(node, verified, triedAt) }
  }
  const found = yield* lookUpSuspect(lookup, verified, first, unusedAt)
  if (found.state === "settled") return { height, used: found.evidence }
  if (Either.isLeft(examined)) return yield* examined.left
  // The payment was seen, but what became of it cannot be seen now.
  return yield* found.state === "open" ? unavailable() : rejected(verified, found.reason)
})

/**
 * What a facilitator would send. By asking it gets the payment into its hands, so our own node comes first. A trial that
 * fails here and not at the facilitator's node proves nothing: the chain will show what the facilitator settles.
 */
const verifyElsewhere = Effect.fnUntraced(function* (
  { examine, lookup, node }: Options,
  verified: VerifiedPayment,
  beforeHandOver: BeforeHandOver,
  unusedAt: Height | undefined
) {
  const first = yield* look(node, verified, undefined)
  if (first.isSuspect) {
    const found = yield* lookUpSuspect(lookup, verified, first, unusedAt)
    if (found.state === "settled") return { height: first.height, used: found.evidence }
    if (found.state === "void") return yield* rejected(verified, found.reason)
  }
  const height = yield* aliveAt(node, verified, first)
  const held = yield* requireOwnEnds(node, verified, first.ends)
  if (held < BigInt(verified.requirements.amount)) return yield* rejected(verified, UNFUNDED)
  yield* beforeHandOver({ height, held })
  yield* Effect.mapError(examine(verified), (refused) => (first.isAlive ? weighed(refused) : refused))
  return { height }
})

/**
 * Verifies a payment on Solana: that it is fresh, and what `examine` says, a simulation among it. One that may have
 * landed already is looked up: its transfer is handed on, for whoever can recognise it.
 */
export const verifyOnSolana = (options: Options): Verify =>
  Effect.fnUntraced(function* (verified: VerifiedPayment, beforeHandOver: BeforeHandOver, unusedAt?: Height) {
    const id = options.idOf(verified)
    return yield* id === undefined
      ? verifyElsewhere(options, verified, beforeHandOver, unusedAt)
      : verifyOwn(options, verified, id, unusedAt)
  }, span("Solana.verify"))
