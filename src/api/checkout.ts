import { HttpApiEndpoint, HttpApiGroup, HttpApiMiddleware, OpenApi } from "@effect/platform"
import { JSONSchema, Schema } from "effect"
import {
  CheckoutReceipt,
  CheckoutSimulation,
  CheckoutStatus,
  CheckoutTerms,
  CreateCheckout
} from "../domain/checkout.ts"
import { described, withoutBadRequest } from "./described.ts"
import {
  AnyFailure,
  Conflict,
  Gone,
  NotFound,
  PaymentRequiredError,
  Unauthorized,
  Unavailable,
  UnreadBody
} from "./errors.ts"
import { rule } from "../domain/rule.ts"

/** Path segment of the checkout flow when `CHECKOUT_SERVICE` is not set. */
export const DEFAULT_CHECKOUT_SERVICE = "checkout"

/** Where the checkout flow lives. */
export const checkoutPath = (service: string): `/${string}` => `/api/${service}/v1`

/** `Idempotency-Key`: 1 to 255 printable ASCII characters, yours alone: it belongs to the token, or to the caller's address. A UUID is a good one. */
export const IdempotencyKey = Schema.String.pipe(
  Schema.pattern(/^[\x21-\x7e]{1,255}$/, {
    message: () => rule("must be 1 to 255 printable ASCII characters without spaces")
  })
).annotations({
  description: "Makes create repeatable: same key and body give the stored answer, another body gives 409."
})

const VerifyRequest = Schema.Struct({
  paymentSignature: Schema.optional(
    Schema.String.annotations({
      description:
        "Base64 of an x402 v2 PaymentPayload, not a transaction id. May come in the PAYMENT-SIGNATURE header instead."
    })
  )
})
const { $schema: _dialect, ...verifySchema } = JSONSchema.make(VerifyRequest)

/** `null`: there is no body, so the payment is in the header, or the caller asks what to pay. */
const VerifyBody = Schema.declare(Schema.is(Schema.NullOr(VerifyRequest)), {
  identifier: "VerifyCheckout",
  // Described as what is sent: whoever sends nothing needs no description of it.
  jsonSchema: verifySchema,
  message: () => ({ message: rule("must be JSON with a paymentSignature string"), override: true })
})

/** A payment may come in the header, and whoever sends none is told what to pay. */
const withOptionalBody = (operation: Readonly<Record<string, unknown>>) => ({
  ...operation,
  requestBody: { ...Object(operation["requestBody"]), required: false }
})

/** An id nobody issued is 404 whatever comes with it: it is looked up before the body is read. */
export class KnownCheckout extends HttpApiMiddleware.Tag<KnownCheckout>()("token-risk/KnownCheckout", {
  failure: Schema.Union(NotFound, Unavailable)
}) {}

/** The id stays loose: any other text is an unknown checkout (404), not a malformed request. */
const CheckoutPath = Schema.Struct({ id: Schema.String.annotations({ description: "The checkoutId." }) })

const create = HttpApiEndpoint.post("create", "/checkout/create")
  .setPayload(CreateCheckout)
  .setHeaders(
    Schema.Struct({
      "idempotency-key": Schema.optional(IdempotencyKey),
      authorization: Schema.optional(Schema.String).annotations({
        description: "Bearer and a merchant token: own limits, settings and metadata. Without one: anonymous."
      })
    })
  )
  .addSuccess(CheckoutTerms)
  .addError(Unauthorized)
  .addError(Conflict)
  .addError(UnreadBody)
  .annotateContext(
    described(
      "create_checkout",
      "Create a checkout",
      "Returns the terms to show the buyer. Events for webhookUrl are signed with the service's published Ed25519 key " +
        "(/.well-known/jwks.json; Standard Webhooks, v1a)."
    )
  )

/** Operation id of the one endpoint that passes payments on. */
export const VERIFY_CHECKOUT = "verify_checkout"

const verify = HttpApiEndpoint.post("verify", "/checkout/:id/verify")
  .setPath(CheckoutPath)
  .setPayload(VerifyBody)
  .setHeaders(Schema.Struct({ "payment-signature": Schema.optional(Schema.String) }))
  .addSuccess(CheckoutReceipt)
  .addError(PaymentRequiredError)
  .addError(NotFound)
  .addError(Conflict)
  .addError(Gone)
  .addError(UnreadBody)
  .middleware(KnownCheckout)
  .annotate(OpenApi.Transform, withOptionalBody)
  .annotateContext(
    described(
      VERIFY_CHECKOUT,
      "Pay a checkout with a signed payment",
      "Settles the payment directly to the merchant and returns the receipt. The same payment always gets the same " +
        "receipt. Without body and payment it answers the x402 challenge, so any x402 client can pay this address."
    )
  )

const unsigned = HttpApiEndpoint.post("unsigned", "/checkout/:id/transaction")
  .setPath(CheckoutPath)
  .setPayload(
    Schema.Struct({
      account: Schema.String.pipe(Schema.maxLength(64)).annotations({ description: "The paying wallet." })
    }).annotations({ identifier: "WalletAccount" })
  )
  .addSuccess(
    Schema.Struct({
      transaction: Schema.String.annotations({
        description:
          "Base64, without signatures, good for half a minute. Signed by the wallet, it goes into verify as payload.transaction."
      })
    }).annotations({ identifier: "UnsignedPayment" })
  )
  .addError(NotFound)
  .addError(Conflict)
  .addError(Gone)
  .addError(UnreadBody)
  .middleware(KnownCheckout)
  .annotateContext(
    described("build_checkout_payment", "What a browser's Solana wallet signs to pay a checkout")
  )

const status = HttpApiEndpoint.get("status", "/checkout/:id")
  .setPath(CheckoutPath)
  .addSuccess(CheckoutStatus)
  .addError(NotFound)
  .annotate(OpenApi.Transform, withoutBadRequest)
  .annotateContext(
    described(
      "get_checkout",
      "Status of a checkout",
      "JSON with a timeline; the hosted page for the buyer when HTML is accepted."
    )
  )

const simulate = HttpApiEndpoint.post("simulate", "/checkout/simulate")
  .setPayload(CreateCheckout)
  .addSuccess(CheckoutSimulation)
  .addError(UnreadBody)
  .annotateContext(
    described(
      "simulate_checkout",
      "Walk a checkout's whole life without paying",
      "Touches neither a chain nor the ledger; every step is marked as simulated."
    )
  )

/** The checkout flow under one path segment: HttpApi paths are static and the segment is configured. */
export const makeCheckoutGroup = (service: string) =>
  HttpApiGroup.make("checkout")
    .add(create)
    .add(verify)
    .add(unsigned)
    .add(status)
    .add(simulate)
    .addError(AnyFailure)
    .prefix(checkoutPath(service))
    .annotate(OpenApi.Title, "Checkout")
    .annotate(OpenApi.Description, "A merchant gets paid exactly once, directly by the buyer, in USDC.")
