import type { HttpServerRequest } from "@effect/platform"
import { HttpApi, HttpApiBuilder, HttpServerResponse } from "@effect/platform"
import { Effect, Layer, Option, Schema } from "effect"
import { API_ID } from "../api/api.ts"
import { makeCheckoutGroup } from "../api/checkout.ts"
import { BadRequest, PaymentRequiredError } from "../api/errors.ts"
import type { VerifyError } from "../checkout/checkouts.ts"
import { Checkouts } from "../checkout/checkouts.ts"
import { checkoutServiceConfig } from "../checkout/config.ts"
import { Merchants } from "../checkout/merchants/merchants.ts"
import type { CreateCheckout } from "../domain/checkout.ts"
import { CheckoutStatus, CheckoutTerms } from "../domain/checkout.ts"
import type { CheckoutFailure } from "../operations/failures.ts"
import { describeCheckoutFailure } from "../operations/failures.ts"
import { checkoutPage, missingPage } from "../web/checkout-page.ts"
import type { Page } from "../web/page.ts"
import { ClientAddress } from "./client-address.ts"
import { challengeOf, paymentFault, refused } from "./checkout-responses.ts"
import { toContractError } from "./failures.ts"
import { creator } from "./merchant.ts"
import { jsonText, receipt } from "./responses.ts"

const encodeTerms = Schema.encode(Schema.parseJson(CheckoutTerms))
const encodeStatus = Schema.encode(Schema.parseJson(CheckoutStatus))
const decodeBody = Schema.decodeUnknownOption(
  Schema.parseJson(Schema.Struct({ paymentSignature: Schema.optional(Schema.String) }))
)

/** A browser asks for HTML by name; machines that send `*` get JSON. */
const wantsHtml = (request: HttpServerRequest.HttpServerRequest): boolean =>
  /(?:^|,)\s*text\/html\s*(?:;|,|$)/i.test(request.headers["accept"] ?? "")

const html = (page: Page, status: number) =>
  HttpServerResponse.text(page.html, {
    status,
    contentType: "text/html; charset=utf-8",
    headers: {
      "cache-control": "no-store",
      "content-security-policy": page.contentSecurityPolicy,
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      vary: "accept"
    }
  })

/** What a verify request presents: one payment, in the body or in the header, or none at all. */
type Presented =
  | { readonly _tag: "none" }
  | { readonly _tag: "payment"; readonly text: string }
  | { readonly _tag: "invalid"; readonly message: string }

const presented = (body: string, header: string | undefined): Presented => {
  const parsed = body.trim() === "" ? Option.some({ paymentSignature: undefined }) : decodeBody(body)
  if (Option.isNone(parsed))
    return { _tag: "invalid", message: "body: must be JSON with a paymentSignature string" }
  const inBody = parsed.value.paymentSignature
  if (inBody !== undefined && header !== undefined && inBody !== header) {
    return {
      _tag: "invalid",
      message: "paymentSignature: must be the same in body and PAYMENT-SIGNATURE header"
    }
  }
  const text = inBody ?? header
  if (text === undefined) {
    return body.trim() === ""
      ? { _tag: "none" }
      : { _tag: "invalid", message: "paymentSignature: is missing" }
  }
  const fault = paymentFault(text)
  return fault === undefined ? { _tag: "payment", text } : { _tag: "invalid", message: fault }
}

const failed = <E extends CheckoutFailure>(error: E) => toContractError(describeCheckoutFailure(error))

