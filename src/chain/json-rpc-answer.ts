import { Either, Schema } from "effect"
import { isWithinBounds, UPSTREAM_JSON } from "../domain/bounded-json.ts"
import { UpstreamError } from "../domain/errors.ts"

const ErrorObject = Schema.Struct({
  code: Schema.Number,
  message: Schema.optionalWith(Schema.String, { default: () => "" }),
  data: Schema.optional(Schema.Unknown)
})
/** The `error` member of a node's answer. Its text is the node's: bound it before it goes anywhere. */
export type RpcErrorObject = typeof ErrorObject.Type

/** An answer: a result, or code that ran and failed, which is an answer about the contract and not about the node. */
export type RpcReply =
  | { readonly executed: true; readonly result: unknown }
  | { readonly executed: false; readonly data: string; readonly error: RpcErrorObject }

/** What differs between the chains. */
export interface Dialect {
  readonly upstream: "base-rpc" | "solana-rpc"
  /** Throws on what is not JSON. */
  readonly parse: (text: string) => unknown
  /** What an error object says: failed execution (an answer), or why this node gave none. */
  readonly readError: (
    error: RpcErrorObject
  ) => { readonly executed: false; readonly data: string } | UpstreamError["kind"]
  /** Whether a result has the outline that results of this method have. What is inside is left to whoever reads it. */
  readonly hasForm: (method: string, result: unknown) => boolean
}

/** Why one endpoint gave no answer to one request. */
export interface Refusal {
  readonly error: UpstreamError
  /** What the node said, where it said something in JSON-RPC's own words. */
  readonly answer: RpcErrorObject | undefined
  /** What to leave in peace: the endpoint (it is out of reach), this method there (a limit, a gap), or nothing. */
  readonly rests: "endpoint" | "method" | "nothing"
}

export type RpcAnswer = Either.Either<RpcReply, Refusal>

const Reply = Schema.Struct({
  id: Schema.optional(Schema.Unknown),
  result: Schema.optional(Schema.Unknown),
  error: Schema.optional(Schema.NullOr(ErrorObject))
})
const isPlainResult = (json: unknown): json is { readonly id: unknown; readonly result: unknown } =>
  typeof json === "object" &&
  json !== null &&
  "id" in json &&
  "result" in json &&
  json.result !== undefined &&
  !("error" in json)
const decodeReply = Schema.decodeUnknownEither(Reply)
/** The error that one object tells; none where it is something else. */
const errorIn = (json: unknown): RpcErrorObject | undefined =>
  Either.match(decodeReply(json), { onLeft: () => undefined, onRight: ({ error }) => error ?? undefined })

/** JSON-RPC 2.0: the method does not exist. It will not tomorrow either, so another endpoint is asked first. */
const METHOD_NOT_FOUND = -32601

/** Upstream text in a log line: short, printable ASCII. */
const forLog = (text: string): string => text.replace(/[^\x20-\x7e]/g, "?").slice(0, 200)

/** Why a node's answer is no answer, in this chain's name. */
const makeRefusals = (upstream: Dialect["upstream"]) => {
  const refuse = (
    kind: UpstreamError["kind"],
    detail: string,
    rests: Refusal["rests"],
    answer?: RpcErrorObject
  ): Refusal => ({ error: new UpstreamError({ upstream, kind, detail: forLog(detail) }), rests, answer })
  return {
    refuse,
    malformed: (detail: string) => refuse("malformed", detail, "method"),
    /** Of an error in JSON-RPC's own words. */
    ofError: (kind: UpstreamError["kind"], error: RpcErrorObject) => {
      const rests = kind === "rejected" && error.code !== METHOD_NOT_FOUND ? "nothing" : "method"
      return refuse(kind, `JSON-RPC error ${error.code}: ${error.message}`, rests, error)
    }
  }
}

