import { describe, expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { createPublicClient, createWalletClient, http, parseEther } from "viem"
import { startRpcProxy } from "../../scripts/sandbox/rpc-proxy.ts"
import { LocalBase } from "../support/sandbox.ts"

describe("the RPC proxy", () => {
  layer(LocalBase.layer, { excludeTestServices: true })((it) => {
    it.scoped("passes requests on and counts them by method", () =>
      Effect.gen(function* () {
        const proxy = yield* startRpcProxy((yield* LocalBase).url)
        const client = createPublicClient({ transport: http(proxy.url) })
        expect(yield* Effect.promise(() => client.getChainId())).toBe(8453)
        expect(proxy.requests.get("eth_chainId")).toBe(1)
      })
    )

    it.scoped("lands a transaction whose reply it loses", () =>
      Effect.gen(function* () {
        const { accounts, devnet, url } = yield* LocalBase
        const proxy = yield* startRpcProxy(url)
        proxy.faults.lostReplies.add("eth_sendRawTransaction")
        const wallet = createWalletClient({
          account: accounts.trader,
          transport: http(proxy.url, { retryCount: 0 })
        })
        const to = "0x00000000000000000000000000000000000000aa"
        const balance = Effect.promise(() => devnet.client.getBalance({ address: to }))
        const before = yield* balance
        const sent = yield* Effect.either(
          Effect.tryPromise(() => wallet.sendTransaction({ to, value: parseEther("1"), chain: null }))
        )
        expect(sent._tag).toBe("Left")
        expect(proxy.requests.get("eth_sendRawTransaction")).toBe(1)
        yield* Effect.promise(() => devnet.request("evm_mine", []))
        expect((yield* balance) - before).toBe(parseEther("1"))
      })
    )

    it.scoped("refuses the methods it is told to refuse", () =>
      Effect.gen(function* () {
        const proxy = yield* startRpcProxy((yield* LocalBase).url)
        proxy.faults.refusedMethods.add("eth_blockNumber")
        const client = createPublicClient({ transport: http(proxy.url, { retryCount: 0 }) })
        expect((yield* Effect.either(Effect.tryPromise(() => client.getBlockNumber())))._tag).toBe("Left")
        expect(yield* Effect.promise(() => client.getChainId())).toBe(8453)
      })
    )
  })
})
