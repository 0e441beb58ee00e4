import { SqlClient } from "@effect/sql"
import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect, Either, Exit, Fiber, Queue, TestClock } from "effect"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { Checkouts } from "../../src/checkout/checkouts.ts"
import type { CreateOptions } from "../../src/checkout/checkouts.ts"
import { BASE_NETWORK } from "../../src/domain/chain.ts"
import { feesOn } from "../../src/payment/settler/fee-ledger.ts"
import { as, signInWith } from "../support/checkout/merchants.ts"
import {
  Chain,
  from,
  order,
  shop,
  shopProcess,
  sign,
  statusOf,
  verify,
  world
} from "../support/checkout/shop.ts"

const NOW = 1_800_000_000_000
/** Millionths of a USD. */
const FEE = 500

/** 0.01 USD a day: 5,000 millionths for checkouts, of which 2,000 without a token and 1,000 for one merchant. */
const SMALL = { SETTLEMENT_DAILY_FEES_USD: "0.01" }

/** Creates a checkout and pays it oneself, which costs the attacker nothing and us the network's fee. */
const selfPaid = (payTo: string, options: CreateOptions) =>
  Effect.gen(function* () {
    const checkouts = yield* Checkouts
    const sql = yield* SqlClient.SqlClient
    const chain = yield* Chain
    const { transfers } = chain
    chain.fee = BigInt(FEE)
    const terms = yield* checkouts.create(order({ merchantPayTo: payTo }), options)
    const before = new Set(transfers.keys())
    yield* verify(terms.checkoutId, yield* sign(terms))
    for (const key of transfers.keys())
      if (!before.has(key)) yield* feesOn(sql).charge(key, BASE_NETWORK, FEE, NOW)
    return terms
  })

const merchant = Effect.suspend(() => signInWith(privateKeyToAccount(generatePrivateKey())))
const payToOf = (account: string) => account.slice(account.lastIndexOf(":") + 1)
const limited = { _tag: "CheckoutLimited", message: expect.stringContaining("network fees") }

describe("the fees of broadcasting", () => {
  it.effect("that anonymous self-payments from many addresses use up are theirs alone", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOW)
      const { merchant: shopkeeper } = yield* merchant
      const victim = payToOf(shopkeeper.account)
      // The attacker names the merchant's own account, from ever other addresses, until nothing is broadcast any more.
      for (let n = 1; n <= 4; n++) yield* selfPaid(victim, from(`198.51.100.${n}`))
      const refused = yield* Effect.flip(selfPaid(victim, from("198.51.100.99")))
      expect(refused).toMatchObject(limited)
      // The merchant's own checkouts go on.
      expect((yield* statusOf((yield* selfPaid(victim, as(shopkeeper))).checkoutId)).status).toBe("paid")
      // A day later the others' do too.
      yield* TestClock.adjust("25 hours")
      expect((yield* statusOf((yield* selfPaid(victim, from("198.51.100.99"))).checkoutId)).status).toBe(
        "paid"
      )
    }).pipe(Effect.provide(shop(SMALL)))
  )

  it.effect(
    "that one merchant uses up are no other merchant's, and all of them leave our own sales theirs",
    () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(NOW)
        const sql = yield* SqlClient.SqlClient
        let payments = 0
        const payUntilRefused = Effect.gen(function* () {
          const { merchant: one } = yield* merchant
          let error: unknown
          while (error === undefined) {
            const paid = yield* Effect.either(selfPaid(payToOf(one.account), as(one)))
            if (paid._tag === "Left") error = paid.left
            else payments += 1
          }
          expect(error).toMatchObject(limited)
        })
        yield* payUntilRefused
        expect(payments).toBe(2)
        yield* payUntilRefused
        expect(payments).toBe(4)
        // However many tokens an attacker has, a half of the day's fees is out of reach.
        for (let n = 0; n < 6; n++) yield* payUntilRefused
        const [spent] = yield* sql<{ micros: number }>`SELECT SUM(micros) AS micros FROM settlement_fees
        WHERE purse = 'checkout'`
        expect(spent?.micros).toBe(5_000)
      }).pipe(Effect.provide(shop(SMALL)))
  )

  it.effect("of a paid checkout are no reason to refuse the payment that paid it", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOW)
      const checkouts = yield* Checkouts
      const sql = yield* SqlClient.SqlClient
      const terms = yield* checkouts.create(order(), from("198.51.100.1"))
      const payment = yield* sign(terms)
      const first = yield* verify(terms.checkoutId, payment)
      const [key = ""] = (yield* Chain).transfers.keys()
      yield* feesOn(sql).charge(key, BASE_NETWORK, 1_000_000, NOW)
      expect((yield* verify(terms.checkoutId, payment)).receipt).toBe(first.receipt)
    }).pipe(Effect.provide(shop(SMALL)))
  )
})

