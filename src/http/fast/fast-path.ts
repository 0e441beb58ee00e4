import { Effect, Option } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import { MCP_PATH } from "../../domain/catalog.ts"
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
import { makeNotes, makeRejections } from "./rejections.ts"
import { hasNoBody, mayNameToken, takeBody } from "./plain-body.ts"
import { isTokenBody, isTokenQuery } from "./token-input.ts"
import { mayCallTool, unpaidCallIn } from "./tool-call.ts"
import { makeToolAnswers, UnpaidTools } from "./unpaid-tools.ts"
import { problemOfBody, problemOfQuery } from "./wrong-input.ts"

/** Serves a request. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => void

/** An answer to give at once, and what the request counts as. */
interface Ready {
  readonly answer: PreparedAnswer
  readonly requestClass: RequestClass
  /** Counts it as answered, and writes its line where it has one. @param started Unix milliseconds at which it came */
  readonly note: (requestId: string, started: number) => void
}

const makeReady = Effect.gen(function* () {
  const offers = yield* Offers
  const challengeOf = makeChallenges(offers)
  const toolAnswerOf = makeToolAnswers(offers, yield* UnpaidTools)
  const noteTool = countingAtOnce(MCP_PATH, "challenge", 200)
  const documents = yield* PreparedDocuments
  const rejectionOf = makeRejections()
  const noteRejection = yield* makeNotes
  const known = new WeakMap<PreparedAnswer, Ready>()

  const readyWith = (answer: PreparedAnswer, requestClass: RequestClass, route: string): Ready => {
    const before = known.get(answer)
    if (before !== undefined) return before
    const made = { answer, requestClass, note: countingAtOnce(route, requestClass, answer.status) }
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

  const rejection = (path: string, method: Priced, problem: string | undefined): Ready | undefined => {
    const answer = problem === undefined ? undefined : rejectionOf(problem)
    if (answer === undefined) return undefined
    const { status } = answer
    const note: Ready["note"] = (requestId, started) =>
      noteRejection({ method, path, route: path, status, started }, requestId)
    return { answer, requestClass: "challenge", note }
  }

  const forGet = (request: IncomingMessage): Ready | undefined => {
    const url = request.url ?? ""
    const mark = url.indexOf("?")
    const path = mark < 0 ? url : url.slice(0, mark)
    if (operationWritten(path) === undefined) return document(url)
    if (!asksForPrice(request.headers)) return undefined
    const query = url.slice(path.length + 1)
    return mark < 0 || isTokenQuery(query)
      ? price(path, "GET")
      : rejection(path, "GET", problemOfQuery(query))
  }

  const forPost = (request: IncomingMessage): Ready | undefined =>
    asksForPrice(request.headers) ? price(request.url ?? "", "POST") : undefined

  const forWrongBody = (request: IncomingMessage, text: string): Ready | undefined =>
    rejection(request.url ?? "", "POST", problemOfBody(text))

  const forTool = (text: string): Ready | undefined => {
    const call = unpaidCallIn(text)
    const answer = call && toolAnswerOf(call)
    return answer && { answer, requestClass: "challenge", note: noteTool }
  }

  /** What reads the body of a request, where it may be one that is answered here. */
  const forBody = (request: IncomingMessage): ((text: string) => Ready | undefined) | undefined => {
    if (mayCallTool(request)) return forTool
    const given = mayNameToken(request) ? forPost(request) : undefined
    return given && ((text) => (isTokenBody(text) ? given : forWrongBody(request, text)))
  }

  return { forGet, forPost, forBody }
})

/**
 * Answers from prepared bytes what is the same for everybody: prices, documents, and that an input is wrong. It knows the
 * plain spelling of the usual requests and leaves everything else, and everything that is not admitted at once, to the
 * application, which gives the same answers to them too. No fiber runs and nothing is encoded: this is most of what
 * crawlers and careful agents send, and nobody pays for it.
 */
export const makeFastPath = Effect.gen(function* () {
  const { admitAtOnce } = yield* Admission
  const addressOf = yield* ClientAddress
  const clock = yield* Effect.clock
  const ready = yield* makeReady

  const give = (request: IncomingMessage, response: ServerResponse, given: Ready | undefined): boolean => {
    if (given === undefined) return false
    const { headers, socket } = request
    const remoteAddress = Option.fromNullable(socket.remoteAddress)
    const address = addressOf({ headers, remoteAddress })
    const now = clock.unsafeCurrentTimeMillis()
    if (!admitAtOnce(given.requestClass, address, now)) return false
    const requestId = requestIdOf(headers[REQUEST_ID])
    sendPrepared(given.answer, response, requestId)
    given.note(requestId, now)
    return true
  }

  const giveToBody = (
    request: IncomingMessage,
    response: ServerResponse,
    read: (text: string) => Ready | undefined
  ): boolean => {
    const body = takeBody(request)
    if (body === undefined) return false
    if (give(request, response, read(body.toString("utf8")))) return true
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
      const read = isPost ? ready.forBody(request) : undefined
      if (read === undefined) return otherwise(request, response)
      // The parser hands over headers before the body that came with them.
      process.nextTick(() => {
        if (!giveToBody(request, response, read)) otherwise(request, response)
      })
    }
})
