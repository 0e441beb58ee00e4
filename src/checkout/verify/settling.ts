import { Clock, Duration, Effect, Fiber, FiberSet, Schema } from "effect"
import { SOLANA_NETWORK } from "../../domain/chain.ts"
import { PaymentBinding } from "../../domain/checkout.ts"
import { PaymentRejected } from "../../domain/errors.ts"
import type { Payment } from "../../payment/message/payment.ts"
import type { Order } from "../../payment/sale/sale.ts"
import { Sale } from "../../payment/sale/sale.ts"
import type { Checkout } from "../checkout.ts"
import { fingerprintOf, requirementsOf } from "../checkout.ts"
import { CheckoutRepo } from "../checkout-repo.ts"
import type { Verified, VerifyError } from "../checkouts.ts"
import type { CheckoutConfig } from "../config.ts"
import { accountReason } from "../creation.ts"
import { CheckoutConflict, CheckoutLimited } from "../errors.ts"
import { MerchantAccounts } from "../merchant-account.ts"
import { makeRecordPaid } from "../paid-record.ts"
import { Randomness } from "../randomness.ts"
import { bindingOf } from "./binding.ts"
import { budgetsOf, makeFeeBudget } from "./fee-budget.ts"
import { makeHold } from "./holding.ts"
import { asRequirements, mismatch } from "./matching.ts"
import { isOurs, makeTakingOf } from "./taking.ts"

/** How long a stopping process waits for settlements; the rest is resumed by the next one. */
const DRAIN = Duration.seconds(30)

/** x402's reason for an authorization that bought something else already (see `Sale`). */
const ALREADY_USED = "payment_already_used"

/**
 * What its payer is told. Where it was sent without us, or before a backup that was restored, its money may have gone to
 * this very merchant, for this very order.
 */
export const USED_BEFORE =
  "this payment was used before, and its money may have moved then: ask the merchant before you pay again"
const usedBefore = () => new CheckoutConflict({ message: USED_BEFORE })

/** What the ledger keeps as the bought answer: enough to write the receipt again after a crash. */
const StoredAnswer = Schema.parseJson(Schema.Struct({ checkoutId: Schema.String, binding: PaymentBinding }))
const encodeStored = Schema.encodeSync(StoredAnswer)
const decodeStored = Schema.decode(StoredAnswer)

/** Nothing is known to have failed: the same payment must be tried again, so the checkout stays bound to it. */
const mayHaveSettled = (error: VerifyError): boolean => error._tag === "PaymentUnresolved"

/**
 * Whether a failure says what became of the payment, by whatever run it was sent. Where ledger or chain could not be
 * asked, an earlier run may have settled it: that is nothing anybody may conclude from.
 */
export const isCertain = ({ _tag }: VerifyError): boolean =>
  _tag !== "PaymentUnresolved" && _tag !== "PaymentUnavailable" && _tag !== "UpstreamError"

/** One run of one payment against one checkout. */
export interface Run {
  readonly checkout: Checkout
  readonly payment: Payment
  readonly signature: string
  /** Attempts that are certainly over and may be released beside this run's own. */
  readonly over: ReadonlyArray<string>
}

/** A payment that names this checkout by either of its two addresses is meant for it. */
const resourceUrlOf = (payment: Payment, { terms }: Checkout): string => {
  const verifyUrl = `${terms.url}/verify`
  return payment.envelope.resource?.url === verifyUrl ? verifyUrl : terms.url
}

const orderOf = ({ checkout, payment }: Run, binding: PaymentBinding): Order => ({
  accepts: [requirementsOf(checkout.terms)],
  fingerprint: fingerprintOf(checkout.id),
  work: "under-claim",
  binding: binding === "server" ? "ledger" : "authorization",
  feeBudgets: budgetsOf(checkout.caller),
  resourceUrl: resourceUrlOf(payment, checkout)
})

/** What ties the payment to the checkout, where it was made for it at all. */
const boundBy = ({ checkout, payment }: Run): Effect.Effect<PaymentBinding, PaymentRejected> => {
  const reason = mismatch(payment, checkout.terms)
  const binding = reason === undefined ? bindingOf(payment, checkout.terms) : undefined
  return binding === undefined
    ? new PaymentRejected({
        reason: reason ?? "checkout_nonce_binding_mismatch",
        network: payment.network
      })
    : Effect.succeed(binding)
}