/** Orders of strangers with the payments their buyers signed. */
const signedOrders = (count: number) =>
  Effect.forEach(
    Array.from({ length: count }, (_, n) => n),
    (n) =>
      Effect.gen(function* () {
        const { create } = yield* Checkouts
        const { checkoutId, ...terms } = yield* create(order(), from(`198.51.100.${n}`))
        return { checkoutId, payment: yield* sign({ checkoutId, ...terms }) }
      })
  )

/** A node where every transaction costs {@link FEE}. */
const costly = Effect.gen(function* () {
  yield* TestClock.setTime(NOW)
  const chain = yield* Chain
  chain.fee = BigInt(FEE)
  return { chain, sql: yield* SqlClient.SqlClient }
})

describe("payments under way at once", () => {
  it.effect("spend no more than the budget, and the others pay when what was set aside is free", () =>
    Effect.gen(function* () {
      const { chain, sql } = yield* costly
      const gate = yield* Deferred.make<void>()
      chain.gate = Deferred.await(gate)
      const orders = yield* signedOrders(10)
      const limits = yield* Queue.unbounded<unknown>()
      const running = yield* Effect.forEach(orders, ({ checkoutId, payment }) =>
        Effect.fork(Effect.tapError(verify(checkoutId, payment), (error) => Queue.offer(limits, error)))
      )
      const refused = yield* Queue.takeN(limits, 6)
      for (const error of refused) expect(error).toMatchObject({ ...limited, retryAfterSeconds: 30 })
      yield* Deferred.succeed(gate, undefined)
      const paid = (yield* Effect.forEach(running, Fiber.await)).filter(Exit.isSuccess)
      expect([paid.length, chain.settles]).toEqual([4, 4])
      // They cost less than was set aside, so one more payment of those that were refused finds room.
      for (const key of chain.transfers.keys()) yield* feesOn(sql).charge(key, BASE_NETWORK, FEE - 125, NOW)
      const open = yield* Effect.filter(orders, ({ checkoutId }) =>
        Effect.map(statusOf(checkoutId), ({ status }) => status === "open")
      )
      const again = yield* Effect.forEach(open, ({ checkoutId, payment }) =>
        Effect.either(verify(checkoutId, payment))
      )
      expect(again.filter(Either.isRight)).toHaveLength(1)
    }).pipe(Effect.provide(shop(SMALL)))
  )

  it.effect("whose outcome is open keep what was set aside for them over a restart, until they land", () =>
    Effect.gen(function* () {
      const { chain, sql } = yield* costly
      const process = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.provide(effect, shopProcess(SMALL))
      chain.mode = "lost"
      const orders = yield* process(
        Effect.tap(signedOrders(5), (all) =>
          Effect.forEach(all.slice(0, 4), ({ checkoutId, payment }) =>
            Effect.flip(verify(checkoutId, payment))
          )
        )
      )
      const [last] = orders.slice(4)
      const payLast = process(Effect.either(verify(last?.checkoutId ?? "", last?.payment ?? "")))
      chain.mode = "ok"
      expect(yield* payLast).toMatchObject({ _tag: "Left", left: limited })
      // The next process finds them on chain; what they did cost takes the place of what was set aside.
      yield* TestClock.adjust("1 minute")
      yield* process(Effect.flatMap(Checkouts, ({ resume }) => resume))
      expect(yield* payLast).toMatchObject({ _tag: "Left", left: limited })
      for (const key of chain.transfers.keys()) yield* feesOn(sql).charge(key, BASE_NETWORK, FEE - 125, NOW)
      expect(yield* payLast).toMatchObject({ _tag: "Right" })
    }).pipe(Effect.provide(world))
  )
})
