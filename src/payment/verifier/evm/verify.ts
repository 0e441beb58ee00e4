import { Effect, Either } from "effect"
import { isErc6492Signature } from "viem"
import { PaymentRejected, PaymentUnavailable } from "../../../domain/errors.ts"
import type { VerifiedPayment } from "../verified-payment.ts"
import type { BeforeHandOver, NotVerified, Settle, Verify } from "../payment-verifier.ts"
import type { Trial, Trials } from "./trial.ts"
import { asHex } from "./usdc.ts"
import { span } from "../../../domain/span.ts"

const unavailable = () => new PaymentUnavailable({ upstream: "base-rpc" })

const rejected = ({ payment, payer }: VerifiedPayment, reason: string) =>
  new PaymentRejected({ reason, network: payment.network, payer })

/** Reasons that a transfer which already happened would also get. */
const MAYBE_PAID: ReadonlySet<string> = new Set([
  "invalid_exact_evm_nonce_already_used",
  "invalid_exact_evm_transaction_simulation_failed",
  "invalid_exact_evm_eip3009_not_supported"
])

/** FiatToken's words while its pauser has stopped everybody's transfers: no other signature would be executed either. */
const PAUSED = "Pausable: paused"

/**
 * Reasons that lie in the chain and not in how a payment was made. The official facilitator gives them also where its node
 * does not answer.
 */
const OF_THE_CHAIN: ReadonlySet<string> = new Set([
  ...MAYBE_PAID,
  "invalid_exact_evm_signature",
  "invalid_exact_evm_insufficient_balance",
  "invalid_exact_evm_token_name_mismatch",
  "invalid_exact_evm_token_version_mismatch",
  "invalid_exact_evm_payload_signature",
  "asset_not_deployed_contract",
  "insufficient_funds"
])

/**
 * Whether a signature that the payer's key did not make is certainly invalid: an account without code can sign by its
 * key alone, and the token has refused the transfer. Invented signatures end here, after the one call that tries them.
 * A signature wrapped for a wallet that is not deployed yet, and one that was used already, are examined further.
 */
const isForged = (
  { payment, signatureVerified }: VerifiedPayment,
  { executes, hasCode, isUsed }: Trial
): boolean =>
  !signatureVerified &&
  hasCode === false &&
  !executes &&
  !isUsed &&
  payment.scheme === "eip3009" &&
  !isErc6492Signature(asHex(payment.evm.signature))

type Refused = PaymentRejected | PaymentUnavailable

/** Who has a say in a payment on Base besides the chain's state. */
export interface Says {
  /**
   * The settling side: whether it would settle the payment at a fee in proportion, and what that may cost us
   * (`OnChain.fee`).
   */
  readonly admit: (verified: VerifiedPayment) => Effect.Effect<bigint | undefined, Refused>
  /** Whether `admit` hands the payment over to somebody else, who may send it, and who speaks by a node that is not ours. */
  readonly isHearsay?: boolean
  /** The same of payers whose code runs in the transfer, on the gas of whoever sends it. */
  readonly admitCode: Effect.Effect<void, Refused>
  /**
   * Finds out why a transfer would not be executed, or, where the signature was not verified here, whether it would be.
   * Asked only then: it takes several reads.
   */
  readonly examine: (verified: VerifiedPayment) => Effect.Effect<void, Refused>
}

const failureOf = <E>(said: Either.Either<unknown, E>): E | undefined =>
  Either.isLeft(said) ? said.left : undefined

/**
 * What somebody else's refusal is worth. Where it says of the chain the opposite of what the token has just done before our
 * eyes, it does not see the chain: no other signature of the payer's would change that.
 */
const weighed = ({ executes }: Trial, refused: Refused): Refused =>
  executes && refused._tag === "PaymentRejected" && OF_THE_CHAIN.has(refused.reason)
    ? new PaymentUnavailable({ upstream: "facilitator" })
    : refused

const isFunded = ({ requirements }: VerifiedPayment, { held }: Trial): boolean =>
  held >= BigInt(requirements.amount)

/**
 * What somebody else says of a payment, to whom it is handed over by asking: only what is good as far as our own node sees.
 */
const saidElsewhere = (
  says: Says,
  verified: VerifiedPayment,
  trial: Trial,
  beforeHandOver: BeforeHandOver
): Effect.Effect<undefined, NotVerified> => {
  const { height, held, isUsed, refusal } = trial
  if (isUsed || refusal === PAUSED || !isFunded(verified, trial)) return Effect.succeed(undefined)
  const admitted = Effect.mapError(says.admit(verified), (refused) => weighed(trial, refused))
  return Effect.as(Effect.zipRight(beforeHandOver({ height, held }), admitted), undefined)
}

/**
 * Verifies a payment on Base: the chain's state and the transfer itself by our own trial, and what `says` adds. A nonce
 * that is used is looked up: the transfer it made is handed on, for whoever can recognise it.
 */
export const verifyOnBase = (trials: Pick<Trials, "begin">, lookup: Settle, says: Says): Verify =>
  Effect.fnUntraced(function* (verified: VerifiedPayment, beforeHandOver: BeforeHandOver) {
    const { isHearsay = false } = says
    const asked = yield* Effect.mapError(trials.begin(verified), unavailable)
    const trial = Effect.mapError(asked, unavailable)
    const tried = verified.signatureVerified && !isHearsay ? undefined : yield* trial
    if (tried !== undefined && isForged(verified, tried)) {
      return yield* rejected(verified, "invalid_exact_evm_signature")
    }
    // Our own settling side is asked beside the trial, where that is under way.
    const ours = isHearsay ? undefined : yield* Effect.either(says.admit(verified))
    const state = tried ?? (yield* trial)
    const { height, held } = state
    const isPlain = verified.signatureVerified && (state.executes || state.isUsed)
    const own = isPlain ? undefined : failureOf(yield* Effect.either(says.examine(verified)))
    const ofCode = state.hasCode === false ? undefined : failureOf(yield* Effect.either(says.admitCode))
    const elsewhere = saidElsewhere(says, verified, state, beforeHandOver)
    const admitted = ours ?? (own === undefined ? yield* Effect.either(elsewhere) : Either.right(undefined))
    const failure = own ?? failureOf(admitted) ?? ofCode
    const isSuspect = failure?._tag === "PaymentRejected" && MAYBE_PAID.has(failure.reason)
    if (state.isUsed || isSuspect) {
      const found = yield* lookup(verified, { transaction: null, since: 0 })
      if (found.state === "settled") return { height, used: found.evidence }
      if (found.state === "void") return yield* rejected(verified, found.reason)
      // The nonce was used, but what for cannot be seen now.
      if (state.isUsed) return yield* unavailable()
    }
    if (state.refusal === PAUSED) return yield* unavailable()
    if (failure?._tag === "PaymentRejected") return yield* failure
    if (!isFunded(verified, state)) return yield* rejected(verified, "invalid_exact_evm_insufficient_balance")
    if (failure !== undefined) return yield* failure
    return { height, held, fee: Either.getOrUndefined(admitted) }
  }, span("Base.verify"))
