import { Effect, FiberRef, Option } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import { Offers } from "../../operations/offers.ts"
import { Admission } from "../admission/admission.ts"
import type { RequestClass } from "../admission/classes.ts"
import { isHealth } from "../admission/classes.ts"
import { countingAtOnce } from "../admission/facts.ts"
import { ClientAddress } from "../client-address.ts"
import { REQUEST_ID, requestIdOf } from "../request-id.ts"
import type { Priced } from "./challenge.ts"
import { asksForPrice, makeChallenges, operationWritten } from "./challenge.ts"
import { PreparedDocuments } from "./documents.ts"
import type { PreparedAnswer } from "./prepared-answer.ts"
import { sendPrepared } from "./prepared-answer.ts"
import { hasNoBody, mayNameToken, takeBody } from "./plain-body.ts"
import { isTokenBody, isTokenQuery } from "./token-input.ts"

/** Serves a request. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => void

/** An answer to give at once, and what the request counts as. */
interface Ready {
  readonly answer: PreparedAnswer
  readonly requestClass: RequestClass
  /** Counts it as answered. */
  readonly count: () => void
}

/** Of the traced requests that could be answered at once, this many go the long way once, and show what it is like. */
const SPANS_ONE_OF = 64

const isInTrace = ({ headers }: IncomingMessage): boolean =>
  headers["traceparent"] !== undefined || headers["b3"] !== undefined || headers["x-b3-traceid"] !== undefined

const makeReady = Effect.gen(function* () {
  const challengeOf = makeChallenges(yield* Offers)
  const documents = yield* PreparedDocuments
  const known = new WeakMap<PreparedAnswer, Ready>()

  const readyWith = (answer: PreparedAnswer, requestClass: RequestClass, route: string): Ready => {
    const before = known.get(answer)
    if (before !== undefined) return before
    const made = { answer, requestClass, count: countingAtOnce(route, requestClass, answer.status) }
    known.set(answer, made)
    return made
  }

  const price = (path: string, method: Priced): Ready | undefined => {
    const id = operationWritten(path)
    const answer = id === undefined ? undefined : challengeOf(id, method)
    return answer && readyWith(answer, "challenge", path)
  }

  const document = (path: string): Ready | undefined => {
    const answer = documents.find(path)
    return answer && readyWith(answer, isHealth(path) ? "health" : "documents", path)
  }

  const forGet = (request: IncomingMessage): Ready | undefined => {
    const url = request.url ?? ""
    const mark = url.indexOf("?")
    const path = mark < 0 ? url : url.slice(0, mark)
    if (operationWritten(path) === undefined) return document(url)
    const asks = asksForPrice(request.headers) && (mark < 0 || isTokenQuery(url.slice(mark + 1)))
    return asks ? price(path, "GET") : undefined
  }

  const forPost = (request: IncomingMessage): Ready | undefined =>
    asksForPrice(request.headers) ? price(request.url ?? "", "POST") : undefined

  return { forGet, forPost }
})

/**
 * Answers from prepared bytes what is the same for everybody: prices and documents. It knows the plain spelling of the
 * usual requests and leaves everything else, and everything that is not admitted at once, to the application, which gives
 * the same answers to them too. No fiber runs and nothing is encoded: this is most of what crawlers and careful agents
 * send, and nobody pays for it.
 * Where requests are traced, those that are part of a trace, and a few others, go the long way.
 */
export const makeFastPath = Effect.gen(function* () {
  const traced = yield* FiberRef.get(FiberRef.currentTracerEnabled)
  const { admitAtOnce } = yield* Admission
  const addressOf = yield* ClientAddress
  const clock = yield* Effect.clock
  const ready = yield* makeReady
  let seen = 0

  const isForSpan = (request: IncomingMessage): boolean =>
    traced && (isInTrace(request) || (seen += 1) % SPANS_ONE_OF === 1)

  const give = (request: IncomingMessage, response: ServerResponse, given: Ready | undefined): boolean => {
    if (given === undefined || isForSpan(request)) return false
    const { headers, socket } = request
    const remoteAddress = Option.fromNullable(socket.remoteAddress)
    const address = addressOf({ headers, remoteAddress })
    if (!admitAtOnce(given.requestClass, address, clock.unsafeCurrentTimeMillis())) return false
    sendPrepared(given.answer, response, requestIdOf(headers[REQUEST_ID]))
    given.count()
    return true
  }

  const giveToBody = (request: IncomingMessage, response: ServerResponse, given: Ready): boolean => {
    const body = takeBody(request)
    if (body === undefined) return false
    if (isTokenBody(body.toString("utf8")) && give(request, response, given)) return true
    request.unshift(body)
    return false
  }

  return (otherwise: Listener): Listener =>
    (request, response) => {
      const isPost = request.method === "POST"
      if (hasNoBody(request) && (isPost || request.method === "GET")) {
        const given = isPost ? ready.forPost(request) : ready.forGet(request)
        if (!give(request, response, given)) otherwise(request, response)
        return
      }
      const given = isPost && mayNameToken(request) ? ready.forPost(request) : undefined
      if (given === undefined) return otherwise(request, response)
      // The parser hands over headers before the body that came with them.
      process.nextTick(() => {
        if (!giveToBody(request, response, given)) otherwise(request, response)
      })
    }
})