const makeHandlers = Effect.gen(function* () {
  const checkouts = yield* Checkouts
  const merchants = yield* Merchants
  const addressOf = yield* ClientAddress

  const create = ({
    payload,
    headers,
    request
  }: {
    readonly payload: CreateCheckout
    readonly headers: {
      readonly "idempotency-key"?: string | undefined
      readonly authorization?: string | undefined
    }
    readonly request: HttpServerRequest.HttpServerRequest
  }) =>
    Effect.gen(function* () {
      const by = yield* creator(merchants, headers.authorization, addressOf(request))
      const idempotencyKey = Option.fromNullable(headers["idempotency-key"])
      const terms = yield* checkouts.create(payload, { ...by, idempotencyKey })
      return jsonText(yield* Effect.orDie(encodeTerms(terms)), 200)
    }).pipe(Effect.mapError(failed))

  const askForPayment = (id: string) =>
    Effect.flatMap(Effect.mapError(checkouts.challenge(id), failed), (terms) =>
      Effect.fail(PaymentRequiredError.of(challengeOf(terms)))
    )

  /** A refused payment is answered with fresh terms, everything else by its kind. */
  const verifyError = Effect.fnUntraced(function* (id: string, error: VerifyError) {
    if (error._tag !== "PaymentRejected") return failed(error)
    const { terms } = yield* Effect.mapError(checkouts.status(id), failed)
    return refused(terms, error)
  })

  const pay = (id: string, paymentSignature: string) =>
    checkouts.verify(id, paymentSignature).pipe(
      Effect.map((verified) => jsonText(verified.receipt, 200, receipt(verified.settlement))),
      Effect.catchAll((error) => Effect.flatMap(verifyError(id, error), Effect.fail))
    )

  const verify = Effect.fnUntraced(function* ({
    path,
    headers,
    request
  }: {
    readonly path: { readonly id: string }
    readonly headers: { readonly "payment-signature"?: string | undefined }
    readonly request: HttpServerRequest.HttpServerRequest
  }) {
    const body = yield* Effect.orDie(request.text)
    const payment = presented(body, headers["payment-signature"])
    switch (payment._tag) {
      case "none":
        return yield* askForPayment(path.id)
      case "invalid":
        // An id nobody issued is 404 whatever comes with it.
        yield* Effect.mapError(checkouts.status(path.id), failed)
        return yield* Effect.fail(new BadRequest({ error: payment.message }))
      case "payment":
        return yield* pay(path.id, payment.text)
    }
  })

  const page = (id: string) =>
    checkouts.page(id).pipe(
      Effect.flatMap(({ merchant, status }) => checkoutPage(status, merchant)),
      Effect.map((rendered) => html(rendered, 200)),
      Effect.catchTag("CheckoutNotFound", () => Effect.succeed(html(missingPage, 404)))
    )

  const statusJson = (id: string) =>
    checkouts.status(id).pipe(
      Effect.flatMap((found) => Effect.orDie(encodeStatus(found))),
      Effect.map((body) => jsonText(body, 200, { vary: "accept" }))
    )

  const status = ({
    path,
    request
  }: {
    readonly path: { readonly id: string }
    readonly request: HttpServerRequest.HttpServerRequest
  }) => Effect.mapError(wantsHtml(request) ? page(path.id) : statusJson(path.id), failed)

  const simulate = ({ payload }: { readonly payload: CreateCheckout }) =>
    Effect.mapBoth(checkouts.simulate(payload), {
      onSuccess: (simulation) => jsonText(JSON.stringify(simulation), 200),
      onFailure: failed
    })

  const unsigned = ({
    path,
    payload
  }: {
    readonly path: { readonly id: string }
    readonly payload: { readonly account: string }
  }) =>
    Effect.mapBoth(checkouts.unsigned(path.id, payload.account), {
      onSuccess: (transaction) => ({ transaction }),
      onFailure: failed
    })

  return { create, verify, unsigned, status, simulate }
})

/** Handlers of the checkout flow under the configured path segment. */
export const CheckoutLive = Layer.unwrapEffect(
  Effect.map(checkoutServiceConfig, (service) =>
    HttpApiBuilder.group(HttpApi.make(API_ID).add(makeCheckoutGroup(service)), "checkout", (handlers) =>
      Effect.map(makeHandlers, ({ create, verify, unsigned, status, simulate }) =>
        handlers
          .handle("create", create)
          .handleRaw("verify", verify)
          .handle("unsigned", unsigned)
          .handle("status", status)
          .handle("simulate", simulate)
      )
    )
  )
)
