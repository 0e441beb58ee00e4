/** Money without an order, as its merchant reads through it. */
import { describe, expect, layer } from "@effect/vitest"
import { Effect, Layer, TestClock } from "effect"
import { Checkouts } from "../../../src/checkout/checkouts.ts"
import {
  UnassignedTransfers,
  UnassignedTransfersLive
} from "../../../src/checkout/watch/unassigned-transfers.ts"
import { BASE_NETWORK, SOLANA_NETWORK } from "../../../src/domain/chain.ts"
import { NO_SETTINGS } from "../../../src/domain/merchant.ts"
import { LedgerLive } from "../../../src/payment/ledger/ledger-live.ts"
import { Ledger } from "../../../src/payment/ledger/ledger.ts"
import { Chain, SOLANA_MERCHANT } from "../../support/checkout/shop.ts"
import { openOrder, OTHER_MERCHANT, round, wallet } from "../../support/checkout/wallets.ts"
import { inShop, NOW } from "../../support/checkout/in-shop.ts"
import { newClaim, settlement } from "../../support/payment/claims.ts"
import { bothDatabases } from "../../support/postgres.ts"
import { emptied } from "../../support/storage/tables.ts"

const account = `${BASE_NETWORK}:0x${"5c".repeat(20)}`
const transaction = `0x${"ab".repeat(32)}`

describe("transfers without an order", () => {
  inShop("of one transaction are all listed, wherever a page ends between them", function* () {
    const checkouts = yield* Checkouts
    const unassigned = yield* UnassignedTransfers
    for (const amount of [1n, 2n, 3n]) {
      const evidence = `${BASE_NETWORK}:${transaction}:${amount}:${account}`
      yield* unassigned.note({
        evidence,
        account,
        transaction,
        payer: null,
        amount,
        at: NOW,
        reason: "no-order"
      })
    }
    const merchant = { id: "mer_1", account, settings: NO_SETTINGS }
    const seen: Array<string> = []
    let before: string | undefined
    for (let page = 0; page < 4; page++) {
      const { next, transfers } = yield* checkouts.strays(merchant, {
        limit: 1,
        ...(before === undefined ? {} : { before })
      })
      seen.push(...transfers.map(({ amount }) => amount))
      if (next === null) break
      before = next
    }
    expect(seen.toSorted()).toEqual(["1", "2", "3"])
    expect(yield* Effect.map(checkouts.strays(merchant, {}), ({ transfers }) => transfers[0])).toEqual({
      transaction,
      payer: null,
      amount: "3",
      at: new Date(NOW).toISOString(),
      reason: "no-order"
    })
  })

  inShop("of one transaction that pays two merchants are listed to each of them", function* () {
    const checkouts = yield* Checkouts
    const { wallets } = yield* Chain
    const first = yield* openOrder()
    const second = yield* openOrder({ merchantPayTo: OTHER_MERCHANT })
    const transaction = yield* wallet(1_000_000n, [first, second], NOW + 1000)
    const [own] = wallets.get(SOLANA_MERCHANT) ?? []
    if (own !== undefined) wallets.set(OTHER_MERCHANT, [{ ...own, change: 2_000_000n }])
    yield* round
    const listed = (owner: string) =>
      checkouts.strays({ id: "mer_1", account: `${SOLANA_NETWORK}:${owner}`, settings: NO_SETTINGS }, {})
    expect((yield* listed(SOLANA_MERCHANT)).transfers).toMatchObject([
      { transaction, amount: "1000000", reason: "several-orders" }
    ])
    expect((yield* listed(OTHER_MERCHANT)).transfers).toMatchObject([
      { transaction, amount: "2000000", reason: "several-orders" }
    ])
  })
})

describe.each(bothDatabases("strays"))("transfers without an order, kept on %s,", (_name, database) => {
  const kept = Layer.merge(UnassignedTransfersLive, LedgerLive).pipe(Layer.provideMerge(database))
  layer(kept, { timeout: 120_000 })((it) => {
    it.effect("are no payments for answers that were sold to the same account", () =>
      Effect.gen(function* () {
        yield* emptied
        yield* TestClock.setTime(NOW)
        const unassigned = yield* UnassignedTransfers
        const ledger = yield* Ledger
        const account = `${SOLANA_NETWORK}:${SOLANA_MERCHANT}`
        const came = { account, payer: null, amount: 5_000n, at: NOW, reason: "no-order" } as const
        for (const transaction of ["sold", "stray"])
          yield* unassigned.note({
            ...came,
            transaction,
            evidence: `${SOLANA_NETWORK}:${transaction}:${account}`
          })
        const claim = yield* newClaim
        yield* ledger.begin(claim, "answer")
        const place = { network: SOLANA_NETWORK, transaction: "sold", index: 2, height: 7 } as const
        const evidence = { ...place, payer: "payer", payTo: SOLANA_MERCHANT, amount: "5000" }
        const listed = Effect.map(unassigned.list(account, null, 10), (rows) =>
          rows.map(({ transaction }) => transaction).toSorted()
        )
        expect(yield* listed).toEqual(["sold", "stray"])
        yield* ledger.settled(claim.authorizationKey, settlement, evidence)
        expect(yield* listed).toEqual(["stray"])
      })
    )
  })
})
