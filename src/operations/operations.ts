import { Context, Effect, Layer, Option, Schema } from "effect"
import { Attestor } from "../attestation/attestor.ts"
import type {
  PayerMustWait,
  PaymentConflict,
  PaymentRejected,
  PaymentUnavailable,
  PaymentUnresolved,
  UpstreamError
} from "../domain/errors.ts"
import { DeepReport, PingResult } from "../domain/report.ts"
import type { TokenRef } from "../domain/token.ts"
import type { PaymentRequirements, SettlementResponse } from "../domain/x402.ts"
import { FailureBudget } from "../free-tier/failure-budget.ts"
import type { FreeCaller } from "../free-tier/free-tier-store.ts"
import { FreeTierStore } from "../free-tier/free-tier-store.ts"
import type { Payment } from "../payment/message/payment.ts"
import { Sale } from "../payment/sale/sale.ts"
import { toPing, toReport } from "../screening/reports.ts"
import { RiskScorer } from "../screening/risk-scorer.ts"
import type { ScreeningError } from "../screening/screener.ts"
import { Screener } from "../screening/screener.ts"
import type { OperationId } from "../domain/catalog.ts"
import { OPERATIONS } from "../domain/catalog.ts"
import { countFreeCall, countSale, countScreening } from "./metrics.ts"
import type { Channel } from "./offers.ts"
import { fingerprintOf, Offers } from "./offers.ts"
import { makeSignedStatements } from "./signed-statements.ts"

/** An answer to deliver: the exact bytes of the body, and the receipt when it was paid for. */
export interface Answer {
  readonly body: string
  readonly settlement: SettlementResponse | null
}

/** A request for one screening. A payment is touched only when no free call serves it. */
export interface ScreeningRequest {
  readonly operation: OperationId
  readonly token: TokenRef
  readonly channel: Channel
  readonly payment: Effect.Effect<Option.Option<Payment>, PaymentFault>
  readonly caller: Option.Option<FreeCaller>
}

type PaymentFault = Effect.Effect.Error<ReturnType<Sale["Type"]["parse"]>>

/** Neither a free call nor a payment: the channel answers with its challenge. */
export class PaymentDue extends Schema.TaggedError<PaymentDue>()("PaymentDue", {}) {}

/**
 * Too many free calls of this address ended in nothing lately. Not a challenge: whoever has free calls left is not to
 * be charged for them.
 */
export class FreeCallsPaused extends Schema.TaggedError<FreeCallsPaused>()("FreeCallsPaused", {
  retryAfterSeconds: Schema.Number
}) {}

export type OperationError =
  | PaymentDue
  | FreeCallsPaused
  | PaymentFault
  | PaymentRejected
  | PayerMustWait
  | PaymentConflict
  | PaymentUnresolved
  | PaymentUnavailable
  | ScreeningError
  | UpstreamError

/** The two paid operations as every channel runs them: free tier, or challenge, or sale; then the answer. */
export class Operations extends Context.Tag("token-risk/Operations")<
  Operations,
  {
    readonly run: (request: ScreeningRequest) => Effect.Effect<Answer, OperationError>
    /** Whether this caller's next deep call would be free. Reserves nothing. */
    readonly hasFreeCall: (caller: FreeCaller) => Effect.Effect<boolean, UpstreamError>
  }
>() {}

/** The price in the network the payment is for; a network that is not ours is the caller's text, and no label. */
const pricedIn = (payment: Payment, accepts: ReadonlyArray<PaymentRequirements>) => {
  const terms = accepts.find(({ network }) => network === payment.network)
  return { network: terms?.network ?? "unsupported", amount: terms?.amount ?? "0" }
}

const encodePing = Schema.encode(Schema.parseJson(PingResult))
const encodeReport = Schema.encode(Schema.parseJson(DeepReport))

