import { type Effect, Either } from "effect"
import type { Chain, PublicClient } from "viem"
import { createPublicClient, custom, HttpRequestError, RpcRequestError, TimeoutError } from "viem"
import { base } from "viem/chains"
import type { JsonRpcPool, RpcRequest } from "./json-rpc.ts"
import type { RpcAnswer, Refusal, RpcErrorObject } from "./json-rpc-answer.ts"

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

/** Methods that a node answers from its index: asked together, none waits for the work of another. */
const QUICK: ReadonlySet<string> = new Set([
  "eth_blockNumber",
  "eth_getBalance",
  "eth_getBlockByNumber",
  "eth_getCode",
  "eth_getTransactionByHash",
  "eth_getTransactionCount",
  "eth_getTransactionReceipt"
])

interface Waiting {
  readonly request: RpcRequest
  readonly settle: (answer: RpcAnswer) => void
  readonly fail: (cause: unknown) => void
}

type Pool = Pick<JsonRpcPool, "sendEach">

/** Runs what viem waits for. */
type Run = <A>(effect: Effect.Effect<A>) => Promise<A>

/** Sends what is asked in one turn of the event loop in one HTTP batch. */
const makeTogether = (pool: Pool, run: Run, endpoint: number | undefined) => {
  let waiting: Array<Waiting> = []

  const flush = async (): Promise<void> => {
    const asked = waiting
    waiting = []
    const requests = asked.map(({ request }) => request)
    try {
      const answers = await run(pool.sendEach(requests, endpoint))
      for (const [at, answer] of answers.entries()) asked[at]?.settle(answer)
    } catch (cause) {
      for (const { fail } of asked) fail(cause)
    }
  }

  return (request: RpcRequest): Promise<RpcAnswer> =>
    new Promise((settle, fail) => {
      waiting.push({ request, settle, fail })
      if (waiting.length === 1) setImmediate(() => void flush())
    })
}

/**
 * A viem client whose requests go through the pool: its order, limits, time-outs and repeats hold, and viem adds none.
 * @param run on the caller's scheduler, so that exchanges take turns with everything else
 * @param endpoint position of the only endpoint to ask; absent: all, in order
 */
export const viemClient = (pool: Pool, run: Run, endpoint?: number): PublicClient => {
  const together = makeTogether(pool, run, endpoint)
  const alone = async (asked: RpcRequest): Promise<RpcAnswer> => {
    const [answer] = await run(pool.sendEach([asked], endpoint))
    if (answer === undefined) throw new HttpRequestError({ url: NAME, details: "no answer" })
    return answer
  }
  const request = async ({ method, params = [] }: { method: string; params?: unknown }): Promise<unknown> => {
    const asked: RpcRequest = { method, params: Array.isArray(params) ? params : [params] }
    const answer = await (QUICK.has(method) ? together(asked) : alone(asked))
    if (Either.isLeft(answer)) throw viemError(asked, answer.left)
    if (!answer.right.executed) throw nodeError(asked, answer.right.error)
    return answer.right.result
  }
  return createPublicClient({ chain, transport: custom({ request }, { retryCount: 0 }) })
}
