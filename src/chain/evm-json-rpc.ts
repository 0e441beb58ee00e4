import { Clock, Duration, Effect, Either, Metric, Ref, Schema } from "effect"
import type { Redacted } from "effect"
import { Redacted as Secret } from "effect"
import { UpstreamError } from "../domain/errors.ts"

/** One JSON-RPC request; numbers inside `params` are already hex text. */
export interface RpcRequest {
  readonly method: string
  readonly params: ReadonlyArray<unknown>
}

/** An answer to one request: a result, or an `eth_call` whose execution failed (an answer about the contract). */
export type RpcReply =
  { readonly executed: true; readonly result: unknown } | { readonly executed: false; readonly data: string }

export interface JsonRpc {
  /**
   * Sends the requests as one HTTP POST and gives their answers in order. A URL that is out of reach, too slow, rate
   * limited or unable to answer is followed by the next one, for the unanswered requests only.
   */
  readonly send: (
    requests: ReadonlyArray<RpcRequest>
  ) => Effect.Effect<ReadonlyArray<RpcReply>, UpstreamError>
}

export interface JsonRpcOptions {
  /** First is preferred. Redacted because providers put API keys in URLs. */
  readonly urls: ReadonlyArray<Redacted.Redacted<string>>
  /** For one HTTP exchange including its body. */
  readonly timeout: Duration.DurationInput
  readonly concurrency: number
  readonly fetch?: typeof globalThis.fetch
}

/** HTTP exchanges with a Base node since the process started. */
export const baseRoundTrips = Metric.counter("base_rpc_round_trips", { incremental: true })

const maxResponseBytes = 16 * 1024 * 1024
const cooldownMillis = 10_000
const retryPause = Duration.millis(150)

const ErrorObject = Schema.Struct({
  code: Schema.Number,
  message: Schema.String,
  data: Schema.optional(Schema.Unknown)
})
const Reply = Schema.Struct({
  id: Schema.optional(Schema.Unknown),
  result: Schema.optional(Schema.Unknown),
  error: Schema.optional(ErrorObject)
})
type Reply = typeof Reply.Type
const decodeReplies = Schema.decodeUnknown(
  Schema.parseJson(
    Schema.Union(
      Schema.Array(Reply),
      Reply.pipe(Schema.filter((reply) => reply.error !== undefined || "result" in reply))
    )
  )
)

const failure = (kind: UpstreamError["kind"], detail: string) =>
  new UpstreamError({ upstream: "base-rpc", kind, detail: detail.slice(0, 300) })

// Nodes word a failed execution differently: geth and reth start with "execution reverted", others name the halt.
const executionFailure =
  /^(?:execution reverted|vm execution|evm error|reverted|out of gas|gas uint64 overflow|invalid opcode|invalid jump|stack (?:under|over)flow|stack limit|write protection|return data out of bounds|contract creation code|max code size)/i

const isText = Schema.is(Schema.String)
const hexIn = (data: unknown): string => (isText(data) ? (/0x[0-9a-f]*/i.exec(data)?.[0] ?? "0x") : "0x")

/** What one reply says: an answer, or a failure that another node may not have. */
const judge = (reply: Reply): Either.Either<RpcReply, UpstreamError> => {
  if (reply.error === undefined) {
    return reply.result === undefined
      ? Either.left(failure("malformed", "reply has neither result nor error"))
      : Either.right({ executed: true, result: reply.result })
  }
  const { code, message, data } = reply.error
  if (code === 3 || executionFailure.test(message))
    return Either.right({ executed: false, data: hexIn(data) })
  const detail = `${code} ${message}`
  if (code === -32005 || code === -32029 || code === 429 || /rate limit|too many requests/i.test(message)) {
    return Either.left(failure("rate-limited", detail))
  }
  if (/time(?:d )?-?out/i.test(message)) return Either.left(failure("timeout", detail))
  return Either.left(failure(code === -32603 ? "transport" : "rejected", detail))
}

const readBounded = async (response: Response): Promise<string> => {
  const reader = response.body?.getReader()
  if (reader === undefined) return ""
  const decoder = new TextDecoder()
  let text = ""
  for (let size = 0; ;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    size += value.byteLength
    if (size > maxResponseBytes) {
      await reader.cancel()
      throw new Error(`reply exceeds ${maxResponseBytes} bytes`)
    }
    text += decoder.decode(value, { stream: true })
  }
}

