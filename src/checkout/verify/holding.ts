import { Effect, Option } from "effect"
import type { BoundPayment, Checkout } from "../checkout.ts"
import { receptionOf } from "../checkout.ts"
import type { CheckoutRepo } from "../checkout-repo.ts"
import type { FindError } from "../checkouts.ts"
import { CheckoutBusy, CheckoutConflict, CheckoutExpired, CheckoutNotFound } from "../errors.ts"

export const BUSY_RETRY_SECONDS = 5

export const cancelled = new CheckoutConflict({
  message: "this checkout was cancelled by the merchant; nothing was charged"
})

/**
 * The form of the ids we issue: the database is asked for nothing else, and some other texts no database would take.
 */
const ISSUED = /^chk_[0-9a-f]{32}$/

/** A checkout by its id. */
export const makeFind =
  (repo: CheckoutRepo["Type"]) =>
  (id: string): Effect.Effect<Checkout, FindError> =>
    Effect.flatMap(
      ISSUED.test(id) ? repo.find(id) : Effect.succeedNone,
      Option.match({
        onNone: () => new CheckoutNotFound({ id }),
        onSome: (checkout) => Effect.succeed(checkout)
      })
    )

/**
 * The work of the sale: it runs under the ledger's exclusive claim on the payment, so binding it to the checkout
 * here makes both sides exclusive. A bound checkout that ran out of time meanwhile is given back: under our claim
 * no other run of this payment can be settling.
 */
export const makeHold = (repo: CheckoutRepo["Type"]) => {
  const find = makeFind(repo)
  return Effect.fnUntraced(function* (checkout: Checkout, bound: BoundPayment) {
    if (yield* repo.bind(checkout.id, bound)) return
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
}
