import { Clock, Duration, Effect, Schedule } from "effect"
import type { Payment } from "../../payment/message/payment.ts"
import { Sale } from "../../payment/sale/sale.ts"
import type { Checkout } from "../checkout.ts"
import { receptionOf } from "../checkout.ts"
import { CheckoutRepo, type Overtaken } from "../checkout-repo.ts"
import type { CheckoutConfig } from "../config.ts"
import { CheckoutBusy, CheckoutConflict, CheckoutExpired } from "../errors.ts"
import { verifiedOf } from "../paid-record.ts"
import { BUSY_RETRY_SECONDS, cancelled, makeFind } from "./holding.ts"
import { isCertain, makeSettling } from "./settling.ts"
import { isOurs, makeTakingOf } from "./taking.ts"

/** How long a payment waits for another one that is settling the same checkout, and how often it looks. */
const BUSY_PATIENCE = Duration.seconds(10)
const BUSY_INTERVAL = Duration.millis(100)

/** A transaction id where a payment is expected: base58 of 64 bytes, or a hash. */
const TRANSACTION_ID = /^(?:[1-9A-HJ-NP-Za-km-z]{86,88}|0x[0-9a-fA-F]{64})$/

/** The word "signature" means "transaction id" to a Solana reader; this says what is meant instead. */
export const isTransactionId = (text: string): boolean => TRANSACTION_ID.test(text)

/** Builds `Checkouts.verify` and `Checkouts.resume`. */
export const makeVerify = (config: CheckoutConfig) =>
  Effect.gen(function* () {
    const sale = yield* Sale
    const repo = yield* CheckoutRepo
    const find = makeFind(repo)
    const takingOf = yield* makeTakingOf
    const settle = yield* makeSettling(config)

    const once = Effect.fnUntraced(function* (id: string, payment: Payment, signature: string) {
      const checkout = yield* find(id)
      const reception = receptionOf(checkout, payment.authorizationKey, yield* Clock.currentTimeMillis)
      const isRefused = reception !== "settle" && reception !== "replay"
      // It was sent, or may be, since before something else paid the checkout, or the clock ran out: its outcome is its own.
      if (isRefused && isOurs(yield* takingOf(id, payment.authorizationKey)))
        return yield* settle({ checkout, payment, signature, over: [] })
      switch (reception) {
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
          return yield* settle({ checkout, payment, signature, over: [] })
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
      yield* settle({ checkout, payment, signature, over: [attempt] })
    })

    /** The same for a payment whose checkout another one has paid: what it moved stands in the journal, too. */
    const finishOvertaken = Effect.fn("Checkouts.finishOvertaken")(function* (overtaken: Overtaken) {
      const { checkoutId, payload: signature, payment: key } = overtaken
      const taking = yield* takingOf(checkoutId, key)
      if (taking === "held") return
      if (taking === "taken") {
        const checkout = yield* find(checkoutId)
        const payment = yield* sale.parse(signature)
        yield* settle({ checkout, payment, signature, over: [] }).pipe(
          Effect.catchIf(isCertain, ({ _tag }) =>
            Effect.annotateLogs(Effect.logDebug("an overtaken payment did not settle"), { outcome: _tag })
          )
        )
      }
      yield* repo.endOvertaken(checkoutId, key)
    })

    return { find, verify, finish, finishOvertaken }
  })
