/** Refunds of several orders that their merchant puts into one transaction on Solana: each order gets back its own. */
import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { CheckoutRepo } from "../../src/checkout/checkout-repo.ts"
import { Refunds } from "../../src/checkout/refunds/refunds.ts"
import { SOLANA_NETWORK } from "../../src/domain/chain.ts"
import type { PreparedRefund } from "../../src/domain/refund.ts"
import { sendTogether } from "../support/checkout/refunds-together.ts"
import { inSandboxShop } from "../support/checkout/in-shop.ts"
import { createCheckout } from "../support/checkout/shop.ts"
import { LocalSandbox } from "../support/sandbox.ts"

const HALF = 500_000n
const QUARTER = 250_000n

layer(LocalSandbox.layer, { excludeTestServices: true, timeout: 120_000 })("refunds together", (it) => {
  /** An order of the sandbox's rich wallet that somebody has paid. */
  const paidOrder = (payer: string, amount: bigint) =>
    Effect.gen(function* () {
      const { solana } = yield* LocalSandbox
      const repo = yield* CheckoutRepo
      const merchantPayTo = solana.accounts.payer.address
      const { checkoutId, extra } = yield* createCheckout({
        network: SOLANA_NETWORK,
        merchantPayTo,
        amountUsd: "1"
      })
      const moved = { transaction: "t", payer, amount, at: Date.now() }
      const transfer = { evidence: `paid ${checkoutId}`, checkoutId, via: "wallet", ...moved } as const
      yield* repo.record(transfer, Date.now(), () => ({ paid: null, messages: [] }))
      return { checkoutId, memo: String(extra["memo"]) }
    })

  /** Looks for all of them once, and says what each order's journal has of what went back. */
  const lookFor = (refunds: ReadonlyArray<PreparedRefund>) =>
    Effect.gen(function* () {
      const repo = yield* CheckoutRepo
      const sql = yield* SqlClient.SqlClient
      const ids = refunds.map(({ refundId }) => refundId)
      yield* sql`UPDATE checkout_refunds SET next_look = 0 WHERE ${sql.in("id", ids)}`
      yield* Effect.flatMap(Refunds, ({ find }) => find)
      const rows = yield* sql<{
        state: string
      }>`SELECT state FROM checkout_refunds WHERE ${sql.in("id", ids)}`
      const went = yield* Effect.forEach(refunds, ({ checkoutId }) =>
        Effect.map(repo.transfers(checkoutId), (all) =>
          all.filter(({ via }) => via === "refund").map(({ amount, payer }) => ({ amount, payer }))
        )
      )
      return { states: rows.map(({ state }) => state), went }
    })

  /** Two orders with their refunds prepared. */
  const preparedFor = (first: string, second: string) =>
    Effect.gen(function* () {
      const refunds = yield* Refunds
      const orders = [yield* paidOrder(first, HALF), yield* paidOrder(second, QUARTER)]
      const prepared = yield* Effect.forEach(orders, ({ checkoutId }) => refunds.prepare(checkoutId, {}))
      return { prepared, memos: orders.map(({ memo }) => memo) }
    })

  const areSeenApart = (first: string, second: string) =>
    Effect.gen(function* () {
      const { memos, prepared } = yield* preparedFor(first, second)
      yield* sendTogether(prepared, memos)
      const { states, went } = yield* lookFor(prepared)
      expect(went).toEqual([[{ amount: HALF, payer: first }], [{ amount: QUARTER, payer: second }]])
      expect(states).toEqual(["seen", "seen"])
    })

  it.effect("of two orders are both seen, each with what went back of it", () =>
    Effect.gen(function* () {
      const { merchant, shop: second } = (yield* LocalSandbox).solana.accounts
      yield* areSeenApart(merchant.address, second.address)
    }).pipe(inSandboxShop)
  )

  it.effect("of two orders to one payer are both seen, each with what went back of it", () =>
    Effect.gen(function* () {
      const { merchant: payer } = (yield* LocalSandbox).solana.accounts
      yield* areSeenApart(payer.address, payer.address)
    }).pipe(inSandboxShop)
  )

  it.effect("is seen also where the transaction carries the other order's memo alone", () =>
    Effect.gen(function* () {
      const { merchant: first, shop: second } = (yield* LocalSandbox).solana.accounts
      const { memos, prepared } = yield* preparedFor(first.address, second.address)
      yield* sendTogether(prepared, memos.slice(0, 1))
      const { states, went } = yield* lookFor(prepared)
      expect(states).toEqual(["seen", "seen"])
      expect(went[1]).toEqual([{ amount: QUARTER, payer: second.address }])
    }).pipe(inSandboxShop)
  )
})
