/** Two refunds of the same amount to one payer: which transfer is which, whatever a node shows. */
import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Context, Effect, Either, Layer } from "effect"
import { type Hex, parseTransaction } from "viem"
import { Randomness } from "../../src/checkout/randomness.ts"
import { CheckoutRepo } from "../../src/checkout/checkout-repo.ts"
import { RefundRepo, RefundRepoLive } from "../../src/checkout/refunds/refund-repo.ts"
import { Refunds, RefundsLive } from "../../src/checkout/refunds/refunds.ts"
import { BASE_USDC, SOLANA_NETWORK } from "../../src/domain/chain.ts"
import type { PreparedRefund } from "../../src/domain/refund.ts"
import { sendTogether } from "../support/checkout/refunds-together.ts"
import { inSandboxShop } from "../support/checkout/in-shop.ts"
import { createCheckout } from "../support/checkout/shop.ts"
import { LocalSandbox } from "../support/sandbox.ts"

const toHex = (text: string): Hex => `0x${text.slice(2)}`
const repoTransfers = (id: string) => Effect.flatMap(CheckoutRepo, ({ transfers }) => transfers(id))

layer(LocalSandbox.layer, { excludeTestServices: true, timeout: 120_000 })("a second refund", (it) => {
  /** An order to which a wallet has paid two USDC. */
  const paidOrder = Effect.gen(function* () {
    const { base } = yield* LocalSandbox
    const repo = yield* CheckoutRepo
    const { merchant, trader } = base.accounts
    // Nobody who looks back a little sees the same refunds of an attempt before this one.
    yield* Effect.promise(() => base.devnet.request("anvil_mine", ["0x8"]))
    yield* base.mintUsdc(merchant.address, 5_000_000n)
    const { checkoutId } = yield* createCheckout({ merchantPayTo: merchant.address, amountUsd: "2" })
    const payer = trader.address.toLowerCase()
    const transfer = { evidence: "paid", checkoutId, via: "wallet", transaction: "t", payer } as const
    const paid = { ...transfer, amount: 2_000_000n, at: Date.now() }
    yield* repo.record(paid, Date.now(), () => ({ paid: null, messages: [] }))
    return checkoutId
  })

  /** The merchant signs a refund as it is and sends it. */
  const send = ({ transaction }: PreparedRefund) =>
    Effect.gen(function* () {
      const { base } = yield* LocalSandbox
      const {
        chainId = 0,
        data,
        gas = 0n,
        nonce = 0,
        to,
        ...fees
      } = parseTransaction(`0x${(transaction ?? "").slice(2)}`)
      const { maxFeePerGas = 0n, maxPriorityFeePerGas = 0n } = fees
      const call = { to: to ?? null, data: data ?? "0x", gas, maxFeePerGas, maxPriorityFeePerGas } as const
      yield* Effect.promise(async () => {
        const { merchant } = base.accounts
        const serializedTransaction = await merchant.signTransaction({
          type: "eip1559",
          chainId,
          nonce,
          ...call
        })
        const hash = await base.devnet.client.sendRawTransaction({ serializedTransaction })
        await base.devnet.client.waitForTransactionReceipt({ hash, pollingInterval: 50 })
      })
    })

  it.scoped("is not prepared while another process has one prepared, sent and seen", () =>
    Effect.gen(function* () {
      const { prepare } = yield* Refunds
      const { bytes } = yield* Randomness
      const id = yield* paidOrder
      const sandbox = yield* LocalSandbox
      const meanwhile = Effect.gen(function* () {
        yield* send(yield* prepare(id, {}))
        expect(yield* Effect.flip(prepare(id, {}))).toMatchObject({
          message: expect.stringContaining("was refunded")
        })
      }).pipe(Effect.provideService(LocalSandbox, sandbox), Effect.orDie)
      // Between what it reads of the order and what it writes down.
      const slow = Randomness.of({ bytes: (count) => Effect.zipRight(meanwhile, bytes(count)) })
      const process = Layer.fresh(RefundsLive).pipe(Layer.provide(Layer.succeed(Randomness, slow)))
      const late = Context.get(yield* Layer.build(process), Refunds)
      expect(yield* Effect.flip(late.prepare(id, {}))).toMatchObject({
        _tag: "CheckoutConflict",
        message: expect.stringContaining("ask again")
      })
    }).pipe(inSandboxShop)
  )

  it.effect("is not taken for the first, though a node behind has it looked for from before that one", () =>
    Effect.gen(function* () {
      const refunds = yield* Refunds
      const sql = yield* SqlClient.SqlClient
      const id = yield* paidOrder
      yield* send(yield* refunds.prepare(id, { amountUsd: "1" }))
      const second = yield* refunds.prepare(id, { amountUsd: "1" })
      expect(yield* Effect.flip(refunds.prepare(id, { amountUsd: "2" }))).toMatchObject({
        message: expect.stringMatching(/: send it, or first something else with its nonce, \d+$/)
      })
      yield* sql`UPDATE checkout_refunds SET looked_to = looked_to - 3, next_look = 0 WHERE state = 'open'`
      expect(yield* refunds.find).toBe(1)
      expect((yield* refunds.prepare(id, {})).refundId).toBe(second.refundId)
      yield* send(second)
      const third = yield* Effect.flip(refunds.prepare(id, {}))
      expect(third).toMatchObject({
        _tag: "CheckoutConflict",
        message: expect.stringContaining("was refunded")
      })
    }).pipe(inSandboxShop)
  )

  it.effect("is not given again once its money has gone back by a transfer of the wallet's own", () =>
    Effect.gen(function* () {
      const refunds = yield* Refunds
      const repo = yield* CheckoutRepo
      const checkoutId = yield* paidOrder
      const { amount, to } = yield* refunds.prepare(checkoutId, {})
      const [paid] = yield* repo.transfers(checkoutId)
      const moved = { transaction: "t", payer: paid?.payer ?? to, amount: 500_000n, at: Date.now() }
      const back = { evidence: "by hand", checkoutId, via: "refund", ...moved } as const
      yield* repo.record(back, Date.now(), () => ({ paid: null, messages: [] }))
      for (const asked of [{}, { amountUsd: "2" }, { amountUsd: "1.5" }])
        expect([amount, yield* Effect.flip(refunds.prepare(checkoutId, asked))]).toMatchObject([
          "2000000",
          {
            _tag: "CheckoutConflict",
            message: expect.stringMatching(/1\.5 USDC.*do not send it.*nonce, \d+$/)
          }
        ])
    }).pipe(inSandboxShop)
  )

  it.effect("to another payer, prepared at the same moment, gives back no more than is left", () =>
    Effect.gen(function* () {
      const { solana } = yield* LocalSandbox
      const refunds = yield* Refunds
      const repo = yield* CheckoutRepo
      const { merchant: payer, payer: merchant, shop: other } = solana.accounts
      const order = { network: SOLANA_NETWORK, merchantPayTo: merchant.address, amountUsd: "1" } as const
      const { checkoutId } = yield* createCheckout(order)
      const payers = [payer.address, other.address]
      // Each paid one dollar, and one went back to an account that had paid nothing.
      for (const [from, via] of [
        ...payers.map((one) => [one, "wallet"] as const),
        ["elsewhere", "refund"] as const
      ]) {
        const moved = { transaction: "t", payer: from, amount: 1_000_000n, at: Date.now() }
        const transfer = { evidence: `${via} ${from}`, checkoutId, via, ...moved }
        yield* repo.record(transfer, Date.now(), () => ({ paid: null, messages: [] }))
      }
      const prepared = yield* Effect.all(
        payers.map((one) => Effect.either(refunds.prepare(checkoutId, { payer: one }))),
        { concurrency: "unbounded" }
      )
      expect(prepared.filter(Either.isRight)).toHaveLength(1)
      expect(prepared.filter(Either.isLeft)).toMatchObject([
        { left: { _tag: "CheckoutConflict", message: expect.stringContaining("ask again") } }
      ])
    }).pipe(inSandboxShop)
  )

  it.effect(
    "that its merchant puts into one transaction on Solana with the first is seen as that, like the first",
    () =>
      Effect.gen(function* () {
        const { solana } = yield* LocalSandbox
        const refunds = yield* Refunds
        const repo = yield* CheckoutRepo
        const sql = yield* SqlClient.SqlClient
        // Here the sandbox's rich wallet is the merchant, and two sellers had paid.
        const { merchant: first, payer: merchant, shop: second } = solana.accounts
        const order = { network: SOLANA_NETWORK, merchantPayTo: merchant.address, amountUsd: "1" } as const
        const { checkoutId, extra } = yield* createCheckout(order)
        for (const { address: payer } of [first, second]) {
          const moved = { transaction: "t", payer, amount: 500_000n, at: Date.now() }
          const transfer = { evidence: `half ${payer}`, checkoutId, via: "wallet", ...moved } as const
          yield* repo.record(transfer, Date.now(), () => ({ paid: null, messages: [] }))
        }
        const prepared = [
          yield* refunds.prepare(checkoutId, { payer: first.address }),
          yield* refunds.prepare(checkoutId, { payer: second.address })
        ]
        yield* sendTogether(prepared, [String(extra["memo"])])
        yield* sql`UPDATE checkout_refunds SET next_look = 0 WHERE checkout_id = ${checkoutId}`
        yield* refunds.find
        expect(yield* sql`SELECT state FROM checkout_refunds WHERE checkout_id = ${checkoutId}`).toEqual([
          { state: "seen" },
          { state: "seen" }
        ])
        expect((yield* repoTransfers(checkoutId)).filter(({ via }) => via === "refund")).toMatchObject([
          { amount: 1_000_000n }
        ])
        for (const { to } of prepared)
          expect(yield* Effect.flip(refunds.prepare(checkoutId, { payer: to }))).toMatchObject({
            message: expect.stringContaining("was refunded")
          })
        // Both are looked for again when the chain takes that transaction back.
        const [went] = yield* sql<{ evidence: string }>`SELECT evidence FROM checkout_refunds
          WHERE checkout_id = ${checkoutId}`
        yield* Effect.flatMap(RefundRepo, ({ reopen }) => reopen(went?.evidence ?? "", Date.now())).pipe(
          Effect.provide(RefundRepoLive)
        )
        expect(yield* sql`SELECT state FROM checkout_refunds WHERE checkout_id = ${checkoutId}`).toEqual([
          { state: "open" },
          { state: "open" }
        ])
      }).pipe(inSandboxShop)
  )

  it.effect(
    "is not prepared once the first was sent by its link, though its nonce had gone to something else",
    () =>
      Effect.gen(function* () {
        const { base } = yield* LocalSandbox
        const refunds = yield* Refunds
        const sql = yield* SqlClient.SqlClient
        const id = yield* paidOrder
        const merchant = base.accounts.merchant.address
        const { call, refundId } = yield* refunds.prepare(id, { amountUsd: "1.5" })
        yield* Effect.promise(() => base.devnet.send(merchant, merchant, "0x", 1n))
        yield* Effect.promise(() => base.devnet.request("anvil_mine", ["0x80"]))
        yield* refunds.find
        expect(yield* sql`SELECT state FROM checkout_refunds WHERE id = ${refundId}`).toEqual([
          { state: "void" }
        ])
        // Wallets that take a link choose the nonce by themselves.
        yield* Effect.promise(() => base.devnet.send(merchant, BASE_USDC, toHex(call?.data ?? ""), 0n))
        const rest = yield* refunds.prepare(id, {})
        expect(rest.amount).toBe("500000")
        expect((yield* repoTransfers(id)).filter(({ via }) => via === "refund")).toMatchObject([
          { amount: 1_500_000n }
        ])
      }).pipe(inSandboxShop)
  )
})
