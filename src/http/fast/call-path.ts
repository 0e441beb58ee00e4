import { Headers, HttpServerError } from "@effect/platform"
import { Cause, Clock, Context, Effect, Option, Runtime, Schema } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import { ClientId } from "../../api/token-risk.ts"
import { type OperationId, OPERATIONS } from "../../domain/catalog.ts"
import { TokenRef } from "../../domain/token.ts"
import { Admission } from "../admission/admission.ts"
import { adoptFacts, makeFacts } from "../admission/facts.ts"
import { ClientAddress } from "../client-address.ts"
import { onClose } from "../disconnect.ts"
import { unexpected } from "../error-boundary.ts"
import { noteAnswer } from "../observe.ts"
import { REQUEST_ID, requestIdOf } from "../request-id.ts"
import { respond } from "../responses.ts"
import { type Call, makeRun } from "../token-risk.ts"
import { operationWritten } from "./challenge.ts"
import type { Listener } from "./fast-path.ts"
import { makeFreePath, type PlainCall } from "./free-path.ts"
import { hasNoBody, mayNameToken, takeBody } from "./plain-body.ts"
import { prepareAnswer, sendPrepared } from "./prepared-answer.ts"
import { tokenOfBody, tokenOfQuery, type WrittenToken } from "./token-input.ts"

const decodeToken = Schema.decodeUnknownOption(TokenRef)

/** Tokens that are kept as they were decoded. Anybody can invent them, so they are few. */
const MOST_TOKENS = 512
const tokens = new Map<string, TokenRef>()

/** The same tokens are asked for again and again; decoding one takes as long as counting its call. */
const tokenOf = ({ address, chain }: WrittenToken): TokenRef | undefined => {
  const key = `${chain} ${address}`
  const known = tokens.get(key)
  if (known !== undefined) return known
  const token = Option.getOrUndefined(decodeToken({ chain, address }))
  if (tokens.size >= MOST_TOKENS) tokens.clear()
  if (token !== undefined) tokens.set(key, token)
  return token
}

const isClientId = Schema.is(ClientId)

/**
 * Whether a request is about more than a price: it pays, or names who may have free calls. A name that does not count
 * here, or is none, is left to the router.
 */
const isCall = ({ headers, url = "" }: IncomingMessage): boolean => {
  const clientId = headers["x-client-id"]
  if (clientId === undefined) return headers["payment-signature"] !== undefined
  const [path = ""] = url.split("?", 1)
  const id = operationWritten(path)
  return id !== undefined && OPERATIONS[id].hasFreeCalls && isClientId(clientId)
}

const callOf = (path: string, written: WrittenToken | "empty" | undefined): PlainCall | undefined => {
  const id = operationWritten(path)
  const token = written === undefined || written === "empty" ? undefined : tokenOf(written)
  return id === undefined || token === undefined ? undefined : { id, path, token }
}

const callOfGet = ({ url = "" }: IncomingMessage): PlainCall | undefined => {
  const mark = url.indexOf("?")
  return mark < 0 ? undefined : callOf(url.slice(0, mark), tokenOfQuery(url.slice(mark + 1)))
}

/** Serves a call from its admission to the bytes of its answer. */
const makeServe = Effect.gen(function* () {
  const { admitRead } = yield* Admission
  const addressOf = yield* ClientAddress
  const run = yield* makeRun

  const answerOf = (id: OperationId, call: Call) =>
    run(id)(call).pipe(
      Effect.catchAll((error) => Effect.succeed(respond(error))),
      Effect.catchAllCause((cause) =>
        Cause.isInterruptedOnly(cause) ? Effect.failCause(cause) : Effect.map(unexpected(cause), respond)
      )
    )

  return Effect.fnUntraced(function* (
    { id, path, token }: PlainCall,
    request: IncomingMessage,
    response: ServerResponse
  ) {
    const started = yield* Clock.currentTimeMillis
    const headers = Headers.fromInput(request.headers)
    const remoteAddress = Option.fromNullable(request.socket.remoteAddress)
    const method: "GET" | "POST" = request.method === "POST" ? "POST" : "GET"
    const sender = { headers, remoteAddress, method }
    const facts = makeFacts(requestIdOf(headers[REQUEST_ID]))
    const deciding = {
      "payment-signature": headers["payment-signature"],
      "x-client-id": headers["x-client-id"]
    }
    const requestClass = deciding["payment-signature"] === undefined ? "free" : "paid"
    facts.requestClass = requestClass
    yield* adoptFacts(facts)
    const call = { payload: token, headers: deciding, request: sender }
    const answered = yield* admitRead(requestClass, addressOf(sender), facts, answerOf(id, call))
    yield* noteAnswer({ method, path, route: path, status: answered.status, started }, facts, false)
    const prepared = prepareAnswer(answered)
    if (prepared === undefined) return yield* Effect.dieMessage("an answer to a call is streamed")
    sendPrepared(prepared, response, facts.requestId)
  })
})

/**
 * Serves whoever writes a paid or a free call as clients write it, without the router, its decoding and its middleware:
 * they take as many steps as a quarter of a sale. What they would do is done here in the same words, and a property test
 * compares. Everything else goes the long way.
 */
export const makeCallPath = Effect.gen(function* () {
  const serve = yield* makeServe
  const takeFree = yield* makeFreePath
  const runtime = yield* Effect.runtime<never>()
  const runFork = Runtime.runFork(Runtime.updateContext(runtime, () => Context.empty()))

  const give = (call: PlainCall, request: IncomingMessage, response: ServerResponse): void => {
    if (takeFree(call, request, response)) return
    const fiber = runFork(serve(call, request, response))
    const forget = onClose(request.socket, () =>
      fiber.unsafeInterruptAsFork(HttpServerError.clientAbortFiberId)
    )
    fiber.addObserver(() => {
      forget()
      // A caller who would never be answered is told so by the end of the connection, and asks again.
      if (!response.headersSent) response.destroy()
    })
  }

  const giveToBody = (request: IncomingMessage, response: ServerResponse): boolean => {
    const body = takeBody(request)
    if (body === undefined) return false
    const call = callOf(request.url ?? "", tokenOfBody(body.toString("utf8")))
    if (call === undefined) request.unshift(body)
    else give(call, request, response)
    return call !== undefined
  }

  return (otherwise: Listener): Listener =>
    (request, response) => {
      if (!isCall(request)) return otherwise(request, response)
      if (request.method === "GET" && hasNoBody(request)) {
        const call = callOfGet(request)
        return call === undefined ? otherwise(request, response) : give(call, request, response)
      }
      if (request.method !== "POST" || !mayNameToken(request)) return otherwise(request, response)
      // The parser hands over headers before the body that came with them.
      process.nextTick(() => {
        if (!giveToBody(request, response)) otherwise(request, response)
      })
    }
})