/** Reads the reply to the request of an id. */
const makeReplyReader =
  (readError: Dialect["readError"], { malformed, ofError }: ReturnType<typeof makeRefusals>) =>
  (reply: typeof Reply.Type, id: number): RpcAnswer => {
    const { error } = reply
    if (error === undefined || error === null) {
      if (reply.id !== id) return Either.left(malformed("answer to another request"))
      return reply.result === undefined
        ? Either.left(malformed("answer has neither result nor error"))
        : Either.right({ executed: true, result: reply.result })
    }
    const read = readError(error)
    if (typeof read === "string") return Either.left(ofError(read, error))
    // "It reverts" is an answer; the answer to another request says nothing about this one.
    return reply.id === id
      ? Either.right({ ...read, error })
      : Either.left(malformed("answer to another request"))
  }

/** A limit of batches goes by the codes of a limit of requests too; waiting helps against the latter alone. */
const NAMES_BATCHES = /batch/i

/** Reads what nodes answer, by one chain's dialect. No I/O. */
export const makeAnswerReader = ({ upstream, parse, readError }: Dialect) => {
  const refusals = makeRefusals(upstream)
  const { malformed, ofError, refuse } = refusals
  const readReply = makeReplyReader(readError, refusals)

  const readJson = (text: string): Either.Either<unknown, Refusal> =>
    isWithinBounds(text, UPSTREAM_JSON)
      ? Either.try({ try: () => parse(text), catch: () => malformed("answer is not JSON") })
      : Either.left(malformed("answer is too deep or too long"))

  /** The JSON of one HTTP answer. Some nodes give JSON-RPC errors a 4xx status, so the body is looked at too. */
  const readHttp = (status: number, text: string): Either.Either<unknown, Refusal> => {
    if (status === 429) return Either.left(refuse("rate-limited", "HTTP status 429", "method"))
    if (status >= 500) return Either.left(refuse("transport", `HTTP status ${status}`, "endpoint"))
    const json = readJson(text)
    return status < 300 ||
      (Either.isRight(json) && (Array.isArray(json.right) || errorIn(json.right) !== undefined))
      ? json
      : Either.left(refuse("rejected", `HTTP status ${status}`, "method"))
  }

  const readOne = (json: unknown): RpcAnswer => {
    // What almost every answer is, without the schema's detour.
    if (isPlainResult(json) && json.id === 0) return Either.right({ executed: true, result: json.result })
    return Either.flatMap(
      Either.mapLeft(decodeReply(json), () => malformed("not a JSON-RPC answer")),
      (reply) => readReply(reply, 0)
    )
  }

  /** What one object says of a whole batch. */
  const readUnbatched = (json: unknown, length: number): ReadonlyArray<RpcAnswer> | undefined => {
    const error = errorIn(json)
    if (error === undefined)
      return Array.from({ length }, () => Either.left(malformed("not a JSON-RPC answer")))
    const isLimit = readError(error) === "rate-limited" && !NAMES_BATCHES.test(error.message)
    return isLimit ? Array.from({ length }, () => Either.left(ofError("rate-limited", error))) : undefined
  }

  /** The answers to requests with the ids 0, 1, …; `undefined` where the node took no batch of this length. */
  const readBatch = (json: unknown, length: number): ReadonlyArray<RpcAnswer> | undefined => {
    if (!Array.isArray(json)) return readUnbatched(json, length)
    const replies = json.slice(0, length).flatMap((item) => Either.match(decodeReply(item), TAKE))
    const byId = new Map(replies.map((reply) => [reply.id, reply]))
    return Array.from({ length }, (_, id) => {
      const reply = byId.get(id)
      return reply === undefined ? Either.left(malformed("batch answer lacks an item")) : readReply(reply, id)
    })
  }

  return { refuse, malformed, readHttp, readOne, readBatch }
}

const TAKE = { onLeft: () => [], onRight: (reply: typeof Reply.Type) => [reply] }

export type AnswerReader = ReturnType<typeof makeAnswerReader>
