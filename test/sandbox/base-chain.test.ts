import { describe, expect, layer } from "@effect/vitest"
import type { PaymentRequirements } from "@x402/core/types"
import { Effect, Schema } from "effect"
import { maxUint256, numberToHex, parseEther, parseSignature, serializeSignature } from "viem"
import * as abi from "../../scripts/sandbox/base/abi.ts"
import * as at from "../../scripts/sandbox/base/addresses.ts"
import type { BaseChain } from "../../scripts/sandbox/base/base-chain.ts"
import type { Buyer } from "../../scripts/sandbox/buyer.ts"
import { BASE_NETWORK } from "../../src/domain/chain.ts"
import { baseBuyer, LocalBase, smartWalletBuyer } from "../support/sandbox.ts"

/** Order of secp256k1. */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

const Hex = Schema.TemplateLiteral("0x", Schema.String)

const requirements = (chain: BaseChain): PaymentRequirements => ({
  scheme: "exact",
  network: BASE_NETWORK,
  asset: at.USDC,
  amount: "5000",
  payTo: chain.accounts.merchant.address,
  maxTimeoutSeconds: 60,
  extra: { name: "USD Coin", version: "2" }
})

const challenge = (chain: BaseChain) => ({
  x402Version: 2,
  resource: { url: "http://127.0.0.1/ping" },
  accepts: [requirements(chain)]
})

const Signed = Schema.Struct({
  signature: Hex,
  authorization: Schema.Struct({
    from: Hex,
    to: Hex,
    value: Schema.BigInt,
    validAfter: Schema.BigInt,
    validBefore: Schema.BigInt,
    nonce: Hex
  })
})

/** Signs with the official client. */
const sign = (chain: BaseChain, buyer: Buyer) =>
  Effect.promise(() => buyer.client.createPaymentPayload(challenge(chain))).pipe(
    Effect.flatMap(({ payload }) => Schema.decodeUnknown(Signed)(payload))
  )

const submit = (chain: BaseChain, { authorization, signature }: typeof Signed.Type) => {
  const { from, nonce, to, validAfter, validBefore, value } = authorization
  return Effect.tryPromise(() =>
    chain.devnet.write(chain.accounts.settler.address, at.USDC, abi.usdc, "transferWithAuthorization", [
      from,
      to,
      value,
      validAfter,
      validBefore,
      nonce,
      signature
    ])
  )
}

const buy = (chain: BaseChain, token: `0x${string}`, buyer: `0x${string}`) =>
  chain.devnet.write(
    buyer,
    at.V2_ROUTER,
    abi.v2Router,
    "swapExactETHForTokensSupportingFeeOnTransferTokens",
    [0n, [at.WETH, token], buyer, maxUint256],
    parseEther("0.1")
  )

const sellAll = async (chain: BaseChain, token: `0x${string}`, seller: `0x${string}`) => {
  const balance = await chain.devnet.client.readContract({
    address: token,
    abi: abi.erc20,
    functionName: "balanceOf",
    args: [seller]
  })
  await chain.devnet.write(seller, token, abi.erc20, "approve", [at.V2_ROUTER, maxUint256])
  return chain.devnet.write(
    seller,
    at.V2_ROUTER,
    abi.v2Router,
    "swapExactTokensForETHSupportingFeeOnTransferTokens",
    [balance, 0n, [token, at.WETH], seller, maxUint256]
  )
}

