import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { SMART_WALLET } from "../../scripts/sandbox/base/addresses.ts"
import { makeBaseRpcWith } from "../../src/chain/base-rpc.ts"
import { isSigned } from "../../src/checkout/merchants/sign-in.ts"
import { BASE_NETWORK } from "../../src/domain/chain.ts"
import { makeNode, options } from "../support/chain/rpc-double.ts"
import { LocalBase } from "../support/sandbox.ts"

const MESSAGE = "risk.test wants you to sign in with your Ethereum account"
const merchant = { network: BASE_NETWORK, merchantPayTo: SMART_WALLET } as const

layer(LocalBase.layer, { excludeTestServices: true, timeout: 60_000 })("a contract wallet on Base", (it) => {
  it.scoped("proves its account by ERC-1271 with its owner's signature, and by nobody else's", () =>
    Effect.gen(function* () {
      const { accounts, url } = yield* LocalBase
      const rpc = yield* makeBaseRpcWith({ ...options(url), timeout: "8 seconds" })
      const owner = accounts.smartWalletOwner
      const [signature, other, strangers] = yield* Effect.promise(() =>
        Promise.all([
          owner.signMessage({ message: MESSAGE }),
          owner.signMessage({ message: `${MESSAGE}!` }),
          privateKeyToAccount(generatePrivateKey()).signMessage({ message: MESSAGE })
        ])
      )
      expect(yield* isSigned(rpc, merchant, MESSAGE, signature)).toBe(true)
      expect(yield* isSigned(rpc, merchant, MESSAGE, other)).toBe(false)
      expect(yield* isSigned(rpc, merchant, MESSAGE, strangers)).toBe(false)
      // The owner's own account is another one.
      const itself = { network: BASE_NETWORK, merchantPayTo: owner.address } as const
      expect(yield* isSigned(rpc, itself, MESSAGE, signature)).toBe(true)
    })
  )

  it.scoped("is not refused while the node is out of reach: that is an outage", () =>
    Effect.gen(function* () {
      const rpc = yield* makeBaseRpcWith(options("http://127.0.0.1:1"))
      const { accounts } = yield* LocalBase
      const signature = yield* Effect.promise(() =>
        accounts.smartWalletOwner.signMessage({ message: MESSAGE })
      )
      expect((yield* Effect.flip(isSigned(rpc, merchant, MESSAGE, signature)))._tag).toBe("UpstreamError")
    })
  )

  it.scoped("is not refused by a node that knows its newest block and runs no call", () =>
    Effect.gen(function* () {
      const node = yield* makeNode(([call]) => {
        const { id, method } = call ?? { id: 0, method: "" }
        const refused = { error: { code: -32601, message: "the method eth_call does not exist" } }
        const said = method === "eth_call" ? refused : { result: "0x1" }
        return { body: { jsonrpc: "2.0", id, ...said } }
      })
      const rpc = yield* makeBaseRpcWith(options(node.url))
      const { accounts } = yield* LocalBase
      const signature = yield* Effect.promise(() =>
        accounts.smartWalletOwner.signMessage({ message: MESSAGE })
      )
      expect((yield* Effect.flip(isSigned(rpc, merchant, MESSAGE, signature)))._tag).toBe("UpstreamError")
    })
  )
})
