import { Effect, Redacted } from "effect"
import { makeJsonRpcPool } from "./json-rpc.ts"
import { type RpcCall, typedCalls } from "./rpc-call.ts"
import { solanaDialect } from "./solana-dialect.ts"
import { defaultLimits } from "./solana-rpc.ts"

/** A pool of its own over these endpoints. */
export const makeTransport = (
  urls: readonly [string, ...ReadonlyArray<string>]
): Effect.Effect<{ readonly call: RpcCall }> =>
  Effect.map(
    makeJsonRpcPool({
      ...defaultLimits,
      dialect: solanaDialect,
      urls: urls.map((url) => Redacted.make(url))
    }),
    (pool) => ({ call: typedCalls(pool) })
  )
