/** Whether money goes back to where it came from by itself, where nobody's key may be there. */
import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { CheckoutRepo } from "../../src/checkout/checkout-repo.ts"
import { usdcAccountOf } from "../../src/chain/usdc-account.ts"
import { Refunds } from "../../src/checkout/refunds/refunds.ts"
import { SOLANA_NETWORK } from "../../src/domain/chain.ts"
import { inSandboxShop } from "../support/checkout/in-shop.ts"
import { createCheckout } from "../support/checkout/shop.ts"
import { LocalSandbox } from "../support/sandbox.ts"

/** A contract that keeps what it is sent: Multicall3. */
const POOL = "0xca11bde05977b3631167028862be2a173976ca11"

layer(LocalSandbox.layer, { excludeTestServices: true, timeout: 120_000 })("a refund", (it) => {
  /** Money of a payer in an order's journal. */
  const paid = (checkoutId: string, payer: string | null, via: "verify" | "wallet") =>
    Effect.gen(function* () {
      const repo = yield* CheckoutRepo
      const sql = yield* SqlClient.SqlClient
      yield* sql`DELETE FROM checkout_transfers WHERE checkout_id = ${checkoutId}`
      const evidence = `paid by ${payer} ${via}`
      const transfer = { evidence, checkoutId, via, transaction: "t", payer, amount: 1_000n, at: Date.now() }
      yield* repo.record(transfer, Date.now(), () => ({ paid: null, messages: [] }))
    })

  it.effect("goes to a contract that moved the money by itself only where the merchant names it", () =>
    Effect.gen(function* () {
      const { base } = yield* LocalSandbox
      const refunds = yield* Refunds
      const merchantPayTo = base.accounts.payer.address
      const { checkoutId } = yield* createCheckout({ merchantPayTo })
      yield* paid(checkoutId, POOL, "wallet")
      const refused = yield* Effect.flip(refunds.prepare(checkoutId, {}))
      expect(refused).toMatchObject({ _tag: "CheckoutConflict" })
      expect(refused.message).toContain("name it as payer")
      expect(yield* refunds.prepare(checkoutId, { payer: POOL })).toMatchObject({ to: POOL })
    }).pipe(inSandboxShop)
  )

  it.effect("goes without a word to a key's account, and to a contract wallet that signed its payment", () =>
    Effect.gen(function* () {
      const { base } = yield* LocalSandbox
      const refunds = yield* Refunds
      const { payer: merchant, trader } = base.accounts
      for (const [payer, via] of [
        [trader.address, "wallet"],
        [POOL, "verify"]
      ] as const) {
        const { checkoutId } = yield* createCheckout({ merchantPayTo: merchant.address })
        yield* paid(checkoutId, payer.toLowerCase(), via)
        expect(yield* refunds.prepare(checkoutId, {})).toMatchObject({ to: payer.toLowerCase() })
      }
    }).pipe(inSandboxShop)
  )

  it.effect("on Solana goes to an address without a key only where the merchant names it", () =>
    Effect.gen(function* () {
      const { solana } = yield* LocalSandbox
      const refunds = yield* Refunds
      const { payer: merchant, shop: payer } = solana.accounts
      const order = { network: SOLANA_NETWORK, merchantPayTo: merchant.address } as const
      const [pool, wallet] = [yield* createCheckout(order), yield* createCheckout(order)]
      // A pool's authority is an address that a program made, as a token account's own address is.
      const made = usdcAccountOf(payer.address) ?? ""
      yield* paid(pool.checkoutId, made, "wallet")
      expect((yield* Effect.flip(refunds.prepare(pool.checkoutId, {}))).message).toContain("name it as payer")
      expect(yield* refunds.prepare(pool.checkoutId, { payer: made })).toMatchObject({ to: made })
      yield* paid(wallet.checkoutId, payer.address, "wallet")
      expect(yield* refunds.prepare(wallet.checkoutId, {})).toMatchObject({ to: payer.address })
    }).pipe(inSandboxShop)
  )

  it.effect("of what several paid in one transaction is prepared for none of them, and says why", () =>
    Effect.gen(function* () {
      const { solana } = yield* LocalSandbox
      const refunds = yield* Refunds
      const order = { network: SOLANA_NETWORK, merchantPayTo: solana.accounts.merchant.address } as const
      const { checkoutId } = yield* createCheckout(order)
      yield* paid(checkoutId, null, "wallet")
      for (const request of [{}, { payer: solana.accounts.payer.address }]) {
        const refused = yield* Effect.flip(refunds.prepare(checkoutId, request))
        expect(refused).toMatchObject({ _tag: "CheckoutConflict" })
        expect(refused.message).toContain("ask the buyer")
      }
    }).pipe(inSandboxShop)
  )
})
