import { SqlClient } from "@effect/sql"
import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, TestClock } from "effect"
import type { Hex } from "viem"
import { bindingNonce } from "../../src/checkout/verify/binding.ts"
import { Checkouts } from "../../src/checkout/checkouts.ts"
import { CheckoutRepo } from "../../src/checkout/checkout-repo.ts"
import { BASE_NETWORK } from "../../src/domain/chain.ts"
import { Ledger } from "../../src/payment/ledger/ledger.ts"
import { Sale } from "../../src/payment/sale/sale.ts"
import {
  Chain,
  createCheckout,
  decodeReceipt,
  shopProcess,
  sign,
  SOLANA_MERCHANT,
  statusOf,
  verify,
  world
} from "../support/checkout/shop.ts"
import { inLiveShop, inShop, NOW, START } from "../support/checkout/in-shop.ts"
import { openOrder } from "../support/checkout/wallets.ts"
import { closed } from "../support/payment/support.ts"

const asHex = (text: string): Hex => `0x${text.slice(2)}`

const failureOf = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flip(effect)

/** What an effect comes to by the test's clock, which goes on for as long as that waits. */
const whileTimePasses = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.fork(effect)
    yield* Effect.repeat(TestClock.adjust("1 second"), { until: () => fiber.unsafePoll() !== null })
    return yield* Fiber.join(fiber)
  })

/** Settling waits for the gate, and says that it was reached. */
const heldUp = Effect.gen(function* () {
  const chain = yield* Chain
  const gate = yield* Deferred.make<void>()
  const reached = yield* Deferred.make<void>()
  chain.gate = Effect.zipRight(Deferred.succeed(reached, undefined), Deferred.await(gate))
  return { gate, reached }
})

