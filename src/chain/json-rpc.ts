import { Duration, Effect, Either, Random, Redacted } from "effect"
import { UpstreamError } from "../domain/errors.ts"
import { observeUpstream } from "../domain/upstream-metrics.ts"
import { makeEndpointRest } from "./endpoint-rest.ts"
import { AnswerTooLarge, postJson } from "./http-exchange.ts"
import { type Post, postKept } from "./http-post.ts"
import type { Answer, AnswerReader, Dialect, Refusal, RpcReply } from "./json-rpc-answer.ts"
import { makeAnswerReader } from "./json-rpc-answer.ts"

/** One JSON-RPC request. */
export interface RpcRequest {
  readonly method: string
  readonly params: ReadonlyArray<unknown>
}

export interface PoolOptions {
  readonly dialect: Dialect
  /** First is preferred. Redacted because providers put API keys in URLs. */
  readonly urls: ReadonlyArray<Redacted.Redacted<string>>
  /** One HTTP exchange, connection to last byte. */
  readonly attemptTimeout: Duration.DurationInput
  /** Everything: waiting for a turn, other endpoints, repeats. */
  readonly callTimeout: Duration.DurationInput
  readonly maxResponseBytes: number
  /** HTTP exchanges at once. */
  readonly concurrency: number
  /** How long what failed is asked only when nothing else is left. */
  readonly cooldown: Duration.DurationInput
  /** Instead of our own exchange: for doubles. */
  readonly fetch?: typeof globalThis.fetch | undefined
}

export interface JsonRpcPool {
  readonly upstream: Dialect["upstream"]
  /**
   * The answers in order. Requests travel in HTTP batches of at most ten. An endpoint that is out of reach, too slow,
   * limited or unable to answer is followed by the next one, for the unanswered requests only; then comes one repeat
   * where the failure was of the passing kind, and a few more, ever later, where it was a limit.
   * @param endpoint position of the only endpoint to ask; absent: all, in order
   */
  readonly send: (
    requests: ReadonlyArray<RpcRequest>,
    endpoint?: number
  ) => Effect.Effect<ReadonlyArray<RpcReply>, Refusal>
}

/** Public nodes refuse longer batches. */
const MAX_BATCH = 10
/** Milliseconds before the first repeat; every further one waits twice as long. */
const REPEAT_PAUSE = 150
/** Batches of one call on their way together. */
const MAX_PARALLEL_BATCHES = 4

const isPassing = ({ error: { kind } }: Refusal): boolean => kind === "transport" || kind === "rate-limited"

const chunksOf = <A>(items: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(items.length / MAX_BATCH) }, (_, at) =>
    items.slice(at * MAX_BATCH, (at + 1) * MAX_BATCH)
  )

/** Every request's answer or refusal at one endpoint; never fails itself. */
type Ask = (endpoint: number, requests: ReadonlyArray<RpcRequest>) => Effect.Effect<ReadonlyArray<Answer>>

const makeAsk = (options: PoolOptions, reader: AnswerReader): Effect.Effect<Ask> =>
  Effect.map(Effect.makeSemaphore(options.concurrency), (permits) => {
    const { fetch } = options
    const exchange: Post = fetch === undefined ? postKept : (asked) => postJson({ fetch, ...asked })

    const post = (endpoint: number, body: unknown): Effect.Effect<unknown, Refusal> =>
      Effect.tryPromise({
        try: (signal) =>
          exchange({
            url: Redacted.value(options.urls[endpoint] ?? Redacted.make("")),
            body: JSON.stringify(body),
            maxBytes: options.maxResponseBytes,
            signal
          }),
        catch: (cause) =>
          cause instanceof AnswerTooLarge
            ? reader.malformed(cause.message)
            : reader.refuse("transport", "connection failed", "endpoint")
      }).pipe(
        Effect.timeoutFail({
          duration: options.attemptTimeout,
          onTimeout: () => reader.refuse("timeout", "no answer in time", "endpoint")
        }),
        Effect.flatMap(({ status, text }) => reader.readHttp(status, text)),
        observeUpstream(options.dialect.upstream, ({ error }) => error.kind),
        permits.withPermits(1)
      )

    const askOne = (endpoint: number, request: RpcRequest): Effect.Effect<Answer> =>
      post(endpoint, { jsonrpc: "2.0", id: 0, ...request }).pipe(
        Effect.flatMap(reader.readOne),
        Effect.either
      )

    return (endpoint, requests) => {
      const [first] = requests
      if (first !== undefined && requests.length === 1)
        return Effect.map(askOne(endpoint, first), (answer) => [answer])
      return post(
        endpoint,
        requests.map((request, id) => ({ jsonrpc: "2.0", id, ...request }))
      ).pipe(
        Effect.flatMap((json) => {
          const answers = reader.readBatch(json, requests.length)
          return answers === undefined
            ? Effect.forEach(requests, (one) => askOne(endpoint, one), { concurrency: "unbounded" })
            : Effect.succeed(answers)
        }),
        Effect.catchAll((refused) => Effect.succeed(requests.map((): Answer => Either.left(refused))))
      )
    }
  })

