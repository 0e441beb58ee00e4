/** What may stand between a wallet's payment and its order. */
import { describe, expect, it } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { expireCheckouts } from "../../../src/checkout/checkout-worker.ts"
import { Chain, PAGE, shop, SOLANA_MERCHANT, statusOf } from "../../support/checkout/shop.ts"
import { events, openOrder, OTHER_MERCHANT, round, wallet } from "../../support/checkout/wallets.ts"
import { inShop, NOW, START } from "../../support/checkout/in-shop.ts"

/** How many checkouts expire after a look at a time when all have ended. */
const expiredTwoHoursLater = TestClock.adjust("2 hours").pipe(
  Effect.zipRight(round),
  Effect.zipRight(expireCheckouts)
)

describe("a wallet's payment", () => {
  inShop(
    "is seen though another merchant's account cannot be read, and that one's checkout does not expire",
    function* () {
      const { unreadable } = yield* Chain
      const stuck = yield* openOrder({ merchantPayTo: OTHER_MERCHANT })
      const terms = yield* openOrder()
      unreadable.add(OTHER_MERCHANT)
      yield* wallet(1_000_000n, [terms], NOW + 1000)
      yield* round
      expect((yield* statusOf(terms.checkoutId)).status).toBe("paid")
      expect(yield* expiredTwoHoursLater).toBe(0)
      expect((yield* statusOf(stuck.checkoutId)).status).toBe("open")
    }
  )

  inShop("is seen behind thousands of transactions that came at once, page by page", function* () {
    const terms = yield* openOrder()
    yield* wallet(1_000_000n, [terms], NOW + 1000)
    yield* Effect.replicateEffect(wallet(1n, [], NOW + 2000), 5_100, { discard: true })
    for (let looks = 0; looks < 5_101 / PAGE - 1; looks++) yield* round
    expect((yield* statusOf(terms.checkoutId)).status).toBe("open")
    yield* round
    expect((yield* statusOf(terms.checkoutId)).status).toBe("paid")
    // One look from the top finds that nothing came meanwhile.
    yield* round
    expect(yield* round).toBe(0)
  })

  inShop(
    "beside a transaction the node does not give is seen, and the order of that one does not expire",
    function* () {
      const { unknown } = yield* Chain
      const [hidden, terms] = yield* Effect.all([openOrder(), openOrder()])
      const lost = yield* wallet(1_000_000n, [hidden], NOW + 1000)
      unknown.add(lost)
      yield* wallet(1_000_000n, [terms], NOW + 2000)
      yield* round
      expect((yield* statusOf(terms.checkoutId)).status).toBe("paid")
      expect(yield* expiredTwoHoursLater).toBe(0)
      unknown.clear()
      yield* round
      expect((yield* statusOf(hidden.checkoutId)).status).toBe("paid")
    }
  )

  inShop(
    "late, after all checkouts have ended, is still seen, and so is the refund days later",
    function* () {
      const terms = yield* openOrder()
      yield* TestClock.adjust("62 minutes")
      yield* round
      expect(yield* expireCheckouts).toBe(1)
      yield* TestClock.adjust("1 days")
      yield* wallet(1_000_000n, [terms], NOW + 86_400_000)
      yield* round
      yield* TestClock.adjust("5 days")
      yield* wallet(-1_000_000n, [terms], NOW + 6 * 86_400_000)
      yield* round
      const { payments, status } = yield* statusOf(terms.checkoutId)
      expect([status, ...payments.map(({ kind }) => kind)]).toEqual(["expired", "late", "refunded"])
    }
  )

  inShop("late is seen at the next look after the clock was set back", function* () {
    const terms = yield* openOrder()
    yield* TestClock.adjust("1 days")
    yield* round
    expect(yield* expireCheckouts).toBe(1)
    yield* round
    yield* TestClock.setTime(NOW + 22 * 3_600_000)
    yield* wallet(1_000_000n, [terms], NOW + 22 * 3_600_000)
    yield* round
    const { payments, status } = yield* statusOf(terms.checkoutId)
    expect([status, ...payments.map(({ kind }) => kind)]).toEqual(["expired", "late"])
  })

  inShop("in time is paid in time, also when the node was down until after the clock's end", function* () {
    const chain = yield* Chain
    const terms = yield* openOrder()
    chain.solanaDown = true
    yield* wallet(1_000_000n, [terms], NOW + 59 * 60_000)
    yield* TestClock.adjust("2 hours")
    yield* Effect.flip(round)
    expect(yield* expireCheckouts).toBe(0)
    expect((yield* statusOf(terms.checkoutId)).status).toBe("open")
    chain.solanaDown = false
    yield* round
    expect((yield* statusOf(terms.checkoutId)).status).toBe("paid")
    expect(yield* events).toEqual(["checkout.paid"])
  })

  inShop(
    "that a reorganisation took away no longer counts, with an event, and counts again when it is back",
    function* () {
      const chain = yield* Chain
      const { wallets } = chain
      chain.finalSlot = 0n
      const terms = yield* openOrder()
      const transaction = yield* wallet(1_000_000n, [terms], NOW + 1000)
      const view = (final: number, held: boolean | undefined) => () =>
        Effect.succeed({
          head: 1_000_000,
          final,
          holds: (evidence: ReadonlyArray<unknown>) => Effect.succeed(evidence.map(() => held))
        })
      chain.view = view(0, true)
      yield* round
      const landed = wallets.get(SOLANA_MERCHANT) ?? []
      wallets.set(SOLANA_MERCHANT, [])
      // Its slot is not final, or the node does not say: nothing is concluded.
      for (const doubtful of [view(0, false), view(1_000_000, undefined)]) {
        chain.view = doubtful
        yield* round
        expect((yield* statusOf(terms.checkoutId)).status).toBe("paid")
      }
      yield* TestClock.adjust("5 seconds")
      chain.view = view(1_000_000, false)
      yield* round
      expect(yield* statusOf(terms.checkoutId)).toMatchObject({
        status: "open",
        received: "0",
        payments: [{ kind: "lost", transaction }]
      })
      yield* TestClock.adjust("5 seconds")
      wallets.set(SOLANA_MERCHANT, landed)
      yield* round
      expect(yield* statusOf(terms.checkoutId)).toMatchObject({
        status: "paid",
        payments: [{ kind: "paid" }]
      })
      chain.view = view(1_000_000, true)
      yield* round
      expect(yield* events).toEqual(["checkout.paid", "checkout.transfer.lost", "checkout.paid"])
    }
  )

  inShop(
    "is seen though the node's list of the account comes after its balance, and nothing expires on it",
    function* () {
      const { looks, unlisted } = yield* Chain
      const terms = yield* openOrder()
      yield* round
      const transaction = yield* wallet(1_000_000n, [terms], NOW + 3_599_000)
      unlisted.add(transaction)
      yield* TestClock.adjust("3601 seconds")
      // The balance says that something came, and the list does not say what.
      yield* round
      expect(yield* expireCheckouts).toBe(0)
      unlisted.clear()
      yield* round
      expect(yield* statusOf(terms.checkoutId)).toMatchObject({
        status: "paid",
        payments: [{ transaction }]
      })
      // Explained, the account is looked at no more.
      yield* round
      const { pages } = looks
      yield* round
      expect(looks.pages).toBe(pages)
    }
  )

  it.effect.each([
    [
      "though the list stays behind the balance for several looks",
      { looks: 5, isKnown: true, isNamed: false }
    ],
    ["though nobody looked until after the end", { looks: 20, isKnown: false, isNamed: false }],
    ["though a stranger's transaction names the account", { looks: 5, isKnown: true, isNamed: true }]
  ] as const)("is seen late, %s", ([, { isKnown, isNamed, looks }]) =>
    Effect.gen(function* () {
      yield* START
      const { balanceless, unlisted } = yield* Chain
      const terms = yield* openOrder()
      if (isKnown) yield* round
      if (isNamed) balanceless.add(yield* wallet(0n, [], NOW + 3_598_000))
      unlisted.add(yield* wallet(1_000_000n, [terms], NOW + 3_599_000))
      yield* TestClock.adjust("3601 seconds")
      for (let look = 0; look < looks; look++) {
        yield* round
        expect(yield* expireCheckouts).toBe(0)
        yield* TestClock.adjust("5 seconds")
      }
      unlisted.clear()
      yield* round
      expect((yield* statusOf(terms.checkoutId)).status).toBe("paid")
    }).pipe(Effect.provide(shop()))
  )

  inShop(
    "that no node has kept any more is not known to be missing: its order stays open, younger ones expire",
    function* () {
      const chain = yield* Chain
      const old = yield* openOrder()
      yield* wallet(1_000_000n, [old], NOW + 3_599_000)
      // Nobody looks for three hours, and the node has kept less.
      yield* TestClock.adjust("3 hours")
      chain.keptSince = NOW + 2 * 3_600_000
      yield* wallet(5n, [], NOW + 3 * 3_600_000)
      const young = yield* openOrder()
      yield* round
      yield* TestClock.adjust("62 minutes")
      yield* round
      expect(yield* expireCheckouts).toBe(1)
      expect((yield* statusOf(young.checkoutId)).status).toBe("expired")
      expect((yield* statusOf(old.checkoutId)).status).toBe("open")
    }
  )

  inShop("is seen in a slot that a reorganisation put before what was looked through already", function* () {
    const chain = yield* Chain
    chain.finalSlot = 0n
    const [first, second] = yield* Effect.all([openOrder(), openOrder()])
    yield* wallet(1_000_000n, [first], NOW + 2000)
    yield* round
    expect((yield* statusOf(first.checkoutId)).status).toBe("paid")
    yield* wallet(1_000_000n, [second], NOW + 1000)
    chain.wallets.get(SOLANA_MERCHANT)?.reverse()
    yield* round
    expect((yield* statusOf(second.checkoutId)).status).toBe("paid")
  })
})
