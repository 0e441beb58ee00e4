import { Clock, Duration, Effect, Fiber, FiberSet, Option, Schedule, Schema } from "effect"
import { SOLANA_NETWORK } from "../domain/chain.ts"
import { PaymentBinding } from "../domain/checkout.ts"
import { PaymentRejected } from "../domain/errors.ts"
import type { Payment } from "../payment/message/payment.ts"
import type { Order } from "../payment/sale/sale.ts"
import { Sale } from "../payment/sale/sale.ts"
import { bindingOf } from "./binding.ts"
import type { BoundPayment, Checkout } from "./checkout.ts"
import { fingerprintOf, receptionOf, requirementsOf } from "./checkout.ts"
import { CheckoutRepo } from "./checkout-repo.ts"
import type { FindError, Verified, VerifyError } from "./checkouts.ts"
import type { CheckoutConfig } from "./config.ts"
import { accountFault } from "./creation.ts"
import {
  CheckoutBusy,
  CheckoutConflict,
  CheckoutExpired,
  CheckoutLimited,
  CheckoutNotFound
} from "./errors.ts"
import { asRequirements, mismatch } from "./matching.ts"
import { MerchantAccounts } from "./merchant-account.ts"
import { makeRecordPaid, verifiedOf } from "./paid-record.ts"
import { Randomness } from "./randomness.ts"

/** How long a payment waits for another one that is settling the same checkout, and how often it looks. */
const BUSY_PATIENCE = Duration.seconds(10)
const BUSY_INTERVAL = Duration.millis(100)
const BUSY_RETRY_SECONDS = 5

/** How long a stopping process waits for settlements; the rest is resumed by the next one. */
const DRAIN = Duration.seconds(30)

/** x402's reason for an authorization that bought something else already (see `Sale`). */
const ALREADY_USED = "payment_already_used"

/** A transaction id where a payment is expected: base58 of 64 bytes, or a hash. */
const TRANSACTION_ID = /^(?:[1-9A-HJ-NP-Za-km-z]{86,88}|0x[0-9a-fA-F]{64})$/

/** The word "signature" means "transaction id" to a Solana reader; this says what is meant instead. */
export const isTransactionId = (text: string): boolean => TRANSACTION_ID.test(text)

/** What the ledger keeps as the bought answer: enough to write the receipt again after a crash. */
const Answer = Schema.parseJson(Schema.Struct({ checkoutId: Schema.String, binding: PaymentBinding }))
const encodeAnswer = Schema.encodeSync(Answer)
const decodeAnswer = Schema.decode(Answer)

/** Nothing is known to have failed: the same payment must be tried again, so the checkout stays bound to it. */
const mayHaveSettled = (error: VerifyError): boolean => error._tag === "PaymentUnresolved"

/** One run of one payment against one checkout. */
interface Run {
  readonly checkout: Checkout
  readonly payment: Payment
  readonly signature: string
  /** Attempts that are certainly over and may be released beside this run's own. */
  readonly over: ReadonlyArray<string>
}

const cancelled = new CheckoutConflict({
  message: "this checkout was cancelled by the merchant; nothing was charged"
})

/** A payment that names this checkout by either of its two addresses is meant for it. */
const resourceUrlOf = (payment: Payment, { terms }: Checkout): string => {
  const verifyUrl = `${terms.url}/verify`
  return payment.envelope.resource?.url === verifyUrl ? verifyUrl : terms.url
}

