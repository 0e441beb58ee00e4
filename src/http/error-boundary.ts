import type { HttpServerRequest } from "@effect/platform"
import { HttpApiBuilder, HttpApiError, HttpServerError, HttpServerRequest as Request } from "@effect/platform"
import { Cause, Effect, Option, Schema } from "effect"
import { ClientId } from "../api/token-risk.ts"
import type { Operation } from "../operations/catalog.ts"
import { operationAt } from "../operations/catalog.ts"
import { checkoutServiceConfig } from "../checkout/config.ts"
import { Offers } from "../operations/offers.ts"
import { Operations } from "../operations/operations.ts"
import { ClientAddress } from "./client-address.ts"
import { pathOf } from "./path.ts"
import { challenge, errorBody } from "./responses.ts"
import { makeAllowedMethods } from "./routes.ts"

const isClientId = Schema.is(ClientId)

/** Longest part of a decoding message that is echoed. */
const MESSAGE_LENGTH = 200

const firstIssue = (error: HttpApiError.HttpApiDecodeError): string => {
  const issue = error.issues[0]
  if (issue === undefined) return "invalid request"
  const path = issue.path.map(String).join(".")
  // Schema's own texts quote the input; only messages we wrote ourselves go out.
  const message = /^(?:must be|is missing)/.test(issue.message)
    ? issue.message
    : "is missing or has the wrong type"
  return `${path === "" ? "body" : path}: ${message}`.slice(0, MESSAGE_LENGTH)
}

const queryNames = (request: HttpServerRequest.HttpServerRequest): URLSearchParams =>
  new URLSearchParams(request.url.split("?")[1] ?? "")

/** Neither `chain` nor `address` is given: no query, and no body or an object without both (decisions 3.2). */
const isEmptyProbe = (request: HttpServerRequest.HttpServerRequest) =>
  Effect.gen(function* () {
    const query = queryNames(request)
    if (query.has("chain") || query.has("address")) return false
    if (request.method !== "POST") return true
    const text = (yield* request.text).trim()
    if (text === "") return true
    const body: unknown = JSON.parse(text)
    return (
      typeof body === "object" &&
      body !== null &&
      !Array.isArray(body) &&
      !("chain" in body || "address" in body)
    )
  }).pipe(Effect.catchAllCause(() => Effect.succeed(false)))

/**
 * Turns everything that is not an answer into `{ "error" }` with the right status. It sits between HttpApi's router
 * and its own error encoding, because decoding failures, unknown routes and broken bodies have no typed error.
 */
export const ErrorBoundary = HttpApiBuilder.middleware(
  Effect.gen(function* () {
    const offers = yield* Offers
    const operations = yield* Operations
    const clientAddress = yield* ClientAddress
    const allowedMethods = makeAllowedMethods(yield* checkoutServiceConfig)

    /** Would this request be free? Then input is checked before anything is asked for. */
    const isFree = (operation: Operation, request: HttpServerRequest.HttpServerRequest) => {
      const clientId = request.headers["x-client-id"]
      if (operation.depth !== "deep" || clientId === undefined || request.method === "HEAD")
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
      const operation = operationAt(pathOf(request))
      const clientId = request.headers["x-client-id"]
      if (
        operation !== undefined &&
        (clientId === undefined || isClientId(clientId)) &&
        (request.headers["payment-signature"] === undefined || request.method === "HEAD") &&
        (yield* isEmptyProbe(request)) &&
        !(yield* isFree(operation, request))
      ) {
        return challenge(offers.challenge(operation.id, request.method === "POST" ? "POST" : "GET"))
      }
      return errorBody(400, message)
    })

    const noRoute = (request: HttpServerRequest.HttpServerRequest) => {
      const methods = allowedMethods(pathOf(request))
      return methods === undefined
        ? errorBody(404, "no such path")
        : errorBody(405, "method not allowed", { allow: methods.join(", ") })
    }

    const brokenBody = (request: HttpServerRequest.HttpServerRequest, error: HttpServerError.RequestError) =>
      /maxBytes/i.test(error.message)
        ? Effect.succeed(errorBody(413, "body is too large", { connection: "close" }))
        : invalid(request, "body: must be JSON")

    return (app) =>
      Effect.catchAllCause(app, (cause) =>
        Effect.gen(function* () {
          if (Cause.isInterruptedOnly(cause)) return yield* Effect.failCause(cause)
          const request = yield* Request.HttpServerRequest
          const error = Option.getOrElse(Cause.failureOption(cause), () => Cause.squash(cause))
          if (error instanceof HttpApiError.HttpApiDecodeError)
            return yield* invalid(request, firstIssue(error))
          if (error instanceof HttpServerError.RouteNotFound) return noRoute(request)
          if (error instanceof HttpServerError.RequestError) return yield* brokenBody(request, error)
          yield* Effect.logError("request failed", cause)
          return errorBody(500, "internal error")
        })
      )
  })
)