const make = Effect.gen(function* () {
  const offers = yield* Offers
  const screener = yield* Screener
  const scorer = yield* RiskScorer
  const attestor = yield* Attestor
  const freeTier = yield* FreeTierStore
  const failures = yield* FailureBudget
  const sale = yield* Sale
  const statements = yield* makeSignedStatements(offers.publicUrl)

  const ping = Effect.fn("Operations.ping")(function* (token: TokenRef) {
    const { screening, cacheHit } = yield* screener.screen(token, "ping")
    const assessment = scorer.assess(screening)
    yield* countScreening("check_token_safety_ping", token, cacheHit, assessment)
    return yield* Effect.orDie(encodePing(toPing(screening, assessment, cacheHit)))
  })

  const deep = Effect.fn("Operations.deep")(function* (token: TokenRef, free: boolean) {
    const { screening, cacheHit } = yield* screener.screen(token, "deep")
    const assessment = scorer.assess(screening)
    yield* countScreening("check_token_risk_deep", token, cacheHit, assessment)
    const report = toReport(screening, assessment, {
      cacheHit,
      free,
      methodology: scorer.methodology
    })
    return yield* Effect.orDie(Effect.flatMap(attestor.attest(report), encodeReport))
  })

  const work = (request: ScreeningRequest, free: boolean) =>
    OPERATIONS[request.operation].depth === "deep" ? deep(request.token, free) : ping(request.token)

  const reserveFor = (caller: FreeCaller) =>
    Effect.map(
      freeTier.reserve(caller),
      Option.map((id) => ({ id, address: caller.ip }))
    )

  const reserve = (request: ScreeningRequest) =>
    OPERATIONS[request.operation].hasFreeCalls && Option.isSome(request.caller)
      ? reserveFor(request.caller.value)
      : Effect.succeedNone

  /**
   * A free call that does not end in an answer is not counted for its caller, also when it hangs up; it counts against
   * the address, whose next ones wait when there were too many.
   */
  const runFree = (screened: Effect.Effect<string, ScreeningError>, reservation: string, address: string) =>
    Effect.flatMap(
      failures.wait(address),
      (retryAfterSeconds): Effect.Effect<string, ScreeningError | FreeCallsPaused> =>
        retryAfterSeconds > 0
          ? new FreeCallsPaused({ retryAfterSeconds })
          : Effect.onError(countFreeCall(screened), () => failures.spend(address))
    ).pipe(
      Effect.onError(() => Effect.ignoreLogged(freeTier.release(reservation))),
      Effect.map((body): Answer => ({ body, settlement: null }))
    )

  const runPaid = Effect.fnUntraced(function* (request: ScreeningRequest) {
    const payment = yield* request.payment
    if (Option.isNone(payment)) return yield* new PaymentDue()
    const order = {
      accepts: offers.accepts(request.operation),
      fingerprint: fingerprintOf(
        request.channel === "mcp" ? "mcp" : "http",
        request.operation,
        request.token
      ),
      work: "beside" as const,
      binding: "ledger" as const,
      resourceUrl: offers.resourceUrl(request.operation, request.channel)
    }
    const sold = yield* sale.sell(payment.value, order, work(request, false)).pipe(
      countSale({
        operation: request.operation,
        authorizationKey: payment.value.authorizationKey,
        ...pricedIn(payment.value, order.accepts)
      })
    )
    const settlement = yield* statements.confirmed(sold.settlement, order.resourceUrl, sold.answer)
    return { body: sold.answer, settlement }
  })

  const run = Effect.fn("Operations.run")(function* (request: ScreeningRequest) {
    yield* Effect.annotateCurrentSpan({ operation: request.operation, chain: request.token.chain })
    return yield* Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(
        reserve(request),
        Option.match({
          onNone: (): Effect.Effect<Answer, OperationError> => restore(runPaid(request)),
          onSome: ({ address, id }) => runFree(restore(work(request, true)), id, address)
        })
      )
    )
  })

  const hasFreeCall = Effect.fn("Operations.hasFreeCall")(function* (caller: FreeCaller) {
    const reservation = yield* freeTier.reserve(caller)
    if (Option.isSome(reservation)) yield* freeTier.release(reservation.value)
    return Option.isSome(reservation)
  }, Effect.uninterruptible)

  return Operations.of({ run, hasFreeCall })
})

export const OperationsLive = Layer.effect(Operations, make)
