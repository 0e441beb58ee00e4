import { HttpApi, HttpApiBuilder } from "@effect/platform"
import { Effect, Layer, Option, Redacted } from "effect"
import { API_ID } from "../api/api.ts"
import { makeMerchantGroup } from "../api/merchant.ts"
import { anonymousCaller, merchantCaller } from "../checkout/caller.ts"
import type { CreateOptions } from "../checkout/checkouts.ts"
import { Checkouts } from "../checkout/checkouts.ts"
import { checkoutServiceConfig } from "../checkout/config.ts"
import { CheckoutNotFound, MerchantUnknown } from "../checkout/errors.ts"
import type { Merchant } from "../checkout/merchants/merchants.ts"
import { Merchants } from "../checkout/merchants/merchants.ts"
import { Refunds } from "../checkout/refunds/refunds.ts"
import { merchantKey } from "../domain/checkout.ts"
import type { UpstreamError } from "../domain/errors.ts"
import type { RefundRequest } from "../domain/refund.ts"
import type { CheckoutFailure } from "../operations/failures.ts"
import { describeCheckoutFailure } from "../operations/failures.ts"
import { toContractError } from "./failures.ts"

const failed = <E extends CheckoutFailure>(error: E) => toContractError(describeCheckoutFailure(error))

/** The token of an `Authorization: Bearer …` header. */
const bearer = (header: string): Option.Option<Redacted.Redacted> => {
  const [, token] = /^Bearer +([A-Za-z0-9_-]{1,128})$/i.exec(header) ?? []
  return token === undefined ? Option.none() : Option.some(Redacted.make(token))
}

/** What whoever brings no merchant token is told. */
export const NO_MERCHANT_TOKEN =
  "authorization: must be Bearer and a merchant token (POST /merchant/challenge leads to one)"

/** The merchant of an `Authorization` header. */
const authenticated = (merchants: Merchants["Type"], header: string) =>
  Option.match(bearer(header), {
    onNone: () => Effect.fail(new MerchantUnknown({ message: NO_MERCHANT_TOKEN })),
    onSome: merchants.authenticate
  })

/** Who creates a checkout: the merchant of the token, or without one the caller's address. */
export const creator = (
  merchants: Merchants["Type"],
  header: string | undefined,
  address: string
): Effect.Effect<Pick<CreateOptions, "caller" | "merchant">, MerchantUnknown | UpstreamError> =>
  header === undefined
    ? Effect.succeed({ caller: anonymousCaller(address) })
    : Effect.map(authenticated(merchants, header), (merchant) => ({
        caller: merchantCaller(merchant.id),
        merchant
      }))

interface Authorized {
  readonly headers: { readonly authorization: string }
}

const makeHandlers = Effect.gen(function* () {
  const merchants = yield* Merchants
  const checkouts = yield* Checkouts
  const refunds = yield* Refunds

  /** Runs an action for the token's merchant; every failure leaves as the contract's error. */
  const as = <A, E extends CheckoutFailure>(
    { headers }: Authorized,
    action: (merchant: Merchant) => Effect.Effect<A, E>
  ) => Effect.mapError(Effect.flatMap(authenticated(merchants, headers.authorization), action), failed)

  const revoke = (merchant: Merchant, id: string) =>
    Effect.flatMap(merchants.revoke(merchant, id), (revoked) =>
      revoked ? Effect.void : new CheckoutNotFound({ id, what: "token" })
    )

  /** Whoever proved the receiving account, also for checkouts that were created without a token. */
  const refund = Effect.fnUntraced(function* ({ account }: Merchant, id: string, request: RefundRequest) {
    const { terms } = yield* checkouts.status(id)
    return merchantKey(terms.network, terms.payTo) === account
      ? yield* refunds.prepare(id, request)
      : yield* new CheckoutNotFound({ id })
  })

  return { merchants, checkouts, as, revoke, refund }
})

/** Handlers of the merchants' part of the checkout flow. */
export const MerchantLive = Layer.unwrapEffect(
  Effect.map(checkoutServiceConfig, (service) =>
    HttpApiBuilder.group(HttpApi.make(API_ID).add(makeMerchantGroup(service)), "merchant", (handlers) =>
      Effect.map(makeHandlers, ({ as, checkouts, merchants, refund, revoke }) =>
        handlers
          .handle("challenge", ({ payload }) => merchants.challenge(payload))
          .handle("signIn", ({ payload }) => Effect.mapError(merchants.signIn(payload), failed))
          .handle("profile", (request) =>
            as(request, (merchant) => Effect.succeed(merchants.profile(merchant)))
          )
          .handle("change", (request) =>
            as(request, (merchant) => merchants.change(merchant, request.payload))
          )
          .handle("tokens", (request) =>
            as(request, (merchant) => Effect.map(merchants.tokens(merchant), (tokens) => ({ tokens })))
          )
          .handle("revoke", (request) => as(request, (merchant) => revoke(merchant, request.path.id)))
          .handle("list", (request) => as(request, (merchant) => checkouts.list(merchant, request.urlParams)))
          .handle("strays", (request) =>
            as(request, (merchant) => checkouts.strays(merchant, request.urlParams))
          )
          .handle("cancel", (request) =>
            as(request, (merchant) => checkouts.cancel(merchant, request.path.id))
          )
          .handle("refund", (request) =>
            as(request, (merchant) => refund(merchant, request.path.id, request.payload))
          )
          .handle("replay", (request) =>
            as(request, (merchant) => checkouts.replayEvent(merchant, request.path.id, request.path.event))
          )
      )
    )
  )
)