describe("a payment whose outcome is unknown", () => {
  inLiveShop("is never refused: the same payment finds its transfer, and no second happens", function* () {
    const chain = yield* Chain
    const terms = yield* createCheckout()
    const payment = yield* sign(terms)
    chain.mode = "lost"
    expect((yield* failureOf(verify(terms.checkoutId, payment)))._tag).toBe("PaymentUnresolved")
    expect((yield* statusOf(terms.checkoutId)).status).toBe("processing")
    chain.mode = "ok"
    const paid = yield* verify(terms.checkoutId, payment)
    expect(decodeReceipt(paid.receipt).transaction).toBe([...chain.transfers.values()][0])
    expect(chain.transfers.size).toBe(1)
  })

  inShop(
    "when the ledger cannot write it down, keeps the checkout for this payment: no second one is taken",
    function* () {
      const chain = yield* Chain
      const sql = yield* SqlClient.SqlClient
      const repo = yield* CheckoutRepo
      const terms = yield* createCheckout()
      const payment = yield* sign(terms)
      yield* sql`CREATE TRIGGER broken BEFORE UPDATE ON payments WHEN NEW.state = 'settled'
        BEGIN SELECT RAISE(ABORT, 'disk'); END`
      yield* whileTimePasses(failureOf(verify(terms.checkoutId, payment)))
      expect(chain.transfers.size).toBe(1)
      expect((yield* statusOf(terms.checkoutId)).status).toBe("processing")
      const other = { key: "another", attempt: "other", binding: "server", payload: "" } as const
      expect(yield* repo.bind(terms.checkoutId, { ...other, since: NOW })).toBe(false)
      yield* sql`DROP TRIGGER broken`
      const paid = yield* whileTimePasses(verify(terms.checkoutId, payment))
      expect(decodeReceipt(paid.receipt).transaction).toBe([...chain.transfers.values()][0])
      expect(chain.transfers.size).toBe(1)
    },
    { PAYMENT_LEASE: "2 seconds" }
  )

  inLiveShop(
    "that settled and is lost to a reorganisation, by proof, no longer pays: another one may",
    function* () {
      const checkouts = yield* Checkouts
      const ledger = yield* Ledger
      const terms = yield* createCheckout()
      const payment = yield* sign(terms)
      yield* verify(terms.checkoutId, payment)
      const [recent] = yield* ledger.recent(BASE_NETWORK, 0, 0)
      const seen = { node: "double", height: 9 }
      const { authorizationKey, evidence } = recent ?? (yield* Effect.dieMessage("nothing was recorded"))
      yield* ledger.lost(authorizationKey, evidence, { kind: "window-closed", closed: 9, seen })
      yield* checkouts.findPlainTransfers
      expect(yield* statusOf(terms.checkoutId)).toMatchObject({
        status: "open",
        payments: [{ kind: "lost" }]
      })
      expect(yield* failureOf(verify(terms.checkoutId, payment))).toMatchObject({ _tag: "CheckoutConflict" })
      const { receipt } = yield* verify(terms.checkoutId, yield* sign(terms))
      expect(
        decodeReceipt(receipt)
          .payments?.map(({ kind }) => kind)
          .toSorted()
      ).toEqual(["lost", "paid"])
    }
  )

  inLiveShop("survives the caller who hangs up", function* () {
    const chain = yield* Chain
    const { gate, reached } = yield* heldUp
    const terms = yield* createCheckout()
    const payment = yield* sign(terms)
    const caller = yield* Effect.fork(verify(terms.checkoutId, payment))
    yield* Deferred.await(reached)
    yield* Fiber.interrupt(caller)
    yield* Deferred.succeed(gate, undefined)
    const paid = yield* verify(terms.checkoutId, payment)
    expect(decodeReceipt(paid.receipt).status).toBe("paid")
    expect(chain.settles).toBe(1)
  })

  it.effect("is brought to its end by the worker of the next process", () =>
    Effect.gen(function* () {
      yield* START
      const chain = yield* Chain
      const terms = yield* Effect.provide(
        Effect.gen(function* () {
          const terms = yield* createCheckout()
          chain.mode = "lost"
          yield* failureOf(verify(terms.checkoutId, yield* sign(terms)))
          return terms
        }),
        shopProcess()
      )
      chain.mode = "ok"
      yield* TestClock.adjust("1 minute")
      const status = yield* Effect.provide(
        Effect.gen(function* () {
          const checkouts = yield* Checkouts
          expect(yield* checkouts.resume).toBe(1)
          return yield* statusOf(terms.checkoutId)
        }),
        shopProcess()
      )
      expect(status.status).toBe("paid")
      expect(status.receipt?.transaction).toBe([...chain.transfers.values()][0])
      expect(chain.settles).toBe(1)
    }).pipe(Effect.provide(world))
  )

  inShop("is brought to its end though a hundred older ones cannot be", function* () {
    const chain = yield* Chain
    const repo = yield* CheckoutRepo
    for (let stuck = 0; stuck < 100; stuck += 1) {
      const { checkoutId } = yield* createCheckout()
      const bound = { key: `stuck-${stuck}`, attempt: "dead", binding: "server", payload: "rubbish" } as const
      yield* repo.bind(checkoutId, { ...bound, since: NOW - 1 })
    }
    const terms = yield* createCheckout()
    chain.mode = "lost"
    yield* failureOf(verify(terms.checkoutId, yield* sign(terms)))
    chain.mode = "ok"
    yield* TestClock.adjust("1 minute")
    const { resume } = yield* Checkouts
    expect(yield* resume).toBe(100)
    expect(yield* resume).toBe(1)
    expect((yield* statusOf(terms.checkoutId)).status).toBe("paid")
    expect(yield* resume).toBe(100)
  })

  inShop("keeps its checkout when the worker cannot ask the ledger what became of it", function* () {
    const chain = yield* Chain
    const sql = yield* SqlClient.SqlClient
    const terms = yield* createCheckout()
    const payment = yield* sign(terms)
    chain.mode = "lost"
    yield* failureOf(verify(terms.checkoutId, payment))
    yield* TestClock.adjust("1 minute")
    yield* sql`ALTER TABLE payments RENAME TO out_of_reach`
    yield* Effect.flatMap(Checkouts, (checkouts) => checkouts.resume)
    yield* sql`ALTER TABLE out_of_reach RENAME TO payments`
    expect((yield* statusOf(terms.checkoutId)).status).toBe("processing")
    expect(chain.transfers.size).toBe(1)
  })

  inShop("is given back by the worker when it can never land", function* () {
    const chain = yield* Chain
    const terms = yield* createCheckout()
    const repo = yield* CheckoutRepo
    const sale = yield* Sale
    const text = yield* sign(terms)
    const { authorizationKey: key } = yield* sale.parse(text)
    // As a process leaves it that dies between binding and broadcasting.
    const since = 1_800_000_000_000
    yield* repo.bind(terms.checkoutId, { key, attempt: "dead", binding: "server", payload: text, since })
    chain.mode = "rejected"
    yield* TestClock.adjust("1 minute")
    yield* Effect.flatMap(Checkouts, (checkouts) => checkouts.resume)
    expect((yield* statusOf(terms.checkoutId)).status).toBe("open")
  })
})

