/** Wallets that are contracts sign in by what the chain says of a signature: a node that says nothing says no "no". */
import { describe, expect, it } from "@effect/vitest"
import { createSIWxPayload, encodeSIWxHeader } from "@x402/extensions/sign-in-with-x"
import { Effect, Layer } from "effect"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { BASE_NETWORK } from "../../src/domain/chain.ts"
import { UpstreamError } from "../../src/domain/errors.ts"
import type { BaseRpc } from "../../src/chain/chain-rpc.ts"
import { makeWalletSignIn } from "../../src/operations/wallet-sign-in.ts"
import { rpcOf } from "../support/base/rpc-of.ts"
import { mockAttestor, mockChainRpc } from "../support/mocks.ts"

const PUBLIC_URL = "https://risk.example"
const WALLET = "0x00000000000000000000000000000000000c0de5"

const unused = () => Effect.dieMessage("Solana is asked nothing")
const solana = {
  urls: [],
  nodes: [],
  call: unused,
  together: unused,
  simulate: unused,
  getProgramAccounts: unused,
  getLargestTokenAccounts: unused,
  getAccounts: unused
}

const down = new UpstreamError({ upstream: "base-rpc", kind: "transport", detail: "" })

/** What signing in comes to whose message names a contract and is signed by a key. */
const signIn = (base: BaseRpc) =>
  Effect.gen(function* () {
    const { challenge, verify } = yield* makeWalletSignIn(PUBLIC_URL)
    const uri = `${PUBLIC_URL}/purchases`
    const declared = (yield* challenge(uri))["sign-in-with-x"]
    const key = privateKeyToAccount(generatePrivateKey())
    const info = { ...declared?.info, chainId: BASE_NETWORK, type: "eip191" as const }
    const payload = yield* Effect.promise(() => createSIWxPayload(info, key, uri))
    return yield* Effect.flip(verify(encodeSIWxHeader({ ...payload, address: WALLET })))
  }).pipe(
    Effect.provide(
      Layer.merge(
        mockAttestor({ sign: () => new Uint8Array(64), jwks: { keys: [] } }),
        mockChainRpc({ base, solana })
      )
    )
  )

describe("a wallet that is a contract", () => {
  it.live("is not told that it did not sign while no node answers: that is an outage", () =>
    Effect.map(signIn(rpcOf({ blockNumber: down })), (error) => expect(error._tag).toBe("UpstreamError"))
  )

  it.live("is told so where the chain says it", () =>
    Effect.map(signIn(rpcOf({}, async () => "0x00")), (error) =>
      expect(error).toMatchObject({ _tag: "SignInInvalid", message: "was not signed by the wallet it names" })
    )
  )
})
