import { Cause, Effect, Exit, Option } from "effect"
import type { Chain, PublicClient } from "viem"
import { createPublicClient, custom, HttpRequestError, RpcRequestError, TimeoutError } from "viem"
import { base } from "viem/chains"
import type { JsonRpcPool, RpcRequest } from "./json-rpc.ts"
import type { Refusal, RpcErrorObject } from "./json-rpc-answer.ts"

// Without the OP formatters the client is a plain PublicClient, which is what the x402 schemes take.
const chain: Chain = base

/** viem prints the URL of a failed request, and ours may hold a key. */
const NAME = "base-rpc"

const nodeError = ({ method, params }: RpcRequest, { code, message, data }: RpcErrorObject) =>
  new RpcRequestError({ body: { method, params }, error: { code, message, data }, url: NAME })

/** A refusal as viem's own transports would throw it, so that whoever reads viem's errors is not surprised. */
const viemError = (request: RpcRequest, { answer, error }: Refusal): Error => {
  if (answer !== undefined) return nodeError(request, answer)
  return error.kind === "timeout"
    ? new TimeoutError({ body: { method: request.method }, url: NAME })
    : new HttpRequestError({ body: { method: request.method }, url: NAME, details: error.detail })
}

/**
 * A viem client whose requests go through the pool: its order, limits, time-outs and repeats hold, and viem adds none.
 * @param endpoint position of the only endpoint to ask; absent: all, in order
 */
export const viemClient = (pool: JsonRpcPool, endpoint?: number): PublicClient => {
  const request = async ({ method, params = [] }: { method: string; params?: unknown }): Promise<unknown> => {
    const asked: RpcRequest = { method, params: Array.isArray(params) ? params : [params] }
    const exit = await Effect.runPromiseExit(pool.send([asked], endpoint))
    if (Exit.isFailure(exit)) {
      throw Option.match(Cause.failureOption(exit.cause), {
        onNone: () => new HttpRequestError({ url: NAME, details: "the request was interrupted" }),
        onSome: (refusal) => viemError(asked, refusal)
      })
    }
    const [reply] = exit.value
    if (reply?.executed === false) throw nodeError(asked, reply.error)
    return reply?.result
  }
  return createPublicClient({ chain, transport: custom({ request }, { retryCount: 0 }) })
}
