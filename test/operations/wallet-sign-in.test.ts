import { expect, layer } from "@effect/vitest"
import { createSIWxPayload, encodeSIWxHeader } from "@x402/extensions/sign-in-with-x"
import { Effect, Layer } from "effect"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { SMART_WALLET } from "../../scripts/sandbox/base/addresses.ts"
import { makeBaseRpcWith } from "../../src/chain/base-rpc.ts"
import { defaultLimits, makeSolanaRpcWith } from "../../src/chain/solana-rpc.ts"
import { makeWalletSignIn } from "../../src/operations/wallet-sign-in.ts"
import { options } from "../support/chain/rpc-double.ts"
import { mockAttestor, mockChainRpc } from "../support/mocks.ts"
import { LocalBase } from "../support/sandbox.ts"

const SERVICE = "https://risk.test"
const OPENED = `${SERVICE}/api/token-risk/v1/purchases/deep`

/** Signs in as the contract wallet by somebody's key, with a node of this URL. */
const signedIn = Effect.fnUntraced(function* (url: string, signer: ReturnType<typeof privateKeyToAccount>) {
  const base = yield* makeBaseRpcWith({ ...options(url), timeout: "8 seconds" })
  const around = Layer.merge(
    mockAttestor({ sign: (bytes) => bytes.slice(0, 64), jwks: { keys: [] } }),
    mockChainRpc({ base, solana: yield* makeSolanaRpcWith(defaultLimits) })
  )
  const { challenge, verify } = yield* Effect.provide(makeWalletSignIn(SERVICE), around)
  const { info, supportedChains } = (yield* challenge(OPENED))["sign-in-with-x"]
  const chain = supportedChains?.find(({ type }) => type === "eip191")
  const payload = yield* Effect.promise(() =>
    createSIWxPayload(
      { ...info, chainId: chain?.chainId ?? "", type: "eip191" },
      {
        address: SMART_WALLET,
        signMessage: ({ message }: { readonly message: string }) => signer.signMessage({ message })
      },
      OPENED
    )
  )
  return yield* Effect.either(verify(encodeSIWxHeader(payload)))
})

layer(LocalBase.layer, { excludeTestServices: true, timeout: 60_000 })("a contract wallet", (it) => {
  it.scoped("signs in by its owner's key, and by nobody else's", () =>
    Effect.gen(function* () {
      const { accounts, url } = yield* LocalBase
      expect(yield* signedIn(url, accounts.smartWalletOwner)).toMatchObject({
        right: { payer: SMART_WALLET.toLowerCase() }
      })
      expect(yield* signedIn(url, privateKeyToAccount(generatePrivateKey()))).toMatchObject({
        left: { _tag: "SignInInvalid", message: "was not signed by the wallet it names" }
      })
    })
  )

  it.scoped("is not told that it has not signed while no node answers: that is an outage", () =>
    Effect.gen(function* () {
      const { accounts } = yield* LocalBase
      expect(yield* signedIn("http://127.0.0.1:1", accounts.smartWalletOwner)).toMatchObject({
        left: { _tag: "UpstreamError", upstream: "base-rpc" }
      })
    })
  )
})
