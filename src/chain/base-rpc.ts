import { Config, Duration, Effect, Runtime } from "effect"
import { callRequest, callResult, decodeQuantity, makeReadAll, result, senderOf } from "./base-reads.ts"
import { makeInspect } from "./base-inspect.ts"
import type { BaseRpc, EvmCall } from "./chain-rpc.ts"
import { evmDialect } from "./evm-dialect.ts"
import { endpointUrls, hostOf } from "./endpoint-urls.ts"
import type { PoolOptions } from "./json-rpc.ts"
import { makeJsonRpcPool } from "./json-rpc.ts"
import { duration, wholeNumber } from "../domain/settings.ts"
import { BASE_CHAIN } from "./own-chain.ts"
import { viemClient } from "./viem-client.ts"
import { span } from "../domain/span.ts"

/** Where and how to ask. */
export interface BaseRpcOptions extends Pick<PoolOptions, "urls" | "concurrency" | "fetch" | "chain"> {
  /** For one HTTP exchange including its body. */
  readonly timeout: Duration.DurationInput
}

/** Time-outs that one call may take in all, with other endpoints and repeats. */
const CALL_TIMEOUTS = 3
const MAX_RESPONSE_BYTES = 8 * 1024 * 1024
const COOLDOWN = "10 seconds"

/**
 * `BASE_RPC_URL`: comma-separated, first preferred, redacted because providers put keys in URLs.
 * `BASE_RPC_TIMEOUT`: for one HTTP exchange. `BASE_RPC_CONCURRENCY`: HTTP exchanges at once.
 */
export const baseRpcConfig = Config.all({
  urls: endpointUrls("BASE_RPC_URL", "https://mainnet.base.org"),
  timeout: duration("BASE_RPC_TIMEOUT", { least: "10 millis", most: "5 minutes", fallback: "4 seconds" }),
  concurrency: wholeNumber("BASE_RPC_CONCURRENCY", { least: 1, most: 10_000, fallback: 32 })
})

/** The reads over given URLs. `makeBaseRpc` is the same from configuration. */
export const makeBaseRpcWith = (options: BaseRpcOptions): Effect.Effect<BaseRpc> =>
  Effect.gen(function* () {
    const pool = yield* makeJsonRpcPool({
      ...options,
      dialect: evmDialect,
      attemptTimeout: options.timeout,
      callTimeout: Duration.times(options.timeout, CALL_TIMEOUTS),
      maxResponseBytes: MAX_RESPONSE_BYTES,
      cooldown: COOLDOWN
    })
    const rpc = senderOf(pool)
    const run = Runtime.runPromise(yield* Effect.runtime<never>())
    return {
      client: viemClient(pool, run),
      nodes: options.urls.map((url, endpoint) => ({
        host: hostOf(url),
        client: viemClient(pool, run, endpoint)
      })),
      readAll: makeReadAll(rpc),
      inspect: yield* makeInspect(rpc),
      callAll: Effect.fn("BaseRpc.callAll")(function* (calls) {
        return yield* Effect.flatMap(rpc.send(calls.map(callRequest)), Effect.forEach(callResult))
      }),
      call: (call: EvmCall) => span("BaseRpc.call")(Effect.flatMap(rpc.one(callRequest(call)), callResult)),
      blockNumber: rpc
        .one({ method: "eth_blockNumber", params: [] })
        .pipe(Effect.flatMap(result), Effect.flatMap(decodeQuantity), Effect.withSpan("BaseRpc.blockNumber"))
    }
  })

/** Base reads from `BASE_RPC_URL`; see `baseRpcConfig`. */
export const makeBaseRpc = Effect.flatMap(baseRpcConfig, (options) =>
  makeBaseRpcWith({ ...options, chain: BASE_CHAIN })
)
