import type { HttpServerRequest } from "@effect/platform"
import { HttpApiBuilder } from "@effect/platform"
import { Effect, Option } from "effect"
import { Api } from "../api/api.ts"
import type { TokenRef } from "../domain/token.ts"
import type { OperationId } from "../operations/catalog.ts"
import type { OperationError } from "../operations/operations.ts"
import { Operations } from "../operations/operations.ts"
import { Offers } from "../operations/offers.ts"
import { Sale } from "../payment/sale/sale.ts"
import { ClientAddress } from "./client-address.ts"
import { challenge, errorBody, jsonText, receipt, refusal, unavailable } from "./responses.ts"

interface Call {
  readonly payload: TokenRef
  readonly headers: {
    readonly "payment-signature"?: string | undefined
    readonly "x-client-id"?: string | undefined
  }
  readonly request: HttpServerRequest.HttpServerRequest
}

const RESEND = "send the same payment again, do not sign a new one"

/** Handlers of the four paid variants: one function per operation, shared by `GET` and `POST`. */
export const TokenRiskLive = HttpApiBuilder.group(Api, "tokenRisk", (handlers) =>
  Effect.gen(function* () {
    const operations = yield* Operations
    const offers = yield* Offers
    const sale = yield* Sale
    const clientAddress = yield* ClientAddress

    const toResponse = (id: OperationId, method: "GET" | "POST") => (error: OperationError) => {
      switch (error._tag) {
        case "PaymentDue":
          return challenge(offers.challenge(id, method))
        case "PaymentRejected":
          return challenge(offers.challenge(id, method), refusal(error))
        case "MalformedPayment":
          return errorBody(400, error.message)
        case "UnknownToken":
          return errorBody(404, "no pools found for this token")
        case "PaymentUnresolved":
          return unavailable(`settlement outcome not known yet: ${RESEND}`, error.retryAfterSeconds)
        case "PaymentUnavailable":
          return unavailable(`payment cannot be checked now, nothing was charged: ${RESEND}`)
        case "ScreeningUnavailable":
          return unavailable("a required data source is down, nothing was charged")
        case "UpstreamError":
          return unavailable("temporarily unavailable, nothing was charged")
      }
    }

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
          Effect.match({
            onSuccess: (answer) =>
              jsonText(answer.body, 200, answer.settlement === null ? {} : receipt(answer.settlement)),
            onFailure: toResponse(id, method)
          })
        )
    }

    const ping = run("check_token_safety_ping")
    const deep = run("check_token_risk_deep")
    return handlers
      .handle("pingPost", ping)
      .handle("pingGet", ping)
      .handle("deepPost", deep)
      .handle("deepGet", deep)
  })
)
