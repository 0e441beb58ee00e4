import {
  createSolanaRpc,
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  getSignatureFromTransaction,
  getTransactionDecoder,
  partiallySignTransaction,
  signature
} from "@solana/kit"
import { describe, expect, layer } from "@effect/vitest"
import { x402Facilitator } from "@x402/core/facilitator"
import type { PaymentRequirements } from "@x402/core/types"
import { toFacilitatorSvmSigner } from "@x402/svm"
import { ExactSvmScheme } from "@x402/svm/exact/facilitator"
import { Effect } from "effect"
import type { SolanaChain } from "../../scripts/sandbox/solana/solana-chain.ts"
import { SOLANA_NETWORK, SOLANA_USDC } from "../../src/domain/chain.ts"
import { LocalSolana, solanaBuyer } from "../support/sandbox.ts"

const requirements = (chain: SolanaChain): PaymentRequirements => ({
  scheme: "exact",
  network: SOLANA_NETWORK,
  asset: SOLANA_USDC,
  amount: "5000",
  payTo: chain.accounts.merchant.address,
  maxTimeoutSeconds: 60,
  extra: { feePayer: chain.accounts.feePayer.address }
})

const sign = (chain: SolanaChain) =>
  Effect.promise(() =>
    solanaBuyer(chain.accounts.payer, chain.url).client.createPaymentPayload({
      x402Version: 2,
      resource: { url: "http://127.0.0.1/ping" },
      accepts: [requirements(chain)]
    })
  )

const settle = (chain: SolanaChain, payment: Parameters<x402Facilitator["settle"]>[0]) =>
  Effect.promise(() =>
    new x402Facilitator()
      .register(
        SOLANA_NETWORK,
        new ExactSvmScheme(toFacilitatorSvmSigner(chain.accounts.feePayer, { defaultRpcUrl: chain.url }))
      )
      .settle(payment, requirements(chain))
  )

const rawRpc = (chain: SolanaChain, body: unknown) =>
  Effect.promise(async (): Promise<unknown> => {
    const response = await fetch(chain.url, { method: "POST", body: JSON.stringify(body) })
    return JSON.parse(await response.text())
  })

const call = (chain: SolanaChain, method: string, params: ReadonlyArray<unknown> = []) =>
  rawRpc(chain, { jsonrpc: "2.0", id: 1, method, params })

describe("the local Solana chain", () => {
  layer(LocalSolana.layer, { excludeTestServices: true })((it) => {
    it.effect("lands a USDC payment signed by the official client", () =>
      Effect.gen(function* () {
        const chain = yield* LocalSolana
        const before = yield* chain.usdcBalance(chain.accounts.merchant.address)
        const settled = yield* settle(chain, yield* sign(chain))
        expect(settled).toMatchObject({ success: true, payer: chain.accounts.payer.address })
        expect(yield* chain.usdcBalance(chain.accounts.merchant.address)).toBe(before + 5000n)

        const rpc = createSolanaRpc(chain.url)
        const landed = yield* Effect.promise(() =>
          rpc
            .getTransaction(signature(settled.transaction), {
              encoding: "base64",
              maxSupportedTransactionVersion: 0
            })
            .send()
        )
        const received = landed?.meta?.postTokenBalances?.find(
          ({ owner }) => owner === chain.accounts.merchant.address
        )
        expect(received?.uiTokenAmount.amount).toBe((before + 5000n).toString())
      })
    )

    it.effect("refuses a payment whose blockhash has expired", () =>
      Effect.gen(function* () {
        const chain = yield* LocalSolana
        const payment = yield* sign(chain)
        chain.ledger.clock.advance(200)
        const before = yield* chain.usdcBalance(chain.accounts.merchant.address)
        expect((yield* settle(chain, payment)).success).toBe(false)
        expect(yield* chain.usdcBalance(chain.accounts.merchant.address)).toBe(before)
      })
    )

    it.effect("lands late when told to", () =>
      Effect.gen(function* () {
        const chain = yield* LocalSolana
        const before = yield* chain.usdcBalance(chain.accounts.merchant.address)
        chain.faults.confirmMs = 300
        const settled = yield* settle(chain, yield* sign(chain))
        chain.faults.confirmMs = 0
        expect(settled.success).toBe(true)
        expect(yield* chain.usdcBalance(chain.accounts.merchant.address)).toBe(before + 5000n)
      })
    )

    it.effect("drops a transaction silently when told to", () =>
      Effect.gen(function* () {
        const chain = yield* LocalSolana
        const { payload } = yield* sign(chain)
        const half = getTransactionDecoder().decode(getBase64Encoder().encode(String(payload["transaction"])))
        const whole = yield* Effect.promise(() =>
          partiallySignTransaction([chain.accounts.feePayer.keyPair], half)
        )
        const wire = getBase64EncodedWireTransaction(whole)
        const before = yield* chain.usdcBalance(chain.accounts.merchant.address)
        const send = call(chain, "sendTransaction", [wire, { encoding: "base64" }])
        chain.faults.dropTransactions = 1
        expect(yield* send).toMatchObject({ result: getSignatureFromTransaction(whole) })
        expect(yield* chain.usdcBalance(chain.accounts.merchant.address)).toBe(before)
        yield* send
        expect(yield* chain.usdcBalance(chain.accounts.merchant.address)).toBe(before + 5000n)
      })
    )

    it.effect("answers batches, unknown methods and malformed bodies as a node does", () =>
      Effect.gen(function* () {
        const chain = yield* LocalSolana
        const batch = yield* rawRpc(chain, [
          { jsonrpc: "2.0", id: 1, method: "getGenesisHash" },
          { jsonrpc: "2.0", id: 2, method: "getNothing" }
        ])
        expect(batch).toMatchObject([
          { id: 1, result: "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d" },
          { id: 2, error: { code: -32601 } }
        ])
        expect(yield* rawRpc(chain, "text")).toMatchObject({ error: { code: -32600 } })
      })
    )

    it.effect("gives a token's largest accounts in order, and refuses when told to", () =>
      Effect.gen(function* () {
        const chain = yield* LocalSolana
        const rpc = createSolanaRpc(chain.url)
        const { address, pool } = chain.tokens.clean
        const { value } = yield* Effect.promise(() => rpc.getTokenLargestAccounts(address).send())
        expect(value[0]?.address).toBe(pool?.tokenVault)
        expect(value.map(({ amount }) => amount)).toHaveLength(7)
        chain.faults.refusedMethods.add("getTokenLargestAccounts")
        const refused = yield* call(chain, "getTokenLargestAccounts", [address])
        chain.faults.refusedMethods.clear()
        expect(refused).toMatchObject({ error: { code: 429 } })
      })
    )

    it.effect("reads slices of many accounts at once, null where there is none", () =>
      Effect.gen(function* () {
        const chain = yield* LocalSolana
        const answer = yield* call(chain, "getMultipleAccounts", [
          [
            chain.tokens.transferHook.address,
            chain.accounts.payer.address,
            "1nc1nerator11111111111111111111111111111111"
          ],
          { encoding: "base64", dataSlice: { offset: 0, length: 0 } }
        ])
        expect(answer).toMatchObject({
          result: {
            value: [
              { data: ["", "base64"], owner: "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb" },
              { lamports: 10_000_000_000 },
              null
            ]
          }
        })
      })
    )
  })
})
