import { Array as Arr, Clock, Duration, Effect, Either, Random } from "effect"
import { UpstreamError } from "../domain/errors.ts"
import { type EndpointRest, makeEndpointRest } from "./endpoint-rest.ts"
import { type Hedge, makeHedge } from "./hedge.ts"
import type { RpcAnswer, AnswerReader, Dialect, Refusal, RpcReply } from "./json-rpc-answer.ts"
import { makeAnswerReader } from "./json-rpc-answer.ts"
import { type Ask, type ExchangeOptions, makeAsk } from "./json-rpc-exchange.ts"
import { askingOwn, type OwnChain } from "./own-chain.ts"

/** One JSON-RPC request. */
export interface RpcRequest {
  readonly method: string
  readonly params: ReadonlyArray<unknown>
}

export interface PoolOptions extends Omit<ExchangeOptions, "attemptMillis"> {
  /** One HTTP exchange, connection to last byte. */
  readonly attemptTimeout: Duration.DurationInput
  /** Everything: waiting for a turn, other endpoints, repeats. */
  readonly callTimeout: Duration.DurationInput
  /** How long an endpoint or method that failed is asked only when nothing else is left. */
  readonly cooldown: Duration.DurationInput
  /** Where it is given, an endpoint is believed only once it has said that it is of this chain. */
  readonly chain?: OwnChain
}

export interface JsonRpcPool {
  readonly upstream: Dialect["upstream"]
  /**
   * The answers in order. Requests travel in HTTP batches of at most ten. An endpoint that is out of reach, too slow,
   * limited or unable to answer is followed by the next one, for the unanswered requests only (beside one that is only
   * much slower than usual, the next one is asked too, see `makeHedge`); then comes one repeat
   * where the failure was of the passing kind, and a few more, ever later, where it was a limit.
   * @param endpoint position of the only endpoint to ask; absent: all, in order
   */
  readonly send: (
    requests: ReadonlyArray<RpcRequest>,
    endpoint?: number
  ) => Effect.Effect<ReadonlyArray<RpcReply>, Refusal>
  /** The same for requests that have nothing to do with one another: each has its own answer or refusal. */
  readonly sendEach: (
    requests: ReadonlyArray<RpcRequest>,
    endpoint?: number
  ) => Effect.Effect<ReadonlyArray<RpcAnswer>>
}

/** Public nodes refuse longer batches. */
export const MAX_BATCH = 10
/** Milliseconds before the first repeat; every further one waits twice as long. */
const REPEAT_PAUSE = 150
/** Batches of one call on their way together. */
const MAX_PARALLEL_BATCHES = 4

const isPassing = ({ error: { kind } }: Refusal): boolean => kind === "transport" || kind === "rate-limited"

const named = (refused: Refusal, endpoint: number, { method }: RpcRequest): Refusal => {
  const { kind, upstream, detail } = refused.error
  const text = `${method} on endpoint ${endpoint + 1}: ${detail}`
  return { ...refused, error: new UpstreamError({ upstream, kind, detail: text }) }
}

/** The requests of one batch and what is known of them so far. */
class Batch {
  readonly answers = new Map<number, RpcReply>()
  readonly #refusals = new Map<number, Refusal>()
  last: Refusal | undefined
  repeatAt: number | undefined
  readonly requests: ReadonlyArray<RpcRequest>
  /** Unix milliseconds. */
  readonly deadline: number

  constructor(requests: ReadonlyArray<RpcRequest>, deadline: number) {
    this.requests = requests
    this.deadline = deadline
  }

  refuse(position: number, refused: Refusal): void {
    this.last = refused
    this.#refusals.set(position, refused)
  }

  get open(): ReadonlyArray<readonly [number, RpcRequest]> {
    return [...this.requests.entries()].filter(([position]) => !this.answers.has(position))
  }

  get isComplete(): boolean {
    return this.answers.size === this.requests.length
  }

  /** The answers in order; the last refusal where one is missing. */
  result(none: () => Refusal): Either.Either<ReadonlyArray<RpcReply>, Refusal> {
    const complete = [...this.requests.keys()].flatMap((position) => this.answers.get(position) ?? [])
    return this.isComplete ? Either.right(complete) : Either.left(this.last ?? none())
  }

