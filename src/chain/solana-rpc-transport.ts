import { Clock, Duration, Effect, Either, ParseResult, Random, Ref, Schema } from "effect"
import { UpstreamError } from "../domain/errors.ts"

/** Bounds of one JSON-RPC client. All have defaults fit for a public node. */
export interface TransportLimits {
  /** One HTTP exchange, connection to last byte. */
  readonly attemptTimeout: Duration.DurationInput
  /** The whole call with its waiting, fallbacks and repeats. */
  readonly callTimeout: Duration.DurationInput
  readonly maxResponseBytes: number
  readonly concurrency: number
  /** How long an endpoint that failed is only used when no other is left. */
  readonly cooldown: Duration.DurationInput
}

export const defaultLimits: TransportLimits = {
  attemptTimeout: "4 seconds",
  callTimeout: "9 seconds",
  maxResponseBytes: 8 * 1024 * 1024,
  concurrency: 24,
  cooldown: "10 seconds"
}

export interface JsonRpcTransport {
  /**
   * Calls one method on the first endpoint that answers. Tries every endpoint once, then one repeat where a failure
   * was of the passing kind (time-out, transport, rate limit). The last failure is the error.
   */
  readonly call: <A, I>(
    method: string,
    params: ReadonlyArray<unknown>,
    result: Schema.Schema<A, I>
  ) => Effect.Effect<A, UpstreamError>
}

type Kind = UpstreamError["kind"]

const failure = (kind: Kind, detail: string): UpstreamError =>
  new UpstreamError({ upstream: "solana-rpc", kind, detail })

/** JSON-RPC codes that say "not now" rather than "never". Source: agave rpc-client-api custom_error.rs. */
const PASSING_CODES: ReadonlySet<number> = new Set([-32603, -32004, -32005, -32014, -32016])
const RATE_LIMIT_CODES: ReadonlySet<number> = new Set([429, -32429])

const Envelope = Schema.Struct({
  id: Schema.Union(Schema.Number, Schema.String, Schema.Null),
  result: Schema.optional(Schema.Unknown),
  error: Schema.optional(
    Schema.NullOr(Schema.Struct({ code: Schema.Number, message: Schema.optional(Schema.String) }))
  )
})
const decodeEnvelope = Schema.decodeUnknownEither(Envelope)

/** Whole numbers a double cannot hold become texts; a schema that expects a u64 takes both. */
const UNSAFE_INTEGER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?[0-9]{16,}(?![0-9.eE])/g
export const parseJsonKeepingIntegers = (text: string): unknown =>
  JSON.parse(text.replace(UNSAFE_INTEGER, (token) => (token.startsWith('"') ? token : `"${token}"`)))

/** Upstream text in a log line: short, printable ASCII. */
const forLog = (text: string): string => text.replace(/[^\x20-\x7e]/g, "?").slice(0, 120)

const readBounded = async (response: Response, maxBytes: number): Promise<string> => {
  const chunks: Array<Uint8Array> = []
  let size = 0
  if (response.body !== null) {
    const reader = response.body.getReader()
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      size += part.value.byteLength
      if (size > maxBytes) {
        await reader.cancel()
        throw failure("malformed", `answer larger than ${maxBytes} bytes`)
      }
      chunks.push(part.value)
    }
  }
  return Buffer.concat(chunks).toString("utf8")
}

const exchange = (url: string, body: string, maxBytes: number): Effect.Effect<string, UpstreamError> =>
  Effect.tryPromise({
    try: async (signal) => {
      const response = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json" },
        body,
        signal,
        redirect: "error"
      })
      if (!response.ok) {
        await response.body?.cancel()
        const kind: Kind =
          response.status === 429 ? "rate-limited" : response.status >= 500 ? "transport" : "rejected"
        throw failure(kind, `HTTP status ${response.status}`)
      }
      return readBounded(response, maxBytes)
    },
    // fetch's own message can name the URL, and the URL can carry an API key.
    catch: (error) => (error instanceof UpstreamError ? error : failure("transport", "connection failed"))
  })

