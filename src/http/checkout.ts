import type { HttpServerRequest } from "@effect/platform"
import { HttpApi, HttpApiBuilder, HttpRouter } from "@effect/platform"
import { Clock, Effect, Layer, Option, Schema } from "effect"
import { API_ID } from "../api/api.ts"
import { KnownCheckout, makeCheckoutGroup } from "../api/checkout.ts"
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
import { noteRefusal, noteSettled } from "./admission/facts.ts"
import { ClientAddress } from "./client-address.ts"
import { challengeOf, malformedReason, refused, unsent } from "./checkout-responses.ts"
import { toContractError } from "./failures.ts"
import { creator } from "./merchant.ts"
import { jsonText, receipt } from "./responses.ts"
import { pageResponse, wantsHtml } from "./visitors.ts"

const encodeTerms = Schema.encode(Schema.parseJson(CheckoutTerms))
const encodeStatus = Schema.encode(Schema.parseJson(CheckoutStatus))

type Request = HttpServerRequest.HttpServerRequest
/** A request for one checkout. */
interface OfOne {
  readonly path: { readonly id: string }
  readonly request: Request
}

const html = (page: Page, status: number) =>
  pageResponse(page, status, { "cache-control": "no-store", "x-frame-options": "DENY", vary: "accept" })

const failed = <E extends CheckoutFailure>(error: E) => toContractError(describeCheckoutFailure(error))

const badPayment = (error: string) => Effect.fail(new BadRequest({ error }))

/** The one payment a verify request presents, in the body or in the header; `undefined` when it presents none. */
const presented = (
  body: { readonly paymentSignature?: string | undefined } | null,
  header: string | undefined
): Effect.Effect<string | undefined, BadRequest> => {
  const inBody = body?.paymentSignature
  if (inBody !== undefined && header !== undefined && inBody !== header)
    return badPayment("paymentSignature: must be the same in body and PAYMENT-SIGNATURE header")
  const text = inBody ?? header
  if (text === undefined)
    return body === null ? Effect.succeed(undefined) : badPayment("paymentSignature: is missing")
  const reason = malformedReason(text)
  return reason === undefined ? Effect.succeed(text) : badPayment(reason)
}

interface Verifying extends OfOne {
  readonly headers: { readonly "payment-signature"?: string | undefined }
  readonly payload: { readonly paymentSignature?: string | undefined } | null
}

const makeVerify = (checkouts: Checkouts["Type"]) => {
  const askForPayment = (id: string) =>
    Effect.flatMap(Effect.mapError(checkouts.challenge(id), failed), (terms) =>
      Effect.fail(PaymentRequiredError.of(challengeOf(terms)))
    )

  /**
   * A payment that was refused, or not sent, is answered with the checkout's terms; every other failure by its kind.
   */
  const verifyError = Effect.fnUntraced(function* (id: string, error: VerifyError) {
    if (error._tag !== "PaymentRejected" && error._tag !== "CheckoutLimited") return failed(error)
    const { terms } = yield* Effect.mapError(checkouts.status(id), failed)
    return error._tag === "CheckoutLimited" ? unsent(terms, error) : refused(terms, error)
  })

  const pay = (id: string, paymentSignature: string) =>
    checkouts.verify(id, paymentSignature).pipe(
      Effect.tap(noteSettled),
      Effect.tapErrorTag("PaymentRejected", noteRefusal),
      Effect.map((verified) => jsonText(verified.receipt, 200, receipt(verified.settlement))),
      Effect.catchAll((error) => Effect.flatMap(verifyError(id, error), Effect.fail))
    )

  return Effect.fnUntraced(function* ({ headers, path, payload }: Verifying) {
    const payment = yield* presented(payload, headers["payment-signature"])
    return yield* payment === undefined ? askForPayment(path.id) : pay(path.id, payment)
  })
}

interface Creating {
  readonly payload: CreateCheckout
  readonly headers: {
    readonly "idempotency-key"?: string | undefined
    readonly authorization?: string | undefined
  }
  readonly request: Request
}

const makeCreate = Effect.gen(function* () {
  const checkouts = yield* Checkouts
  const merchants = yield* Merchants
  const addressOf = yield* ClientAddress
  return ({ headers, payload, request }: Creating) =>
    Effect.gen(function* () {
      const by = yield* creator(merchants, headers.authorization, addressOf(request))
      const idempotencyKey = Option.fromNullable(headers["idempotency-key"])
      const terms = yield* checkouts.create(payload, { ...by, idempotencyKey })
      return jsonText(yield* Effect.orDie(encodeTerms(terms)), 200)
    }).pipe(Effect.mapError(failed))
})

const makeStatus = (checkouts: Checkouts["Type"]) => {
  const page = (id: string) =>
    checkouts.page(id).pipe(
      Effect.zip(Clock.currentTimeMillis),
      Effect.flatMap(([{ merchant, status }, now]) => checkoutPage(status, merchant, now)),
      Effect.map((rendered) => html(rendered, 200)),
      Effect.catchTag("CheckoutNotFound", () => Effect.succeed(html(missingPage, 404)))
    )

  const statusJson = (id: string) =>
    checkouts.status(id).pipe(
      Effect.flatMap((found) => Effect.orDie(encodeStatus(found))),
      Effect.map((body) => jsonText(body, 200, { vary: "accept" }))
    )

  return ({ path, request }: OfOne) =>
    Effect.mapError(wantsHtml(request) ? page(path.id) : statusJson(path.id), failed)
}

const makeHandlers = Effect.gen(function* () {
  const checkouts = yield* Checkouts

  const simulate = ({ payload }: { readonly payload: CreateCheckout }) =>
    Effect.mapBoth(checkouts.simulate(payload), {
      onSuccess: (simulation) => jsonText(JSON.stringify(simulation), 200),
      onFailure: failed
    })

  const unsigned = ({ path, payload }: OfOne & { readonly payload: { readonly account: string } }) =>
    Effect.mapBoth(checkouts.unsigned(path.id, payload.account), {
      onSuccess: (transaction) => ({ transaction }),
      onFailure: failed
    })

  return {
    create: yield* makeCreate,
    verify: makeVerify(checkouts),
    status: makeStatus(checkouts),
    unsigned,
    simulate
  }
})

const KnownCheckoutLive = Layer.effect(
  KnownCheckout,
  Effect.map(Checkouts, ({ known }) =>
    HttpRouter.RouteContext.pipe(
      Effect.flatMap(({ params }) => known(params["id"] ?? "")),
      Effect.mapError(failed)
    )
  )
)

/** Handlers of the checkout flow under the configured path segment. */
export const CheckoutLive = Layer.unwrapEffect(
  Effect.map(checkoutServiceConfig, (service) =>
    HttpApiBuilder.group(HttpApi.make(API_ID).add(makeCheckoutGroup(service)), "checkout", (handlers) =>
      Effect.map(makeHandlers, ({ create, simulate, status, unsigned, verify }) =>
        handlers
          .handle("create", create)
          .handle("verify", verify)
          .handle("unsigned", unsigned)
          .handle("status", status)
          .handle("simulate", simulate)
      )
    ).pipe(Layer.provide(KnownCheckoutLive))
  )
)