describe("the local Base chain", () => {
  layer(LocalBase.layer, { excludeTestServices: true })((it) => {
    it.effect("lands a USDC authorization signed by the official client, once", () =>
      Effect.gen(function* () {
        const chain = yield* LocalBase
        const { merchant, payer } = chain.accounts
        const before = yield* chain.usdcBalance(merchant.address)
        const signed = yield* sign(chain, baseBuyer(payer))
        const { from, nonce } = signed.authorization
        expect(yield* chain.isAuthorizationUsed(from, nonce)).toBe(false)
        yield* submit(chain, signed)
        expect(yield* chain.usdcBalance(merchant.address)).toBe(before + 5000n)
        expect(yield* chain.isAuthorizationUsed(from, nonce)).toBe(true)
        const again = yield* Effect.flip(submit(chain, signed))
        expect(String(again.cause)).toContain("authorization is used or canceled")
      })
    )

    it.effect("lets a contract wallet pay with its owner's signature and nobody else's", () =>
      Effect.gen(function* () {
        const chain = yield* LocalBase
        const before = yield* chain.usdcBalance(at.SMART_WALLET)
        yield* submit(chain, yield* sign(chain, smartWalletBuyer(chain.accounts.smartWalletOwner)))
        expect(yield* chain.usdcBalance(at.SMART_WALLET)).toBe(before - 5000n)
        const forged = yield* sign(chain, smartWalletBuyer(chain.accounts.trader))
        expect(String((yield* Effect.flip(submit(chain, forged))).cause)).toContain("invalid signature")
      })
    )

    it.effect("refuses a changed amount, a high-s twin and an expired authorization", () =>
      Effect.gen(function* () {
        const chain = yield* LocalBase
        const signed = yield* sign(chain, baseBuyer(chain.accounts.payer))
        const { authorization, signature } = signed
        const cause = (payment: typeof Signed.Type) =>
          Effect.map(Effect.flip(submit(chain, payment)), (error) => String(error.cause))
        expect(yield* cause({ ...signed, authorization: { ...authorization, value: 1n } })).toContain(
          "invalid signature"
        )
        const { r, s, yParity } = parseSignature(signature)
        const twin = serializeSignature({
          r,
          s: numberToHex(ORDER - BigInt(s), { size: 32 }),
          yParity: yParity === 0 ? 1 : 0
        })
        expect(yield* cause({ authorization, signature: twin })).toContain("invalid signature 's' value")
        expect(yield* cause({ signature, authorization: { ...authorization, validBefore: 1n } })).toContain(
          "authorization is expired"
        )
      })
    )

    it.effect("has Uniswap's router wired to the factory and WETH at Base's addresses", () =>
      Effect.gen(function* () {
        const { client } = (yield* LocalBase).devnet
        const router = { address: at.V2_ROUTER, abi: abi.v2Router }
        const factory = yield* Effect.promise(() =>
          client.readContract({ ...router, functionName: "factory" })
        )
        const weth = yield* Effect.promise(() => client.readContract({ ...router, functionName: "WETH" }))
        expect([factory, weth]).toEqual([at.V2_FACTORY, at.WETH])
      })
    )

    for (const name of ["clean", "mintable", "fee", "unlocked", "blacklist"] as const) {
      it.effect(`lets anyone buy and sell ${name}`, () =>
        Effect.gen(function* () {
          const chain = yield* LocalBase
          const trader = chain.accounts.trader.address
          const token = chain.tokens[name].address
          yield* Effect.promise(() => buy(chain, token, trader))
          const before = yield* Effect.promise(() => chain.devnet.client.getBalance({ address: trader }))
          yield* Effect.promise(() => sellAll(chain, token, trader))
          const after = yield* Effect.promise(() => chain.devnet.client.getBalance({ address: trader }))
          const received = Number(after - before) / 1e18
          expect(received).toBeGreaterThan(name === "fee" ? 0.08 : 0.095)
          expect(received).toBeLessThan(name === "fee" ? 0.09 : 0.1)
        })
      )
    }

    it.effect("lets anyone buy the honeypot and nobody sell it", () =>
      Effect.gen(function* () {
        const chain = yield* LocalBase
        const trader = chain.accounts.trader.address
        const { address } = chain.tokens.honeypot
        yield* Effect.promise(() => buy(chain, address, trader))
        const sale = yield* Effect.exit(Effect.tryPromise(() => sellAll(chain, address, trader)))
        expect(sale._tag).toBe("Failure")
      })
    )

    it.effect("has V3 liquidity near the planned price", () =>
      Effect.gen(function* () {
        const { devnet, tokens } = yield* LocalBase
        const { pool } = tokens.concentrated
        expect(pool).not.toBeNull()
        if (pool === null) return
        const liquidity = yield* Effect.promise(() =>
          devnet.client.readContract({ address: pool, abi: abi.v3Pool, functionName: "liquidity" })
        )
        expect(liquidity).toBeGreaterThan(10n ** 20n)
      })
    )

    it.effect("keeps its clock with the wall clock", () =>
      Effect.gen(function* () {
        const { devnet } = yield* LocalBase
        const { timestamp } = yield* Effect.promise(() => devnet.client.getBlock())
        expect(Math.abs(Number(timestamp) - Date.now() / 1000)).toBeLessThan(10)
      })
    )
  })
})