describe("the clock of a checkout", () => {
  inShop("is looked at before a payment is settled", function* () {
    const chain = yield* Chain
    const terms = yield* createCheckout()
    yield* TestClock.adjust("1 hour")
    const error = yield* failureOf(verify(terms.checkoutId, yield* sign(terms)))
    expect(error._tag).toBe("CheckoutExpired")
    expect(chain.settles).toBe(0)
    expect((yield* statusOf(terms.checkoutId)).status).toBe("expired")
  })

  inShop("asks nobody to sign once it ran out, and does not say what is not known yet", function* () {
    const checkouts = yield* Checkouts
    const terms = yield* openOrder()
    yield* TestClock.adjust("1 hour")
    // Whether a wallet paid in the last second is known when the chain was looked through.
    expect((yield* statusOf(terms.checkoutId)).status).toBe("open")
    for (const asked of [
      Effect.asVoid(checkouts.challenge(terms.checkoutId)),
      Effect.asVoid(checkouts.unsigned(terms.checkoutId, SOLANA_MERCHANT))
    ]) {
      const error = yield* Effect.flip(asked)
      const message = expect.stringContaining("is still looked for")
      expect(error).toMatchObject({ _tag: "CheckoutConflict", message })
    }
  })

  inShop("does not undo a payment that was settling when it ran out", function* () {
    const { gate, reached } = yield* heldUp
    const terms = yield* createCheckout()
    yield* TestClock.adjust("59 minutes")
    const caller = yield* Effect.fork(verify(terms.checkoutId, yield* sign(terms)))
    yield* Deferred.await(reached)
    yield* TestClock.adjust("2 minutes")
    yield* Deferred.succeed(gate, undefined)
    yield* Fiber.join(caller)
    expect((yield* statusOf(terms.checkoutId)).status).toBe("paid")
  })

  inShop("is what a payment hears that certainly never lands: its payer signs no other", function* () {
    const chain = yield* Chain
    const ledger = yield* Ledger
    const { parse } = yield* Sale
    const terms = yield* createCheckout()
    const payment = yield* sign(terms)
    chain.mode = "dead"
    expect((yield* failureOf(verify(terms.checkoutId, payment)))._tag).toBe("PaymentUnresolved")
    yield* ledger.refused((yield* parse(payment)).authorizationKey, "over", closed, true)
    expect((yield* failureOf(verify(terms.checkoutId, payment)))._tag).toBe("PaymentRejected")
    yield* TestClock.adjust("1 minute")
    yield* Effect.flatMap(Checkouts, (checkouts) => checkouts.resume)
    yield* TestClock.adjust("1 hour")
    expect((yield* failureOf(verify(terms.checkoutId, payment)))._tag).toBe("CheckoutExpired")
  })

  inShop("does not take the receipt away from who paid in time", function* () {
    const terms = yield* createCheckout()
    const payment = yield* sign(terms)
    const paid = yield* verify(terms.checkoutId, payment)
    yield* TestClock.adjust("2 hours")
    expect((yield* verify(terms.checkoutId, payment)).receipt).toBe(paid.receipt)
  })
})

describe("a nonce that carries the order", () => {
  const SALT = `0x${"5a".repeat(32)}`

  inLiveShop("binds the authorization itself and is reported as such", function* () {
    const terms = yield* createCheckout()
    const nonce = asHex(bindingNonce(terms, SALT))
    const payment = yield* sign(terms, { nonce, accepted: { extra: { ...terms.extra, nonceSalt: SALT } } })
    expect(decodeReceipt((yield* verify(terms.checkoutId, payment)).receipt).binding).toBe("nonce")
  })

  inLiveShop("of another order is refused", function* () {
    const other = yield* createCheckout()
    const terms = yield* createCheckout()
    const nonce = asHex(bindingNonce(other, SALT))
    const payment = yield* sign(terms, { nonce, accepted: { extra: { ...terms.extra, nonceSalt: SALT } } })
    const error = yield* failureOf(verify(terms.checkoutId, payment))
    expect(error).toMatchObject({ _tag: "PaymentRejected", reason: "checkout_nonce_binding_mismatch" })
  })
})