const named = (refused: Refusal, endpoint: number, { method }: RpcRequest): Refusal => {
  const { kind, upstream, detail } = refused.error
  const text = `${method} on endpoint ${endpoint + 1}: ${detail}`
  return { ...refused, error: new UpstreamError({ upstream, kind, detail: text }) }
}

/** The requests of one batch and what is known of them so far. */
class Batch {
  readonly answers = new Map<number, RpcReply>()
  last: Refusal | undefined
  repeatAt: number | undefined
  readonly requests: ReadonlyArray<RpcRequest>

  constructor(requests: ReadonlyArray<RpcRequest>) {
    this.requests = requests
  }

  get open(): ReadonlyArray<readonly [number, RpcRequest]> {
    return [...this.requests.entries()].filter(([position]) => !this.answers.has(position))
  }

  /** The answers in order; the last refusal where one is missing. */
  result(none: Refusal): Either.Either<ReadonlyArray<RpcReply>, Refusal> {
    const complete = [...this.requests.keys()].flatMap((position) => this.answers.get(position) ?? [])
    return complete.length === this.requests.length ? Either.right(complete) : Either.left(this.last ?? none)
  }
}

/** Makes the pool. It holds no connection of its own: keep-alive is the runtime's. */
export const makeJsonRpcPool = (options: PoolOptions): Effect.Effect<JsonRpcPool> =>
  Effect.gen(function* () {
    const reader = makeAnswerReader(options.dialect)
    const ask = yield* makeAsk(options, reader)
    const endpoints = yield* makeEndpointRest(options.urls.length, options.cooldown)

    /** Asks one endpoint for what is still open. */
    const askOpen = Effect.fnUntraced(function* (batch: Batch, endpoint: number) {
      const { open } = batch
      const replies = yield* ask(
        endpoint,
        open.map(([, request]) => request)
      )
      for (const [at, [position, request]] of open.entries()) {
        const reply = replies[at] ?? Either.left(reader.malformed("batch answer lacks an item"))
        if (Either.isRight(reply)) {
          batch.answers.set(position, reply.right)
          continue
        }
        const refused = named(reply.left, endpoint, request)
        batch.last = refused
        // A time-out is not repeated: a second wait of that length would outlive the caller's patience.
        if (isPassing(refused)) batch.repeatAt ??= endpoint
        if (refused.rests !== "nothing") yield* endpoints.rest(endpoint, request.method, refused.rests)
      }
    })

    /** One repeat; at an endpoint that limits requests more, ever later, as long as the caller may wait. */
    const repeat = Effect.fnUntraced(function* (batch: Batch) {
      const patience = Duration.toMillis(options.callTimeout) / 2
      let waited = 0
      for (let pause = REPEAT_PAUSE; batch.open.length > 0; pause *= 2) {
        if (batch.repeatAt === undefined) return
        if (waited > 0 && (batch.last?.error.kind !== "rate-limited" || waited + 2 * pause > patience)) return
        const rest = pause + (yield* Random.nextIntBetween(0, pause))
        waited += rest
        yield* Effect.sleep(Duration.millis(rest))
        yield* askOpen(batch, batch.repeatAt)
      }
    })

    const sendBatch = Effect.fnUntraced(function* (
      requests: ReadonlyArray<RpcRequest>,
      only: number | undefined
    ) {
      const batch = new Batch(requests)
      const methods = requests.map(({ method }) => method)
      for (const endpoint of only === undefined ? yield* endpoints.order(methods) : [only]) {
        yield* askOpen(batch, endpoint)
        if (batch.open.length === 0) break
      }
      yield* repeat(batch)
      return yield* batch.result(reader.refuse("transport", "no endpoint", "nothing"))
    })

    const send: JsonRpcPool["send"] = (requests, endpoint) =>
      Effect.forEach(chunksOf(requests), (chunk) => sendBatch(chunk, endpoint), {
        concurrency: MAX_PARALLEL_BATCHES
      }).pipe(
        Effect.map((chunks) => chunks.flat()),
        Effect.timeoutFail({
          duration: options.callTimeout,
          onTimeout: () =>
            reader.refuse("timeout", `${requests[0]?.method ?? ""}: no endpoint answered in time`, "nothing")
        })
      )

    return { upstream: options.dialect.upstream, send }
  })
