import { Effect, Either, Schema } from "effect"
import { UpstreamError } from "../domain/errors.ts"
import { gathering } from "../domain/gathering.ts"
import type { RpcReply } from "./json-rpc-answer.ts"
import { type JsonRpcPool, MAX_BATCH, type RpcRequest } from "./json-rpc.ts"

/** One method of a node, its result decoded. A result of another shape is `malformed`. */
export type RpcCall = <A, I>(
  method: string,
  params: ReadonlyArray<unknown>,
  result: Schema.Schema<A, I>
) => Effect.Effect<A, UpstreamError>

type Ask = (request: RpcRequest) => Effect.Effect<RpcReply | undefined, UpstreamError>

const decoding =
  (upstream: JsonRpcPool["upstream"], ask: Ask): RpcCall =>
  (method, params, result) => {
    const malformed = () =>
      // The decoder's own message repeats the value, which is a stranger's and may be of any depth.
      new UpstreamError({ upstream, kind: "malformed", detail: `${method}: unexpected result` })
    return Effect.flatMap(ask({ method, params }), (reply) =>
      reply?.executed === true
        ? Effect.mapError(Schema.decodeUnknown(result)(reply.result), malformed)
        : Effect.fail(malformed())
    )
  }

/**
 * Calls through the pool whose results are decoded.
 * @param endpoint position of the only endpoint to ask; absent: all, in order
 */
export const typedCalls = (pool: JsonRpcPool, endpoint?: number): RpcCall =>
  decoding(pool.upstream, (request) =>
    Effect.mapBoth(pool.send([request], endpoint), {
      onFailure: ({ error }) => error,
      onSuccess: ([reply]) => reply
    })
  )

/** How long a call waits for others. */
const GATHER = "3 millis"

/**
 * The same, where calls of one method within a few milliseconds travel in one HTTP batch: of what an exchange costs, most is
 * the exchange. Methods do not share one: where a node limits or refuses a method it refuses the whole batch. A node that
 * takes no batch is asked for each by itself.
 */
export const gatheredCalls = (pool: JsonRpcPool): RpcCall => {
  const byMethod = new Map<string, Ask>()
  const askFor = (method: string): Ask => {
    const known = byMethod.get(method)
    if (known !== undefined) return known
    const made: Ask = gathering({
      pause: Effect.sleep(GATHER),
      most: MAX_BATCH,
      answer: (requests: ReadonlyArray<RpcRequest>) =>
        Effect.map(pool.sendEach(requests), (answers) =>
          answers.map((answer) => Either.mapLeft(answer, ({ error }) => error))
        )
    })
    byMethod.set(method, made)
    return made
  }
  return decoding(pool.upstream, (request) => askFor(request.method)(request))
}
