import { Effect, Schema } from "effect"
import { UpstreamError } from "../domain/errors.ts"
import type { JsonRpcPool } from "./json-rpc.ts"

/** One method of a node, its result decoded. A result of another shape is `malformed`. */
export type RpcCall = <A, I>(
  method: string,
  params: ReadonlyArray<unknown>,
  result: Schema.Schema<A, I>
) => Effect.Effect<A, UpstreamError>

/**
 * Calls through the pool whose results are decoded.
 * @param endpoint position of the only endpoint to ask; absent: all, in order
 */
export const typedCalls =
  (pool: JsonRpcPool, endpoint?: number): RpcCall =>
  (method, params, result) => {
    const malformed = () =>
      // The decoder's own message repeats the value, which is a stranger's and may be of any depth.
      new UpstreamError({
        upstream: pool.upstream,
        kind: "malformed",
        detail: `${method}: unexpected result`
      })
    return pool.send([{ method, params }], endpoint).pipe(
      Effect.mapError(({ error }) => error),
      Effect.flatMap(([reply]) =>
        reply?.executed === true
          ? Effect.mapError(Schema.decodeUnknown(result)(reply.result), malformed)
          : Effect.fail(malformed())
      )
    )
  }
