import { describe, expect, layer } from "@effect/vitest"
import { ConfigProvider, Effect, Exit, Layer, Ref } from "effect"
import type { Buyer } from "../../scripts/sandbox/buyer.ts"
import { evmKey } from "../../scripts/sandbox/accounts.ts"
import { ChainRpcLive } from "../../src/chain/chain-rpc-live.ts"
import { BASE_NETWORK, BASE_USDC, SOLANA_NETWORK, SOLANA_USDC } from "../../src/domain/chain.ts"
import { PaymentRejected } from "../../src/domain/errors.ts"
import type { PaymentRequirements } from "../../src/domain/x402.ts"
import { PaymentVerifierLive } from "../../src/payment/verifier/payment-verifier-live.ts"
import { SaleLive } from "../../src/payment/sale/sale-live.ts"
import { Sale } from "../../src/payment/sale/sale.ts"
import { baseBuyer, LocalBase, LocalSolana, smartWalletBuyer, solanaBuyer } from "../support/sandbox.ts"
import { memoryDatabase } from "../support/storage/memory-database.ts"

const URL = "http://127.0.0.1/api/token-risk/v1/ping"

const MachineLive = Layer.unwrapEffect(
  Effect.gen(function* () {
    const base = yield* LocalBase
    const solana = yield* LocalSolana
    const config = new Map([
      ["BASE_RPC_URL", base.url],
      ["SOLANA_RPC_URL", solana.url],
      ["BASE_SETTLER_PRIVATE_KEY", evmKey("settler")],
      ["SOLANA_FEE_PAYER_PRIVATE_KEY", solana.accounts.feePayerSecret]
    ])
    return SaleLive.pipe(
      Layer.provideMerge(PaymentVerifierLive),
      Layer.provide(Layer.merge(ChainRpcLive, memoryDatabase)),
      Layer.provide(Layer.setConfigProvider(ConfigProvider.fromMap(config)))
    )
  })
).pipe(Layer.provideMerge(Layer.merge(LocalBase.layer, LocalSolana.layer)))

const terms = Effect.gen(function* () {
  const base = yield* LocalBase
  const solana = yield* LocalSolana
  const common = { scheme: "exact", amount: "5000", maxTimeoutSeconds: 60 } as const
  const accepts: [PaymentRequirements, PaymentRequirements] = [
    {
      ...common,
      network: BASE_NETWORK,
      asset: BASE_USDC,
      payTo: base.accounts.merchant.address,
      extra: { name: "USD Coin", version: "2" }
    },
    {
      ...common,
      network: SOLANA_NETWORK,
      asset: SOLANA_USDC,
      payTo: solana.accounts.merchant.address,
      extra: { feePayer: solana.accounts.feePayer.address }
    }
  ]
  return { base: accepts[0], solana: accepts[1] }
})

const sign = (buyer: Buyer, { extra, ...requirements }: PaymentRequirements) =>
  Effect.promise(() =>
    buyer.client.createPaymentPayload({
      x402Version: 2,
      resource: { url: URL },
      accepts: [{ ...requirements, extra: { ...extra } }]
    })
  )

const sell = <E>(payload: unknown, work: Effect.Effect<string, E>, fingerprint = "ping base 0x1") =>
  Effect.gen(function* () {
    const { base, solana } = yield* terms
    const sale = yield* Sale
    const payment = yield* sale.parse(Buffer.from(JSON.stringify(payload)).toString("base64"))
    return yield* sale.sell(payment, { accepts: [base, solana], fingerprint, resourceUrl: URL }, work)
  })

const counted = Effect.map(Ref.make(0), (count) => ({
  work: Effect.as(
    Ref.update(count, (n) => n + 1),
    "the report"
  ),
  count: Ref.get(count)
}))

