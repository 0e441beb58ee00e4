import type { HttpServerRequest } from "@effect/platform"
import { HttpApiBuilder } from "@effect/platform"
import { Effect, Option } from "effect"
import { Api } from "../api/api.ts"
import { PaymentRequiredError } from "../api/errors.ts"
import type { TokenRef } from "../domain/token.ts"
import type { OperationId } from "../domain/catalog.ts"
import { describeOperationFailure, refusalOf } from "../operations/failures.ts"
import type { OperationError } from "../operations/operations.ts"
import { Operations } from "../operations/operations.ts"
import { Offers } from "../operations/offers.ts"
import { Sale } from "../payment/sale/sale.ts"
import { noteDelivery, noteRefusal } from "./admission/facts.ts"
import { ClientAddress } from "./client-address.ts"
import { toContractError } from "./failures.ts"
import { jsonText, receipt } from "./responses.ts"

/** A call of a paid operation as HttpApi decodes it. */
export interface Call {
  readonly payload: TokenRef
  readonly headers: {
    readonly "payment-signature"?: string | undefined
    readonly "x-client-id"?: string | undefined
  }
  readonly request: Pick<HttpServerRequest.HttpServerRequest, "headers" | "method" | "remoteAddress">
}

/** The contract's error for a failed operation. */
export const makeFailed = Effect.map(
  Offers,
  (offers) => (id: OperationId, method: "GET" | "POST") => (error: OperationError) => {
    switch (error._tag) {
      case "PaymentDue":
        return PaymentRequiredError.of(offers.challenge(id, method).challenge)
      case "PaymentRejected":
        return PaymentRequiredError.of(offers.challenge(id, method).challenge, refusalOf(error))
      default:
        return toContractError(describeOperationFailure(error))
    }
  }
)

/** How an operation is run over HTTP, by `GET` and by `POST`. */
export const makeRun = Effect.gen(function* () {
  const operations = yield* Operations
  const offers = yield* Offers
  const sale = yield* Sale
  const clientAddress = yield* ClientAddress
  const failed = yield* makeFailed

  const run = (id: OperationId) => (call: Call) => {
    const method = call.request.method === "POST" ? "POST" : "GET"
    // HEAD is routed here with GET and must never run or buy anything: it sees what an unpaid GET would see.
    const paying = call.request.method !== "HEAD"
    const payment = paying ? Option.fromNullable(call.headers["payment-signature"]) : Option.none()
    const clientId = paying ? Option.fromNullable(call.headers["x-client-id"]) : Option.none()
    return operations
      .run({
        operation: id,
        token: call.payload,
        channel: method,
        payment: Effect.transposeMapOption(payment, sale.parse),
        caller: Option.map(clientId, (clientId) => ({ clientId, ip: clientAddress(call.request) }))
      })
      .pipe(
        Effect.tap((answer) => noteDelivery(answer, offers.priceUsd(id))),
        Effect.tapErrorTag("PaymentRejected", noteRefusal),
        Effect.mapBoth({
          onSuccess: ({ body, settlement }) =>
            jsonText(body, 200, settlement === null ? {} : receipt(settlement)),
          onFailure: failed(id, method)
        })
      )
  }
  return run
})

/** Handlers of the four paid variants: one function per operation, shared by `GET` and `POST`. */
export const TokenRiskLive = HttpApiBuilder.group(Api, "tokenRisk", (handlers) =>
  Effect.map(makeRun, (run) => {
    const ping = run("check_token_safety_ping")
    const deep = run("check_token_risk_deep")
    return handlers
      .handle("pingPost", ping)
      .handle("pingGet", ping)
      .handle("deepPost", deep)
      .handle("deepGet", deep)
  })
)
