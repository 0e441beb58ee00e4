import { Effect, Either, Redacted } from "effect"
import { lasts } from "../domain/lasts.ts"
import { countUpstream } from "../domain/upstream-metrics.ts"
import { AnswerTooLarge, postJson } from "./http-exchange.ts"
import { type Post, postKept } from "./http-post.ts"
import type { RpcRequest } from "./json-rpc.ts"
import type { RpcAnswer, AnswerReader, Dialect, Refusal } from "./json-rpc-answer.ts"
import { withNow } from "../domain/now.ts"

/** Where and within which bounds endpoints are asked. */
export interface ExchangeOptions {
  readonly dialect: Dialect
  /** First is preferred. Redacted because providers put API keys in URLs. */
  readonly urls: ReadonlyArray<Redacted.Redacted<string>>
  /** Milliseconds of one HTTP exchange, connection to last byte. */
  readonly attemptMillis: number
  readonly maxResponseBytes: number
  /** HTTP exchanges at once. */
  readonly concurrency: number
  /** Used instead of our own exchange, by test doubles. */
  readonly fetch?: typeof globalThis.fetch | undefined
}

/** Every request's answer or refusal at one endpoint, by `deadline` (Unix milliseconds); never fails itself. */
export type Ask = (
  endpoint: number,
  requests: ReadonlyArray<RpcRequest>,
  deadline: number
) => Effect.Effect<ReadonlyArray<RpcAnswer>>

type Answered = Either.Either<unknown, Refusal>

const makePost = (options: ExchangeOptions, reader: AnswerReader) => {
  const { dialect, fetch, maxResponseBytes: maxBytes } = options
  const exchange: Post = fetch === undefined ? postKept : (asked) => postJson({ fetch, ...asked })
  const late = () => reader.refuse("timeout", "no answer in time", "endpoint")

  const refusalOf = (cause: unknown): Refusal =>
    cause instanceof AnswerTooLarge
      ? reader.malformed(cause.message)
      : reader.refuse("transport", "connection failed", "endpoint")

  /** One exchange that ends after `millis`, without a fiber of its own: every sale takes several. */
  return (endpoint: number, text: string, millis: number): Effect.Effect<unknown, Refusal> =>
    Effect.async((resume, interrupted) => {
      const started = performance.now()
      const ending = new AbortController()
      const end = (answered: Answered) => {
        clearTimeout(timer)
        countUpstream(dialect.upstream, Either.match(answered, OUTCOME), performance.now() - started)
        resume(answered)
      }
      const timer = setTimeout(() => {
        ending.abort()
        end(Either.left(late()))
      }, millis)
      interrupted.addEventListener("abort", () => {
        clearTimeout(timer)
        ending.abort()
      })
      const url = Redacted.value(options.urls[endpoint] ?? Redacted.make(""))
      exchange({ url, body: text, maxBytes, signal: ending.signal }).then(
        (answer) => ending.signal.aborted || end(reader.readHttp(answer.status, answer.text)),
        (cause) => ending.signal.aborted || end(Either.left(refusalOf(cause)))
      )
    })
}

const OUTCOME = { onLeft: ({ error }: Refusal) => error.kind, onRight: () => "ok" as const }

/** Milliseconds for which an endpoint that took no batch is asked for each request by itself. */
const BATCHLESS = 600_000

/** Asks single endpoints, within the bounds of time, size and number. */
export const makeAsk = (options: ExchangeOptions, reader: AnswerReader): Effect.Effect<Ask> =>
  Effect.map(Effect.makeSemaphore(options.concurrency), (permits) => {
    const exchange = makePost(options, reader)
    const full = () => reader.refuse("timeout", "no turn in time", "nothing")

    const inTime = (endpoint: number, text: string, deadline: number) =>
      withNow((now) =>
        now >= deadline
          ? Effect.fail(full())
          : exchange(endpoint, text, Math.min(options.attemptMillis, deadline - now))
      )

    const post = (endpoint: number, body: unknown, deadline: number): Effect.Effect<unknown, Refusal> => {
      const asked = Effect.suspend(() => inTime(endpoint, JSON.stringify(body), deadline))
      return Effect.flatMap(permits.withPermitsIfAvailable(1)(asked), (answer) =>
        answer._tag === "Some"
          ? Effect.succeed(answer.value)
          : withNow((now) =>
              Effect.timeoutFail(permits.withPermits(1)(asked), { duration: deadline - now, onTimeout: full })
            )
      )
    }

    const askOne = (endpoint: number, request: RpcRequest, deadline: number): Effect.Effect<RpcAnswer> =>
      Effect.match(post(endpoint, { jsonrpc: "2.0", id: 0, ...request }, deadline), {
        onFailure: (refused): RpcAnswer => Either.left(refused),
        onSuccess: reader.readOne
      })

    const askEach = (endpoint: number, requests: ReadonlyArray<RpcRequest>, deadline: number) =>
      Effect.forEach(requests, (one) => askOne(endpoint, one, deadline), { concurrency: "unbounded" })

    /** Until when an endpoint that took no batch is spared the next one, Unix milliseconds. */
    const batchless = new Map<number, number>()
    const oneByOne = (endpoint: number, requests: ReadonlyArray<RpcRequest>, deadline: number) =>
      withNow((now) => {
        batchless.set(endpoint, now + BATCHLESS)
        return askEach(endpoint, requests, deadline)
      })

    const askTogether = (endpoint: number, requests: ReadonlyArray<RpcRequest>, deadline: number) => {
      const body = requests.map((request, id) => ({ jsonrpc: "2.0", id, ...request }))
      return Effect.matchEffect(post(endpoint, body, deadline), {
        onFailure: (refused) =>
          // Some say so by a status and a page: what is refused for a batch need not be for each of it.
          refused.error.kind === "rejected"
            ? oneByOne(endpoint, requests, deadline)
            : Effect.succeed(requests.map((): RpcAnswer => Either.left(refused))),
        onSuccess: (json) => {
          const answers = reader.readBatch(json, requests.length)
          return answers === undefined ? oneByOne(endpoint, requests, deadline) : Effect.succeed(answers)
        }
      })
    }

    return (endpoint, requests, deadline) => {
      const [first] = requests
      if (first !== undefined && requests.length === 1)
        return Effect.map(askOne(endpoint, first, deadline), (answer) => [answer])
      return withNow((now) =>
        lasts(batchless.get(endpoint) ?? 0, BATCHLESS, now)
          ? askEach(endpoint, requests, deadline)
          : askTogether(endpoint, requests, deadline)
      )
    }
  })