/** Makes the transport. It holds no connection of its own: keep-alive is the runtime's. */
export const makeJsonRpc = (options: JsonRpcOptions): Effect.Effect<JsonRpc> =>
  Effect.gen(function* () {
    const permits = yield* Effect.makeSemaphore(options.concurrency)
    const resting = yield* Ref.make<ReadonlyMap<number, number>>(new Map())
    const fetch = options.fetch ?? globalThis.fetch

    const post = (url: Redacted.Redacted<string>, body: unknown) =>
      Effect.tryPromise({
        try: async (signal) => {
          const response = await fetch(Secret.value(url), {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify(body),
            signal
          })
          return { status: response.status, text: await readBounded(response) }
        },
        catch: (cause) => failure("transport", cause instanceof Error ? cause.name : "fetch failed")
      }).pipe(
        Effect.tap(() => Metric.increment(baseRoundTrips)),
        Effect.timeoutFail({
          duration: options.timeout,
          onTimeout: () => failure("timeout", "no reply in time")
        }),
        permits.withPermits(1),
        Effect.filterOrFail(
          ({ status, text }) => status < 300 || (status < 500 && status !== 429 && text.startsWith("{")),
          ({ status }) => failure(status === 429 ? "rate-limited" : "transport", `HTTP ${status}`)
        ),
        Effect.flatMap(({ text }) =>
          decodeReplies(text).pipe(Effect.mapError(() => failure("malformed", "not a JSON-RPC reply")))
        )
      )

    const askOne = (url: Redacted.Redacted<string>, request: RpcRequest) =>
      post(url, { jsonrpc: "2.0", id: 0, ...request }).pipe(
        Effect.flatMap((reply) =>
          Array.isArray(reply) || !("error" in reply || "result" in reply)
            ? Effect.fail(failure("malformed", "a batch reply to one request"))
            : judge(reply)
        ),
        Effect.either
      )

    /** Every request's answer or failure at one URL; never fails itself. */
    const ask = (url: Redacted.Redacted<string>, requests: ReadonlyArray<RpcRequest>) => {
      const [first] = requests
      if (first === undefined)
        return Effect.succeed<ReadonlyArray<Either.Either<RpcReply, UpstreamError>>>([])
      if (requests.length === 1) return Effect.map(askOne(url, first), (answer) => [answer])
      return post(
        url,
        requests.map((request, id) => ({ jsonrpc: "2.0", id, ...request }))
      ).pipe(
        Effect.flatMap((reply) => {
          // A single error object in place of a list means that the node takes no batches, or none of this length.
          if (!isReplies(reply))
            return Effect.forEach(requests, (one) => askOne(url, one), { concurrency: "unbounded" })
          const byId = new Map(reply.map((item) => [item.id, item]))
          return Effect.succeed(
            requests.map((_, id) => {
              const item = byId.get(id)
              return item === undefined
                ? Either.left(failure("malformed", "batch reply lacks an item"))
                : judge(item)
            })
          )
        }),
        Effect.catchAll((error) => Effect.succeed(requests.map(() => Either.left(error))))
      )
    }

    const rest = (index: number) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        Ref.update(resting, (until) => new Map(until).set(index, now + cooldownMillis))
      )

    /** Preferred URLs first, those that just failed last, and a final try of the best one. */
    const order = Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const until = yield* Ref.get(resting)
      const isResting = (index: number) => (until.get(index) ?? 0) > now
      const all = options.urls.map((url, index) => ({ url, index }))
      const sorted = [
        ...all.filter(({ index }) => !isResting(index)),
        ...all.filter(({ index }) => isResting(index))
      ]
      return [...sorted, ...sorted.slice(0, 1)]
    })

    const send = Effect.fn("BaseRpc.send")(function* (requests: ReadonlyArray<RpcRequest>) {
      const answers = new Map<number, RpcReply>()
      const unanswered = () => [...requests.keys()].filter((position) => !answers.has(position))
      let last = failure("transport", "no URL")
      for (const [attempt, { url, index }] of (yield* order).entries()) {
        if (attempt === options.urls.length) {
          // The last round repeats a URL; what it has refused on its merits it would refuse again.
          if (last.kind === "rejected" || last.kind === "malformed") break
          yield* Effect.sleep(retryPause)
        }
        const open = unanswered()
        const replies = yield* ask(
          url,
          open.flatMap((position) => requests[position] ?? [])
        )
        for (const [at, reply] of replies.entries()) {
          const position = open[at]
          if (position === undefined) continue
          if (Either.isRight(reply)) answers.set(position, reply.right)
          else last = reply.left
        }
        if (answers.size === requests.length) break
        if (last.kind !== "rejected") yield* rest(index)
      }
      const complete = [...requests.keys()].flatMap((position) => answers.get(position) ?? [])
      return complete.length === requests.length ? complete : yield* Effect.fail(last)
    })

    return { send }
  })

const isReplies = (reply: Reply | ReadonlyArray<Reply>): reply is ReadonlyArray<Reply> => Array.isArray(reply)