  /** Each request's answer or refusal. */
  each(none: () => Refusal): ReadonlyArray<RpcAnswer> {
    return [...this.requests.keys()].map((position) => {
      const answer = this.answers.get(position)
      return answer === undefined ? Either.left(this.#refusals.get(position) ?? none()) : Either.right(answer)
    })
  }
}

interface Parts {
  readonly ask: Ask
  readonly endpoints: EndpointRest
  readonly reader: AnswerReader
  readonly hedge: Hedge
  readonly hasForm: Dialect["hasForm"]
  /** Milliseconds of a whole call. */
  readonly callMillis: number
}

/** Asks one endpoint for what is still open. What has not its method's form is no answer: the next one may give one. */
const makeAskOpen = ({ ask, endpoints, hasForm, reader }: Parts) => {
  const answerTo = ({ method }: RpcRequest, answer: RpcAnswer | undefined): RpcAnswer => {
    if (answer === undefined) return Either.left(reader.malformed("batch answer lacks an item"))
    const isStray = Either.isRight(answer) && answer.right.executed && !hasForm(method, answer.right.result)
    return isStray ? Either.left(reader.malformed("unexpected result")) : answer
  }
  return Effect.fnUntraced(function* (batch: Batch, endpoint: number) {
    const { open } = batch
    const replies = yield* ask(
      endpoint,
      open.map(([, request]) => request),
      batch.deadline
    )
    for (const [at, [position, request]] of open.entries()) {
      const reply = answerTo(request, replies[at])
      if (Either.isRight(reply)) {
        batch.answers.set(position, reply.right)
        continue
      }
      const refused = named(reply.left, endpoint, request)
      batch.refuse(position, refused)
      // A time-out is not repeated: a second wait of that length would outlive the caller's patience.
      if (isPassing(refused)) batch.repeatAt ??= endpoint
      if (refused.rests !== "nothing") yield* endpoints.rest(endpoint, request.method, refused.rests)
    }
  })
}

type AskOpen = ReturnType<typeof makeAskOpen>

/** One repeat; at an endpoint that limits requests more, ever later, as long as the caller may wait. */
const makeRepeat = (askOpen: AskOpen, callMillis: number) =>
  Effect.fnUntraced(function* (batch: Batch) {
    let waited = 0
    for (let pause = REPEAT_PAUSE; !batch.isComplete; pause *= 2) {
      if (batch.repeatAt === undefined) return
      if (waited > 0 && (batch.last?.error.kind !== "rate-limited" || waited + 2 * pause > callMillis / 2))
        return
      const rest = pause + (yield* Random.nextIntBetween(0, pause))
      waited += rest
      if ((yield* Clock.currentTimeMillis) + rest > batch.deadline) return
      yield* Effect.sleep(Duration.millis(rest))
      yield* askOpen(batch, batch.repeatAt)
    }
  })

/** A batch that was asked, and the refusal of what no endpoint was asked for. */
interface Sent {
  readonly batch: Batch
  readonly none: () => Refusal
  /** The time of the whole call was over before every endpoint was asked. */
  readonly isLate: boolean
}

const resultOf = ({ batch, isLate, none }: Sent) => (isLate ? Either.left(none()) : batch.result(none))
const eachOf = ({ batch, isLate, none }: Sent): ReadonlyArray<RpcAnswer> =>
  batch.each(none).map((answer) => (isLate && Either.isLeft(answer) ? Either.left(none()) : answer))

/** Sends at most `MAX_BATCH` requests, to one endpoint after another. */
const makeSendBatch = (parts: Parts) => {
  const { callMillis, endpoints, hedge, reader } = parts
  const askOpen = makeAskOpen(parts)
  const repeat = makeRepeat(askOpen, callMillis)
  const none = () => reader.refuse("transport", "no endpoint", "nothing")
  const late =
    ([first]: ReadonlyArray<RpcRequest>) =>
    (): Refusal =>
      reader.refuse("timeout", `${first?.method ?? ""}: no endpoint answered in time`, "nothing")

  return Effect.fnUntraced(function* (requests: ReadonlyArray<RpcRequest>, only: number | undefined) {
    const batch = new Batch(requests, (yield* Clock.currentTimeMillis) + callMillis)
    const methods = requests.map(({ method }) => method)
    const order = only === undefined ? yield* endpoints.order(methods) : [only]
    let isNextAsked = false
    for (const [at, endpoint] of order.entries()) {
      if (at === 1 && isNextAsked) continue
      const [first, next] = [askOpen(batch, endpoint), order[at + 1]]
      if (at > 0 || next === undefined) yield* first
      else
        isNextAsked = yield* hedge.race({
          methods,
          first,
          second: askOpen(batch, next),
          isDone: () => batch.isComplete
        })
      const isLate = !batch.isComplete && (yield* Clock.currentTimeMillis) >= batch.deadline
      if (batch.isComplete || isLate) return { batch, none: late(requests), isLate }
    }
    yield* repeat(batch)
    return { batch, none, isLate: false }
  })
}

/** Makes the pool. Connections are kept by `postKept`. */
export const makeJsonRpcPool = (options: PoolOptions): Effect.Effect<JsonRpcPool> =>
  Effect.gen(function* () {
    const reader = makeAnswerReader(options.dialect)
    const attemptMillis = Duration.toMillis(options.attemptTimeout)
    const askAny = yield* makeAsk({ ...options, attemptMillis }, reader)
    const ask = options.chain === undefined ? askAny : askingOwn(askAny, options.chain, reader)
    const endpoints = yield* makeEndpointRest(options.urls.length, options.cooldown)
    const callMillis = Duration.toMillis(options.callTimeout)
    const { hasForm } = options.dialect
    const hedge = makeHedge(attemptMillis)
    const sendBatch = makeSendBatch({ ask, endpoints, reader, hasForm, callMillis, hedge })

    const inBatches = <A, E>(
      requests: ReadonlyArray<RpcRequest>,
      ask: (chunk: ReadonlyArray<RpcRequest>) => Effect.Effect<ReadonlyArray<A>, E>
    ) =>
      requests.length <= MAX_BATCH
        ? ask(requests)
        : Effect.map(
            Effect.forEach(Arr.chunksOf(requests, MAX_BATCH), ask, { concurrency: MAX_PARALLEL_BATCHES }),
            (chunks) => chunks.flat()
          )

    return {
      upstream: options.dialect.upstream,
      send: (requests, endpoint) =>
        inBatches(requests, (chunk) => Effect.flatMap(sendBatch(chunk, endpoint), resultOf)),
      sendEach: (requests, endpoint) =>
        inBatches(requests, (chunk) => Effect.map(sendBatch(chunk, endpoint), eachOf))
    }
  })