/** Builds `Checkouts.verify` and `Checkouts.resume`. */
export const makeVerify = (config: CheckoutConfig) =>
  Effect.gen(function* () {
    const repo = yield* CheckoutRepo
    const sale = yield* Sale
    const accounts = yield* MerchantAccounts
    const randomness = yield* Randomness
    const recordPaid = makeRecordPaid(repo)
    const running = yield* FiberSet.make<Verified, VerifyError>()
    yield* Effect.addFinalizer(() => Effect.ignore(Effect.timeout(FiberSet.awaitEmpty(running), DRAIN)))

    const find = (id: string): Effect.Effect<Checkout, FindError> =>
      Effect.flatMap(
        repo.find(id),
        Option.match({
          onNone: () => new CheckoutNotFound({ id }),
          onSome: (checkout) => Effect.succeed(checkout)
        })
      )

    /** Only payments that moved money count, and for the caller who created their checkouts. */
    const enforceLimit = Effect.fnUntraced(function* ({ caller, status }: Checkout, now: number) {
      if (status !== "open") return
      if ((yield* repo.paidInADay(caller, now)) < config.paymentsPerDay) return
      const message = "the payments of a day are reached; nothing was charged"
      return yield* new CheckoutLimited({ message, retryAfterSeconds: 3600 })
    })

    /**
     * The work of the sale: it runs under the ledger's exclusive claim on the payment, so binding it to the checkout
     * here makes both sides exclusive. A bound checkout that ran out of time meanwhile is given back: under our claim
     * no other run of this payment can be settling.
     */
    const bind = Effect.fnUntraced(function* (checkout: Checkout, bound: BoundPayment) {
      if (yield* repo.bind(checkout.id, bound)) {
        return encodeAnswer({ checkoutId: checkout.id, binding: bound.binding })
      }
      const current = yield* find(checkout.id)
      if (current.status === "processing" && current.payment.key === bound.key) {
        yield* repo.release(current.id, [current.payment.attempt])
        return yield* new CheckoutExpired({ id: checkout.id })
      }
      const reception = receptionOf(current, bound.key, bound.since)
      if (reception === "expired") return yield* new CheckoutExpired({ id: checkout.id })
      if (reception === "cancelled") return yield* cancelled
      return yield* new CheckoutBusy({ retryAfterSeconds: BUSY_RETRY_SECONDS })
    }, Effect.uninterruptible)

    const explain = Effect.fnUntraced(function* ({ checkout }: Run, error: PaymentRejected) {
      if (error.reason === ALREADY_USED) {
        return yield* new CheckoutConflict({
          message: "this payment was used for something else; nothing was charged"
        })
      }
      if (checkout.terms.network === SOLANA_NETWORK) {
        const fault = accountFault(yield* accounts.check(checkout.terms.network, checkout.terms.payTo))
        if (fault !== undefined) {
          return yield* new CheckoutConflict({
            message: `the merchant cannot be paid: merchantPayTo ${fault}`
          })
        }
      }
      return yield* error
    })

    const settle = Effect.fnUntraced(function* (run: Run) {
      const { checkout, payment } = run
      const reason = mismatch(payment, checkout.terms)
      const binding = reason === undefined ? bindingOf(payment, checkout.terms) : undefined
      if (binding === undefined) {
        return yield* new PaymentRejected({
          reason: reason ?? "checkout_nonce_binding_mismatch",
          network: payment.network
        })
      }
      const since = yield* Clock.currentTimeMillis
      yield* enforceLimit(checkout, since)
      const attempt = (yield* randomness.bytes(16)).toString("hex")
      const bound = { key: payment.authorizationKey, attempt, binding, payload: run.signature, since }
      const order: Order = {
        accepts: [requirementsOf(checkout.terms)],
        fingerprint: fingerprintOf(checkout.id),
        work: "under-claim",
        binding: binding === "server" ? "ledger" : "authorization",
        resourceUrl: resourceUrlOf(payment, checkout)
      }
      const sold = yield* sale
        .sell(asRequirements(payment, checkout.terms), order, bind(checkout, bound))
        .pipe(
          Effect.tapError((error) =>
            mayHaveSettled(error) ? Effect.void : repo.release(checkout.id, [attempt, ...run.over])
          ),
          Effect.catchTag("PaymentRejected", (error) => explain(run, error))
        )
      const answer = yield* Effect.orDie(decodeAnswer(sold.answer))
      return yield* recordPaid(checkout, {
        paymentKey: payment.authorizationKey,
        settlement: sold.settlement,
        binding: answer.binding
      })
    })

    /** In a scope of the application: a caller who hangs up cuts nothing off. */
    const settleDetached = (run: Run) => Effect.flatMap(FiberSet.run(running, settle(run)), Fiber.join)

    const once = Effect.fnUntraced(function* (id: string, payment: Payment, signature: string) {
      const checkout = yield* find(id)
      const now = yield* Clock.currentTimeMillis
      switch (receptionOf(checkout, payment.authorizationKey, now)) {
        case "replay":
          return checkout.status === "paid"
            ? verifiedOf(checkout.paid)
            : yield* new CheckoutBusy({ retryAfterSeconds: 1 })
        case "paid-by-another":
          return yield* new CheckoutConflict({
            message: "this checkout is paid by another payment; nothing was charged"
          })
        case "expired":
          return yield* new CheckoutExpired({ id })
        case "cancelled":
          return yield* cancelled
        case "busy":
          return yield* new CheckoutBusy({ retryAfterSeconds: BUSY_RETRY_SECONDS })
        case "settle":
          return yield* settleDetached({ checkout, payment, signature, over: [] })
      }
    })

    const patience = Schedule.spaced(BUSY_INTERVAL).pipe(Schedule.upTo(BUSY_PATIENCE))

    const verify = Effect.fn("Checkouts.verify")(function* (id: string, signature: string) {
      yield* Effect.annotateCurrentSpan({ checkout: id })
      yield* find(id)
      const payment = yield* sale.parse(signature)
      return yield* Effect.retry(once(id, payment, signature), {
        schedule: patience,
        while: (error) => error._tag === "CheckoutBusy"
      })
    })

    /**
     * Runs an unfinished payment again as its caller would: the ledger answers with what it knows, or the payment is
     * settled now, or it can never settle and the checkout is given back.
     */
    const finish = Effect.fn("Checkouts.finish")(function* (checkout: Checkout) {
      if (checkout.status !== "processing") return
      const { payload: signature, attempt } = checkout.payment
      const payment = yield* sale.parse(signature)
      yield* settleDetached({ checkout, payment, signature, over: [attempt] })
    })

    return { find, verify, finish }
  })
