import { Effect } from "effect"
import { createPublicClient, custom } from "viem"
import type { BaseRpc } from "../../../src/chain/chain-rpc.ts"
import { UpstreamError } from "../../../src/domain/errors.ts"

const refused = Effect.fail(
  new UpstreamError({ upstream: "base-rpc", kind: "rejected", detail: "not served" })
)

/** Nothing is served but what is given, and what `request` answers of the client's own methods. */
export const rpcOf = (
  served: Partial<BaseRpc>,
  request: (asked: { readonly method: string }) => Promise<unknown> = () =>
    Promise.reject(new Error("not served"))
): BaseRpc => ({
  client: createPublicClient({ transport: custom({ request }, { retryCount: 0 }) }),
  nodes: [],
  readAll: () => refused,
  inspect: () => refused,
  call: () => refused,
  callAll: () => refused,
  blockNumber: Effect.succeed(1n),
  ...served
})
