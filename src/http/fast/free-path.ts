import { Context, Effect, Option, Runtime } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { OperationId } from "../../domain/catalog.ts"
import type { TokenRef } from "../../domain/token.ts"
import type { FreeCaller } from "../../free-tier/free-tier-store.ts"
import { Offers } from "../../operations/offers.ts"
import { type KnownCall, type KnownReport, Operations } from "../../operations/operations.ts"
import { Admission } from "../admission/admission.ts"
import { type Facts, makeFacts } from "../admission/facts.ts"
import { ClientAddress } from "../client-address.ts"
import { unexpected } from "../error-boundary.ts"
import { noteAnswers } from "../observe.ts"
import { REQUEST_ID, requestIdOf } from "../request-id.ts"
import { jsonText, respond } from "../responses.ts"
import { makeFailed } from "../token-risk.ts"
import { makeChallenges } from "./challenge.ts"
import { type PreparedAnswer, prepareAnswer, sendPrepared } from "./prepared-answer.ts"
import { inRounds } from "./rounds.ts"

/** A call that needs no router to be read. */
export interface PlainCall {
  readonly id: OperationId
  readonly path: string
  readonly token: TokenRef
}

/** Answers a call where it can; `false`, and nothing is done, where not. */
export type TakeCall = (call: PlainCall, request: IncomingMessage, response: ServerResponse) => boolean

/** A free call whose report is known, from its arrival to its answer. */
interface Waiting extends KnownCall {
  readonly call: PlainCall
  readonly method: "GET" | "POST"
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly facts: Facts
  /** Unix milliseconds at which it came. */
  readonly started: number
  status: number | undefined
}

const send = (waiting: Waiting, prepared: PreparedAnswer | undefined): void => {
  if (prepared === undefined || waiting.request.socket.destroyed) return
  waiting.status = prepared.status
  sendPrepared(prepared, waiting.response, waiting.facts.requestId)
}

/** The bytes of reports, for as long as they are known. */
const makeReports = () => {
  const prepared = new WeakMap<KnownReport, PreparedAnswer>()
  return (report: KnownReport): PreparedAnswer | undefined => {
    const before = prepared.get(report)
    if (before !== undefined) return before
    const made = prepareAnswer(jsonText(report.text, 200))
    if (made !== undefined) prepared.set(report, made)
    return made
  }
}

const answeredOf = ({ call: { path }, facts, method, started, status }: Waiting) =>
  status === undefined ? [] : [{ answered: { method, path, route: path, status, started }, facts }]

/** Counts calls that came together, answers them, and tells those who wait why it could not be done. */
const makeGive = Effect.gen(function* () {
  const { freeReports } = yield* Operations
  const failed = yield* makeFailed

  return (calls: ReadonlyArray<Waiting>) =>
    freeReports.give(calls).pipe(
      Effect.map(() => undefined),
      Effect.catchAll((error) => Effect.succeed((one: Waiting) => failed(one.call.id, one.method)(error))),
      Effect.catchAllCause((cause) => Effect.map(unexpected(cause), (error) => () => error)),
      Effect.tap((errorOf) => {
        if (errorOf === undefined) return
        for (const one of calls) if (one.status === undefined) send(one, prepareAnswer(respond(errorOf(one))))
      }),
      Effect.flatMap(() => noteAnswers(calls.flatMap(answeredOf)))
    )
})

/**
 * Serves free calls whose report is known without a fiber of their own: those that come together are counted in one
 * transaction and answered from bytes. They need their address's budget and no slot, because slots are for work. Whatever
 * else it is about a call is left to the way of all calls.
 */
export const makeFreePath = Effect.gen(function* () {
  const { freeReports } = yield* Operations
  const { spendAtOnce } = yield* Admission
  const addressOf = yield* ClientAddress
  const clock = yield* Effect.clock
  const challengeOf = makeChallenges(yield* Offers)
  const give = yield* makeGive
  const reportOf = makeReports()
  const runtime = yield* Effect.runtime<never>()
  const runCallback = Runtime.runCallback(Runtime.updateContext(runtime, () => Context.empty()))

  const add = inRounds<Waiting>((together, ended) => {
    runCallback(give(together), {
      onExit: () => {
        // A caller who would never be answered is told so by the end of the connection, and asks again.
        for (const { response } of together) if (!response.headersSent) response.destroy()
        ended()
      }
    })
  })

  const waitingOf = (
    call: PlainCall,
    request: IncomingMessage,
    response: ServerResponse,
    known: { readonly caller: FreeCaller; readonly report: KnownReport; readonly started: number }
  ): Waiting => {
    const facts = makeFacts(requestIdOf(request.headers[REQUEST_ID]))
    facts.requestClass = "free"
    const method = request.method === "POST" ? ("POST" as const) : ("GET" as const)
    const waiting: Waiting = {
      ...known,
      call,
      request,
      response,
      facts,
      method,
      status: undefined,
      deliver: () => {
        facts.free = true
        send(waiting, reportOf(known.report))
        return waiting.status !== undefined
      },
      refuse: () => send(waiting, challengeOf(call.id, method))
    }
    return waiting
  }

  return ((call, request, response) => {
    const { headers, socket } = request
    const clientId = headers["x-client-id"]
    if (headers["payment-signature"] !== undefined || typeof clientId !== "string") return false
    const address = addressOf({ headers, remoteAddress: Option.fromNullable(socket.remoteAddress) })
    const started = clock.unsafeCurrentTimeMillis()
    const report = freeReports.find(call.id, call.token, address, started)
    if (report === undefined || !spendAtOnce("free", address, started)) return false
    add(waitingOf(call, request, response, { caller: { clientId, ip: address }, report, started }))
    return true
  }) satisfies TakeCall
})
