import { Effect, Redacted, Schema } from "effect"
import type { PublicClient } from "viem"
import { evmDialect } from "../../../src/chain/evm-dialect.ts"
import { makeJsonRpcPool } from "../../../src/chain/json-rpc.ts"
import { viemClient } from "../../../src/chain/viem-client.ts"

const Call = Schema.Struct({
  id: Schema.Number,
  method: Schema.String,
  params: Schema.Array(Schema.Unknown)
})
const decodeCalls = Schema.decodeUnknownSync(Schema.parseJson(Schema.Union(Call, Schema.Array(Call))))

/** The service's own viem client and pool in front of a node that answers as told. */
export const clientOver = (
  answer: (method: string, params: ReadonlyArray<unknown>) => Promise<unknown>
): PublicClient => {
  const reply = async ({ id, method, params }: typeof Call.Type) => ({
    jsonrpc: "2.0",
    id,
    result: await answer(method, params)
  })
  const pool = makeJsonRpcPool({
    dialect: evmDialect,
    urls: [Redacted.make("http://node.test")],
    attemptTimeout: "1 minute",
    callTimeout: "1 minute",
    maxResponseBytes: 8 * 1024 * 1024,
    concurrency: 16,
    cooldown: "1 second",
    fetch: async (_url, init) => {
      const calls = decodeCalls(init?.body)
      return Response.json("method" in calls ? await reply(calls) : await Promise.all(calls.map(reply)))
    }
  })
  return viemClient(Effect.runSync(pool), Effect.runPromise)
}
