/** A local chain with contracts that answer, revert, burn or flood, and a `BaseRpc` on it. */
import { Effect } from "effect"
import type { Hex } from "viem"
import { createTestClient, http, pad } from "viem"
import { base } from "viem/chains"
import { startAnvil } from "../../../scripts/sandbox/base/anvil.ts"
import { makeBaseRpcWith } from "../../../src/chain/base-rpc.ts"
import { options } from "./rpc-double.ts"

export const echo = "0x00000000000000000000000000000000000e0001"
export const reverter = "0x00000000000000000000000000000000000e0002"
export const burner = "0x00000000000000000000000000000000000e0003"
export const bomber = "0x00000000000000000000000000000000000e0004"

// Hand-made: give the call data back; revert with it; burn all gas; answer with a megabyte of zeros.
export const codes: Record<Hex, Hex> = {
  [echo]: "0x366000600037366000f3",
  [reverter]: "0x366000600037366000fd",
  [burner]: "0x5b600056",
  [bomber]: "0x621000006000f3"
}

export const reads = [
  { to: echo, data: "0x1234" },
  { to: reverter, data: "0xabcd" },
  { to: burner, data: "0x" },
  { to: echo, data: "0x" },
  { to: echo, data: pad("0x77", { size: 4000 }) }
] as const

export const expected = [
  { ok: true, data: "0x1234" },
  { ok: false, data: "0xabcd" },
  { ok: false, data: "0x" },
  { ok: true, data: "0x" },
  { ok: true, data: reads[4].data }
]

/** @param changed what the node gets instead of a request's body */
export const makeChainWhere = Effect.fnUntraced(function* (changed: (body: string) => string) {
  const { url } = yield* startAnvil({ blockTime: null })
  const client = createTestClient({ chain: base, mode: "anvil", transport: http(url) })
  yield* Effect.promise(async () => {
    for (const [address, bytecode] of Object.entries(codes)) {
      await client.setCode({ address: `0x${address.slice(2)}`, bytecode })
    }
    await client.mine({ blocks: 3 })
  })
  let requests = 0
  const rpc = yield* makeBaseRpcWith({
    ...options(url),
    timeout: "20 seconds",
    fetch: (input, init) => {
      requests += 1
      return globalThis.fetch(input, { ...init, body: changed(String(init?.body)) })
    }
  })
  const count = Effect.sync(() => requests)
  return { url, rpc, client, count }
})

export const makeChain = makeChainWhere((body) => body)