/** Only payments that moved money count, and for the caller who created their checkouts. */
const makeEnforceLimit = (repo: CheckoutRepo["Type"], { paymentsPerDay }: CheckoutConfig) =>
  Effect.fnUntraced(function* ({ caller, status }: Checkout, now: number) {
    if (status !== "open" || (yield* repo.paidInADay(caller, now)) < paymentsPerDay) return
    const message = "the payments of a day are reached; nothing was charged"
    return yield* new CheckoutLimited({ message, retryAfterSeconds: 3600 })
  })

/** Says what a refusal means for a checkout. */
const makeExplain = (accounts: MerchantAccounts["Type"]) =>
  Effect.fnUntraced(function* ({ terms }: Checkout, error: PaymentRejected) {
    if (error.reason === ALREADY_USED) return yield* usedBefore()
    const reason =
      terms.network === SOLANA_NETWORK
        ? accountReason(yield* accounts.check(terms.network, terms.payTo))
        : undefined
    if (reason !== undefined) {
      return yield* new CheckoutConflict({
        message: `the merchant cannot be paid: merchantPayTo ${reason}; nothing was charged`
      })
    }
    return yield* error
  })

/** Settles one payment for one checkout and writes the receipt. */
const makeSettle = (config: CheckoutConfig) =>
  Effect.gen(function* () {
    const repo = yield* CheckoutRepo
    const sale = yield* Sale
    const randomness = yield* Randomness
    const recordPaid = makeRecordPaid(repo)
    const enforceLimit = makeEnforceLimit(repo, config)
    const setFeesAside = yield* makeFeeBudget(config)
    const explain = makeExplain(yield* MerchantAccounts)
    const hold = makeHold(repo)
    const takingOf = yield* makeTakingOf

    return Effect.fnUntraced(function* (run: Run) {
      const { checkout, payment } = run
      const taking = takingOf(checkout.id, payment.authorizationKey)
      const binding = yield* boundBy(run).pipe(
        Effect.catchTag("PaymentRejected", (error) =>
          Effect.flatMap(taking, (known) => Effect.fail(known === "elsewhere" ? usedBefore() : error))
        )
      )
      const since = yield* Clock.currentTimeMillis
      yield* enforceLimit(checkout, since).pipe(
        Effect.catchTag("CheckoutLimited", (limited) =>
          Effect.flatMap(taking, (known) => (isOurs(known) ? Effect.void : limited))
        )
      )
      const attempt = (yield* randomness.bytes(16)).toString("hex")
      const bound = { key: payment.authorizationKey, attempt, binding, payload: run.signature, since }
      const work = setFeesAside(checkout, bound.key).pipe(
        Effect.zipRight(hold(checkout, bound)),
        Effect.as(encodeStored({ checkoutId: checkout.id, binding }))
      )
      const sold = yield* sale
        .sell(asRequirements(payment, checkout.terms), orderOf(run, binding), work)
        .pipe(
          Effect.tapError((error) =>
            mayHaveSettled(error)
              ? Effect.void
              : repo.release(checkout.id, [attempt, ...(isCertain(error) ? run.over : [])])
          ),
          Effect.catchTag("PaymentRejected", (error) => explain(checkout, error))
        )
      const answer = yield* Effect.orDie(decodeStored(sold.answer))
      return yield* recordPaid(checkout, {
        paymentKey: payment.authorizationKey,
        settlement: sold.settlement,
        binding: answer.binding
      })
    })
  })

/** The same in a scope of the application, so that a caller who hangs up cuts nothing off. */
export const makeSettling = (config: CheckoutConfig) =>
  Effect.gen(function* () {
    const settle = yield* makeSettle(config)
    const running = yield* FiberSet.make<Verified, VerifyError>()
    yield* Effect.addFinalizer(() => Effect.ignore(Effect.timeout(FiberSet.awaitEmpty(running), DRAIN)))
    return (run: Run) => Effect.flatMap(FiberSet.run(running, settle(run)), Fiber.join)
  })