const readAnswer = (text: string, id: number): Either.Either<unknown, UpstreamError> =>
  Either.try({
    try: () => parseJsonKeepingIntegers(text),
    catch: () => failure("malformed", "not JSON")
  }).pipe(
    Either.flatMap((json) =>
      Either.mapLeft(decodeEnvelope(json), () => failure("malformed", "not a JSON-RPC answer"))
    ),
    Either.flatMap(({ id: answered, error, result }) => {
      if (error !== undefined && error !== null) {
        const kind: Kind = RATE_LIMIT_CODES.has(error.code)
          ? "rate-limited"
          : PASSING_CODES.has(error.code)
            ? "transport"
            : "rejected"
        return Either.left(failure(kind, `JSON-RPC error ${error.code}: ${forLog(error.message ?? "")}`))
      }
      return answered === id
        ? Either.right(result)
        : Either.left(failure("malformed", "answer to another request"))
    })
  )

const isPassing = (error: UpstreamError): boolean =>
  error.kind === "timeout" || error.kind === "transport" || error.kind === "rate-limited"

/** A JSON-RPC client over a list of endpoints, the first preferred. Endpoints are named by number in errors. */
export const makeTransport = (
  urls: readonly [string, ...ReadonlyArray<string>],
  limits: TransportLimits = defaultLimits
): Effect.Effect<JsonRpcTransport> =>
  Effect.gen(function* () {
    const permits = yield* Effect.makeSemaphore(limits.concurrency)
    const restingUntil = yield* Ref.make<ReadonlyArray<number>>(urls.map(() => 0))
    const nextId = yield* Ref.make(1)

    const attempt = Effect.fnUntraced(function* <A, I>(
      index: number,
      method: string,
      params: ReadonlyArray<unknown>,
      result: Schema.Schema<A, I>
    ) {
      const id = yield* Ref.getAndUpdate(nextId, (n) => (n % 1_000_000_000) + 1)
      const body = JSON.stringify({ jsonrpc: "2.0", id, method, params })
      const text = yield* exchange(urls[index] ?? urls[0], body, limits.maxResponseBytes).pipe(
        Effect.timeoutFail({
          duration: limits.attemptTimeout,
          onTimeout: () => failure("timeout", "no answer in time")
        })
      )
      const answer = yield* readAnswer(text, id)
      return yield* Schema.decodeUnknown(result)(answer).pipe(
        Effect.mapError((error) =>
          failure(
            "malformed",
            forLog(ParseResult.ArrayFormatter.formatErrorSync(error)[0]?.path.join(".") ?? "")
          )
        )
      )
    })

    const rest = Effect.fnUntraced(function* (index: number) {
      const until = (yield* Clock.currentTimeMillis) + Duration.toMillis(limits.cooldown)
      yield* Ref.update(restingUntil, (times) => times.map((time, i) => (i === index ? until : time)))
    })

    const order = Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const times = yield* Ref.get(restingUntil)
      const all = urls.map((_, index) => index)
      const isResting = (index: number) => (times[index] ?? 0) > now
      return [...all.filter((index) => !isResting(index)), ...all.filter(isResting)]
    })

    const tried = <A, I>(
      index: number,
      method: string,
      params: ReadonlyArray<unknown>,
      result: Schema.Schema<A, I>
    ) =>
      attempt(index, method, params, result).pipe(
        Effect.mapError((error) =>
          failure(error.kind, `${method} on endpoint ${index + 1}: ${error.detail}`)
        ),
        Effect.tapError((error) => (isPassing(error) ? rest(index) : Effect.void)),
        Effect.either
      )

    const call: JsonRpcTransport["call"] = (method, params, result) =>
      Effect.gen(function* () {
        const indices = yield* order
        let last = failure("transport", `${method}: no endpoint`)
        let repeat: number | undefined
        for (const index of indices) {
          const outcome = yield* tried(index, method, params, result)
          if (Either.isRight(outcome)) return outcome.right
          last = outcome.left
          // A time-out is not repeated: a second wait of that length would outlive the caller's patience.
          if (repeat === undefined && isPassing(last) && last.kind !== "timeout") repeat = index
        }
        if (repeat === undefined) return yield* last
        yield* Effect.sleep(Duration.millis(150 + (yield* Random.nextIntBetween(0, 150))))
        return yield* Effect.flatten(tried(repeat, method, params, result))
      }).pipe(
        permits.withPermits(1),
        Effect.timeoutFail({
          duration: limits.callTimeout,
          onTimeout: () => failure("timeout", `${method}: no endpoint answered in time`)
        })
      )

    return { call }
  })
