import type { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { HttpApiBuilder, HttpApiError, HttpServerError, HttpServerRequest as Request } from "@effect/platform"
import { Cause, Effect, Option, Schema } from "effect"
import type { ContractError } from "../api/errors.ts"
import {
  BadRequest,
  InternalError,
  MethodNotAllowed,
  NotFound,
  PaymentRequiredError,
  Unauthorized
} from "../api/errors.ts"
import { ClientId } from "../api/token-risk.ts"
import { checkoutServiceConfig } from "../checkout/config.ts"
import type { Operation } from "../domain/catalog.ts"
import { operationAt } from "../domain/catalog.ts"
import { Offers } from "../operations/offers.ts"
import { Operations } from "../operations/operations.ts"
import { ClientAddress } from "./client-address.ts"
import { firstIssue, isEmptyReference, NOT_JSON } from "./invalid-input.ts"
import { NO_MERCHANT_TOKEN } from "./merchant.ts"
import { queryOf, routedPathOf } from "./path.ts"
import { isContractError, respond } from "./responses.ts"
import { makeAllowedMethods, makeTakesForName } from "./routes.ts"
import { NO_SUCH_PAGE } from "./site.ts"
import { wantsHtml } from "./visitors.ts"

const isClientId = Schema.is(ClientId)

/** `src/client/proof.ts` knows such an answer by its first three words. */
const NO_SUCH_PATH = new NotFound({
  error: "no such path: /openapi.json lists the operations, /docs explains them"
})

const queryNames = (request: HttpServerRequest.HttpServerRequest): URLSearchParams =>
  new URLSearchParams(queryOf(request))

/** The query of a request whose input stands there; of others it is not read. */
const inputQuery = (request: HttpServerRequest.HttpServerRequest): URLSearchParams | undefined =>
  request.method === "GET" || request.method === "HEAD" ? queryNames(request) : undefined

/** Machines alone call what lies there. */
const FOR_MACHINES = /^\/+(?:api|\.well-known)(?:\/|$)/i

/** A failure on the wire: JSON, but to a browser that came to an address where there is nothing. */
const answerTo = (request: HttpServerRequest.HttpServerRequest, error: ContractError) =>
  error === NO_SUCH_PATH && wantsHtml(request) && !FOR_MACHINES.test(routedPathOf(request))
    ? NO_SUCH_PAGE
    : respond(error)

/** Neither `chain` nor `address` is given: no query, and no body or an object without both. */
const isEmptyProbe = Effect.fnUntraced(
  function* (request: HttpServerRequest.HttpServerRequest) {
    const query = queryNames(request)
    if (query.has("chain") || query.has("address")) return false
    if (request.method !== "POST") return true
    const text = (yield* request.text).trim()
    if (text === "") return true
    return isEmptyReference(JSON.parse(text))
  },
  Effect.catchAllCause(() => Effect.succeed(false))
)

/** Where a token is needed, its header is the first thing that is looked for. */
const lacksAuthorization = ({ issues: [issue] }: HttpApiError.HttpApiDecodeError): boolean =>
  issue?._tag === "Missing" && issue.path[0] === "authorization"

/** A bug: it is logged, and the caller is told nothing about it. */
export const unexpected = (cause: Cause.Cause<unknown>) =>
  Effect.as(Effect.logError("request failed", cause), new InternalError({ error: "internal error" }))

/**
 * The one place where a failure becomes a response. Handlers fail with the contract's errors; decoding failures,
 * unknown routes, broken bodies and bugs have no typed error, so it sits between HttpApi's router and its own error
 * encoding.
 */
export const ErrorBoundary = HttpApiBuilder.middleware(
  Effect.gen(function* () {
    const offers = yield* Offers
    const operations = yield* Operations
    const clientAddress = yield* ClientAddress
    const checkoutService = yield* checkoutServiceConfig
    const allowedMethods = makeAllowedMethods(checkoutService)
    const takesForName = makeTakesForName(checkoutService)

    /** Whether this request would be free: then its input is checked before any payment is asked for. */
    const isFree = (operation: Operation, request: HttpServerRequest.HttpServerRequest) => {
      const clientId = request.headers["x-client-id"]
      if (!operation.hasFreeCalls || clientId === undefined || request.method === "HEAD")
        return Effect.succeed(false)
      return Effect.orElseSucceed(
        operations.hasFreeCall({ clientId, ip: clientAddress(request) }),
        () => false
      )
    }

    /** An unpaid empty probe gets the challenge, so that crawlers can list the service; anything else is a 400. */
    const invalid = Effect.fnUntraced(function* (
      request: HttpServerRequest.HttpServerRequest,
      message: string
    ) {
      const operation = operationAt(routedPathOf(request))
      const clientId = request.headers["x-client-id"]
      if (
        operation !== undefined &&
        (clientId === undefined || isClientId(clientId)) &&
        (request.headers["payment-signature"] === undefined || request.method === "HEAD") &&
        (yield* isEmptyProbe(request)) &&
        !(yield* isFree(operation, request))
      ) {
        const channel = request.method === "POST" ? "POST" : "GET"
        return PaymentRequiredError.of(offers.challenge(operation.id, channel).challenge)
      }
      return new BadRequest({ error: message })
    })

    /** The router finds no way for a method that a path has where an id in it cannot be one: too long, or no text. */
    const noRoute = (request: HttpServerRequest.HttpServerRequest) => {
      const methods = allowedMethods(routedPathOf(request))
      return methods === undefined || methods.includes(request.method)
        ? NO_SUCH_PATH
        : MethodNotAllowed.of(methods)
    }

    const toContract = Effect.fnUntraced(function* (error: unknown, cause: Cause.Cause<unknown>) {
      if (isContractError(error)) return error
      const request = yield* Request.HttpServerRequest
      if (error instanceof HttpApiError.HttpApiDecodeError)
        return lacksAuthorization(error)
          ? new Unauthorized({ error: NO_MERCHANT_TOKEN })
          : yield* invalid(request, firstIssue(error.issues, inputQuery(request)))
      if (error instanceof HttpServerError.RouteNotFound) return noRoute(request)
      if (error instanceof HttpServerError.RequestError) return yield* invalid(request, NOT_JSON)
      return yield* unexpected(cause)
    })

    /** What the router would answer as something else's: `GET /checkout/create` as the checkout of that name. */
    const routed = <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
      Effect.flatMap(Request.HttpServerRequest, (request) =>
        takesForName(routedPathOf(request), request.method)
          ? Effect.succeed(answerTo(request, noRoute(request)))
          : app
      )

    return (app) =>
      Effect.catchAllCause(routed(app), (cause) => {
        if (Cause.isInterruptedOnly(cause)) return Effect.failCause(cause)
        const error = Option.getOrElse(Cause.failureOption(cause), () => Cause.squash(cause))
        return Effect.zipWith(Request.HttpServerRequest, toContract(error, cause), answerTo)
      })
  })
)