describe("a sale settled with our own keys", () => {
  layer(MachineLive, { excludeTestServices: true })((it) => {
    const buyers = Effect.gen(function* () {
      const base = yield* LocalBase
      const solana = yield* LocalSolana
      const { base: onBase, solana: onSolana } = yield* terms
      const balance = (account: `0x${string}`) => base.usdcBalance(account)
      return [
        { name: "an EOA on Base", buyer: baseBuyer(base.accounts.payer), requirements: onBase, balance },
        {
          name: "a contract wallet on Base",
          buyer: smartWalletBuyer(base.accounts.smartWalletOwner),
          requirements: onBase,
          balance
        },
        {
          name: "a wallet on Solana",
          buyer: solanaBuyer(solana.accounts.payer, solana.url),
          requirements: onSolana
        }
      ] as const
    })

    it.effect("delivers once for one transfer, and the same bytes when the payment comes again", () =>
      Effect.gen(function* () {
        for (const { buyer, requirements } of yield* buyers) {
          const { count, work } = yield* counted
          const payload = yield* sign(buyer, requirements)
          const first = yield* sell(payload, work)
          expect(first).toMatchObject({ answer: "the report", replayed: false })
          expect(first.settlement).toMatchObject({ success: true, network: requirements.network })
          const again = yield* sell(payload, work)
          expect(again).toEqual({ ...first, replayed: true })
          expect(yield* count).toBe(1)
          const other = yield* Effect.flip(sell(payload, work, "deep base 0x1"))
          expect(other).toMatchObject({ _tag: "PaymentRejected", reason: "payment_already_used" })
        }
      })
    )

    it.effect("moves money once for twenty identical submissions", () =>
      Effect.gen(function* () {
        const base = yield* LocalBase
        for (const { buyer, requirements } of yield* buyers) {
          const before = yield* base.usdcBalance(base.accounts.merchant.address)
          const { count, work } = yield* counted
          const payload = yield* sign(buyer, requirements)
          const sold = yield* Effect.all(
            Array.from({ length: 20 }, () => sell(payload, Effect.delay(work, "50 millis"))),
            { concurrency: "unbounded" }
          )
          expect(new Set(sold.map(({ settlement }) => settlement.transaction)).size).toBe(1)
          expect(sold.filter(({ replayed }) => !replayed)).toHaveLength(1)
          expect(yield* count).toBe(1)
          if (requirements.network === BASE_NETWORK) {
            expect(yield* base.usdcBalance(base.accounts.merchant.address)).toBe(before + 5000n)
          }
        }
      })
    )

    it.effect("charges nothing when the work fails, and takes the same payment afterwards", () =>
      Effect.gen(function* () {
        const base = yield* LocalBase
        for (const { buyer, requirements } of yield* buyers) {
          const before = yield* base.usdcBalance(base.accounts.merchant.address)
          const payload = yield* sign(buyer, requirements)
          expect(yield* Effect.flip(sell(payload, Effect.fail("no pools" as const)))).toBe("no pools")
          expect(yield* base.usdcBalance(base.accounts.merchant.address)).toBe(before)
          expect(yield* sell(payload, Effect.succeed("late report"))).toMatchObject({ answer: "late report" })
        }
      })
    )

    it.effect("settles many payments at once with gapless nonces", () =>
      Effect.gen(function* () {
        const base = yield* LocalBase
        const { base: requirements } = yield* terms
        const before = yield* base.usdcBalance(base.accounts.merchant.address)
        const payloads = yield* Effect.all(
          Array.from({ length: 30 }, () => sign(baseBuyer(base.accounts.payer), requirements))
        )
        const exits = yield* Effect.forEach(
          payloads,
          (payload) => Effect.exit(sell(payload, Effect.succeed("report"))),
          { concurrency: "unbounded" }
        )
        expect(exits.filter(Exit.isSuccess)).toHaveLength(30)
        expect(yield* base.usdcBalance(base.accounts.merchant.address)).toBe(before + 150_000n)
      })
    )

    it.effect("refuses a payer without the money before any transfer", () =>
      Effect.gen(function* () {
        const base = yield* LocalBase
        const { base: requirements } = yield* terms
        const payload = yield* sign(baseBuyer(base.accounts.trader), requirements)
        const error = yield* Effect.flip(sell(payload, Effect.succeed("report")))
        expect(error).toBeInstanceOf(PaymentRejected)
        expect(error).toMatchObject({ reason: expect.stringContaining("insufficient_balance") })
      })
    )
  })
})
