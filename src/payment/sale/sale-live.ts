import { Clock, Duration, Effect, Either, Layer, Option } from "effect"
import { Ledger, type LedgerEntry } from "../ledger/ledger.ts"
import type { Payment } from "../message/payment.ts"
import { parsePayment, parsePaymentObject } from "../message/parse-payment.ts"
import { again, isSame, ledgerDown, present, type Presented } from "./attempt.ts"
import { makeThrottle } from "./throttle.ts"
import type { EarlierClaim } from "./recognise.ts"
import { type Order, Sale } from "./sale.ts"
import { makeServe } from "./serve.ts"
import { SettlementLive } from "./settlement.ts"
import { makeSingleFlight } from "./single-flight.ts"
import { makeSteps } from "./steps.ts"
import { span } from "../../domain/span.ts"

/** How long a repeated payment waits for the process that is being served with it. */
const PATIENCE = Duration.seconds(25)
/** How often a request looks for the outcome of another process's work. */
const POLL = Duration.millis(250)

/** Whether what is recorded of a payment must still come to its end, or has come to an answer. */
const leadsOn = (entry: LedgerEntry): boolean => {
  switch (entry.state) {
    case "claimed":
      return !entry.lapsed
    case "settling":
      return true
    case "settled":
      return entry.sold !== undefined
    case "refused":
      return entry.driven !== undefined
  }
}

const make = Effect.gen(function* () {
  const ledger = yield* Ledger
  const throttle = yield* makeThrottle
  const flights = yield* makeSingleFlight
  const serve = yield* makeServe(throttle)
  const steps = yield* makeSteps(flights)

  const selling = function* <E, R>(payment: Payment, order: Order, work: Effect.Effect<string, E, R>) {
    const attempt = yield* present(payment, order)
    const lead = (attempt: Presented, earlier: EarlierClaim | undefined) =>
      Effect.flatMap(attempt.matched, (matched) =>
        flights.runUntil(attempt, (begin) =>
          serve({ attempt: { ...attempt, ...matched }, earlier, work, begin })
        )
      )
    const step = steps(lead)
    const deadline = (yield* Clock.currentTimeMillis) + Duration.toMillis(PATIENCE)
    while (true) {
      const sold = yield* step(attempt)
      if (Option.isSome(sold)) return sold.value
      if ((yield* Clock.currentTimeMillis) > deadline) return yield* again()
      yield* Effect.sleep(POLL)
    }
  }

  const isBegun = Effect.fnUntraced(function* (payment: Payment, order: Order) {
    const presented = Either.getOrUndefined(present(payment, order))
    if (presented === undefined) return false
    const entry = yield* Effect.mapError(ledger.find(presented.key), ledgerDown)
    if (Option.exists(entry, (one) => isSame(presented, one) && leadsOn(one))) return true
    const inFlight = flights.find(presented.key)
    return inFlight !== undefined && isSame(presented, inFlight)
  })

  const sell = <E, R>(payment: Payment, order: Order, work: Effect.Effect<string, E, R>) =>
    Effect.gen(() => selling(payment, order, work)).pipe(span("Sale.sell"))

  return Sale.of({
    parse: parsePayment,
    parseObject: parsePaymentObject,
    isBegun,
    sell
  })
})

/**
 * The sale over the ledger and the settlement verifier. Requires `PaymentVerifier` and `SqlClient`. Closing it waits
 * for begun sales, so close it before the database and the chains.
 */
export const SaleLive = Layer.scoped(Sale, make).pipe(Layer.provide(SettlementLive))
