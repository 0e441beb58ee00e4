import { Effect, Layer, Option } from "effect"
import type { PaymentRequirements } from "../domain/x402.ts"
import { PaymentUnavailable } from "../domain/errors.ts"
import { type Payment, upstreamOf } from "../payment/message/payment.ts"
import { Receiving } from "../payment/receiving.ts"
import { Sale } from "../payment/sale/sale.ts"
import type { ScreeningError } from "../screening/screener.ts"
import { FailureBudget } from "../free-tier/failure-budget.ts"
import { FreeTierStore } from "../free-tier/free-tier-store.ts"
import { makeFreeCalls } from "./free-calls.ts"
import { makeFreeReports } from "./free-reports.ts"
import { countSale } from "./metrics.ts"
import { fingerprintOf, Offers } from "./offers.ts"
import type { Answer, OperationError, ScreeningRequest } from "./operations.ts"
import { Operations, PaymentDue } from "./operations.ts"
import { makeScreeningWork } from "./screening-work.ts"
import { makeSignedStatements } from "./signed-statements.ts"
import { withoutServices } from "../domain/context.ts"
import { span } from "../domain/span.ts"

/** The network the payment is for; one that is not ours is the caller's text, and no label. */
const networkOf = (payment: Payment, accepts: ReadonlyArray<PaymentRequirements>): string =>
  accepts.find(({ network }) => network === payment.network)?.network ?? "unsupported"

/**
 * For a payment that nobody has taken yet: 503 while nothing can arrive where it goes, so that whoever signed it keeps it and
 * does not sign another.
 */
const makeRequireArrival = Effect.map(
  Receiving,
  ({ obstacle }) =>
    (payment: Payment): Effect.Effect<void, PaymentUnavailable> =>
      payment.scheme === "unsupported" || obstacle(payment.network) === undefined
        ? Effect.void
        : new PaymentUnavailable({ upstream: upstreamOf(payment) })
)

const makePaidCalls = Effect.gen(function* () {
  const offers = yield* Offers
  const sale = yield* Sale
  const requireArrival = yield* makeRequireArrival
  const statements = yield* makeSignedStatements(offers.publicUrl)

  const orderFor = ({ channel, operation, token }: ScreeningRequest) => ({
    accepts: offers.accepts(operation),
    fingerprint: fingerprintOf(channel === "mcp" ? "mcp" : "http", operation, token),
    work: "beside" as const,
    binding: "ledger" as const,
    resourceUrl: offers.resourceUrl(operation, channel)
  })

  /** One that is malformed was never taken, and is looked at no further where a free call serves. */
  const isBegun = (request: ScreeningRequest): Effect.Effect<boolean, PaymentUnavailable> =>
    request.payment.pipe(
      Effect.orElseSucceed(() => Option.none<Payment>()),
      Effect.flatMap(
        Option.match({
          onNone: () => Effect.succeed(false),
          onSome: (payment) => sale.isBegun(payment, orderFor(request))
        })
      )
    )

  const run = Effect.fnUntraced(function* (
    request: ScreeningRequest,
    screened: Effect.Effect<string, ScreeningError>
  ) {
    const payment = yield* request.payment
    if (Option.isNone(payment)) return yield* new PaymentDue()
    const order = orderFor(request)
    const work = Effect.zipRight(requireArrival(payment.value), screened)
    const sold = yield* sale.sell(payment.value, order, work).pipe(
      countSale({
        operation: request.operation,
        authorizationKey: payment.value.authorizationKey,
        network: networkOf(payment.value, order.accepts)
      })
    )
    const settlement = yield* statements.confirmed(sold.settlement, order.resourceUrl, sold.answer)
    return { body: sold.answer, settlement }
  })

  return { run, isBegun }
})

const make = Effect.gen(function* () {
  const work = yield* makeScreeningWork
  const freeCalls = yield* makeFreeCalls
  const freeReports = makeFreeReports({
    freeTier: yield* FreeTierStore,
    failures: yield* FailureBudget,
    work
  })
  const paidCalls = yield* makePaidCalls

  const run = (request: ScreeningRequest) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(
        freeCalls.reserve(request, restore(paidCalls.isBegun(request))),
        Option.match({
          onNone: (): Effect.Effect<Answer, OperationError> =>
            restore(paidCalls.run(request, work.run(request, false))),
          onSome: (reservation) => freeCalls.run(restore(work.run(request, true)), reservation)
        })
      )
    ).pipe(
      span("Operations.run", {
        attributes: { operation: request.operation, chain: request.token.chain }
      }),
      withoutServices
    )

  return Operations.of({ run, freeReports, hasFreeCall: freeCalls.left })
})

export const OperationsLive = Layer.effect(Operations, make)
