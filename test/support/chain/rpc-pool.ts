import { Redacted } from "effect"
import { evmDialect } from "../../../src/chain/evm-dialect.ts"
import { makeJsonRpcPool, type PoolOptions } from "../../../src/chain/json-rpc.ts"

export const pool = (urls: ReadonlyArray<string>, over: Partial<PoolOptions> = {}) =>
  makeJsonRpcPool({
    dialect: evmDialect,
    urls: urls.map((url) => Redacted.make(url)),
    attemptTimeout: "5 seconds",
    callTimeout: "30 seconds",
    maxResponseBytes: 1024 * 1024,
    concurrency: 4,
    cooldown: "10 seconds",
    ...over
  })

export const cheap = { method: "eth_blockNumber", params: [] }
export const dear = { method: "eth_call", params: [] }
