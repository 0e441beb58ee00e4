import { describe, expect, layer } from "@effect/vitest"
import { Clock, Effect, Exit, Fiber, Schedule, Scope } from "effect"
import { evmAccount } from "../../../../scripts/sandbox/accounts.ts"
import { USDC } from "../../../../scripts/sandbox/base/addresses.ts"
import { UpstreamError } from "../../../../src/domain/errors.ts"
import type { SettlementOutcome } from "../../../../src/payment/outcome.ts"
import { SettlementJournal } from "../../../../src/payment/settler/evm/journal.ts"
import { LocalBase, startRpcProxy } from "../../../support/sandbox.ts"
import { journalAt, newPayer, settlingOver, signedPayment } from "../../../support/payment/base-settling.ts"

const settler = evmAccount("settler")
const begun = { transaction: null, since: 0 }

const soon = Effect.map(Clock.currentTimeMillis, (now) => Math.floor(now / 1_000) + 60)

const payments = (count: number) =>
  Effect.gen(function* () {
    const chain = yield* LocalBase
    const validBefore = yield* soon
    const payer = yield* newPayer(chain)
    const payTo = chain.accounts.merchant.address
    return yield* Effect.all(
      Array.from({ length: count }, () => signedPayment({ payer, payTo, validBefore }))
    )
  })

const settling = Effect.gen(function* () {
  const { url } = yield* LocalBase
  return yield* settlingOver(url, { accounts: [settler] })
})

const sentBy = Effect.flatMap(LocalBase, ({ devnet }) =>
  Effect.promise(() => devnet.client.getTransactionCount({ address: settler.address }))
)

const isSettled = (outcome: SettlementOutcome) => outcome.state === "settled"

const transactionOf = (outcome: SettlementOutcome) =>
  outcome.state === "settled" ? outcome.evidence.transaction : "none"

describe("the durable sender on Base", () => {
  layer(LocalBase.layer, { excludeTestServices: true, timeout: 60_000 })((it) => {
    it.scoped("settles one payment alone, directly with USDC", () =>
      Effect.gen(function* () {
        const { devnet } = yield* LocalBase
        const { settle } = yield* settling
        const [payment] = yield* payments(1)
        if (payment === undefined) return
        const outcome = yield* settle(payment, begun)
        expect(outcome).toMatchObject({ state: "settled", evidence: { index: 0, amount: "5000" } })
        const sent = yield* Effect.promise(() =>
          devnet.client.getTransaction({ hash: `0x${transactionOf(outcome).slice(2)}` })
        )
        expect(sent.to?.toLowerCase()).toBe(USDC.toLowerCase())
      }).pipe(Effect.provide(journalAt(":memory:")))
    )

    it.scoped("settles forty at once, one transfer each, in far fewer transactions", () =>
      Effect.gen(function* () {
        const before = yield* sentBy
        const { settle } = yield* settling
        const all = yield* payments(40)
        const outcomes = yield* Effect.forEach(all, (payment) => settle(payment, begun), {
          concurrency: "unbounded"
        })
        expect(outcomes.filter(isSettled)).toHaveLength(40)
        const evidence = new Set(
          outcomes.map((one) =>
            one.state === "settled" ? `${one.evidence.transaction}:${one.evidence.index}` : ""
          )
        )
        expect(evidence.size).toBe(40)
        expect((yield* sentBy) - before).toBeLessThan(15)
      }).pipe(Effect.provide(journalAt(":memory:")))
    )

    it.scoped("sends with every key it has, each with nonces of its own", () =>
      Effect.gen(function* () {
        const { devnet, url } = yield* LocalBase
        const other = evmAccount("second settler")
        yield* Effect.promise(() => devnet.setBalance(other.address, 10n ** 18n))
        const { settle } = yield* settlingOver(url, { accounts: [settler, other] })
        const all = yield* payments(60)
        const outcomes = yield* Effect.forEach(all, (payment) => settle(payment, begun), {
          concurrency: "unbounded"
        })
        expect(outcomes.filter(isSettled)).toHaveLength(60)
        const senders = yield* Effect.forEach(new Set(outcomes.map(transactionOf)), (hash) =>
          Effect.promise(() => devnet.client.getTransaction({ hash: `0x${hash.slice(2)}` }))
        )
        expect(new Set(senders.map(({ from }) => from.toLowerCase()))).toEqual(
          new Set([settler, other].map(({ address }) => address.toLowerCase()))
        )
      }).pipe(Effect.provide(journalAt(":memory:")))
    )

    it.scoped("asked twice for one payment, sends once", () =>
      Effect.gen(function* () {
        const before = yield* sentBy
        const { settle } = yield* settling
        const [payment] = yield* payments(1)
        if (payment === undefined) return
        const outcomes = yield* Effect.all([settle(payment, begun), settle(payment, begun)], {
          concurrency: 2
        })
        expect(new Set(outcomes.map(transactionOf)).size).toBe(1)
        expect(yield* settle(payment, begun)).toMatchObject({ state: "settled" })
        expect((yield* sentBy) - before).toBe(1)
      }).pipe(Effect.provide(journalAt(":memory:")))
    )

    it.scoped("sends once what it is told is new and is not, and beside it what is", () =>
      Effect.gen(function* () {
        const { settle } = yield* settling
        const all = yield* payments(4)
        const [first] = all
        if (first === undefined) return
        const sold = transactionOf(yield* settle(first, begun))
        const before = yield* sentBy
        const outcomes = yield* Effect.forEach(all, (payment) => settle(payment, { ...begun, isNew: true }), {
          concurrency: "unbounded"
        })
        expect(outcomes.map(({ state }) => state)).toEqual(["settled", "settled", "settled", "settled"])
        expect(outcomes.map(transactionOf).indexOf(sold)).toBe(0)
        expect((yield* sentBy) - before).toBeLessThan(4)
      }).pipe(Effect.provide(journalAt(":memory:")))
    )

    it.scoped(
      "a payer who signed away more than it holds fails alone in a batch, and is never called paid",
      () =>
        Effect.gen(function* () {
          const { accounts } = yield* LocalBase
          const { settle } = yield* settling
          const validBefore = yield* soon
          const payer = yield* newPayer(yield* LocalBase)
          const payTo = accounts.merchant.address
          const greedy = yield* Effect.all(
            [1, 2, 3].map(() => signedPayment({ payer, payTo, validBefore, amount: 6_000_000n }))
          )
          const all = [...(yield* payments(4)), ...greedy]
          const outcomes = yield* Effect.forEach(all, (payment) => settle(payment, begun), {
            concurrency: "unbounded"
          })
          expect(outcomes.slice(0, 4).every(isSettled)).toBe(true)
          expect(
            outcomes
              .slice(4)
              .map(({ state }) => state)
              .toSorted()
            // Their money may come back while their windows are open: nothing is decided before.
          ).toEqual(["open", "open", "settled"])
          for (const outcome of outcomes.slice(4)) {
            if (outcome.state === "open") expect(outcome.isRefusedNow).toBe(true)
          }
        }).pipe(Effect.provide(journalAt(":memory:")))
    )

    it.scoped("what was stored is sent, and once, although the database did not say so any more", () =>
      Effect.gen(function* () {
        const { url } = yield* LocalBase
        const before = yield* sentBy
        const journal = yield* SettlementJournal
        let lost = 0
        const lossy: typeof journal = {
          ...journal,
          prepare: (preparation) =>
            Effect.tap(journal.prepare(preparation), () =>
              lost++ === 0
                ? new UpstreamError({ upstream: "database", kind: "transport", detail: "lost" })
                : Effect.void
            )
        }
        const { settle } = yield* Effect.provideService(
          settlingOver(url, { accounts: [settler] }),
          SettlementJournal,
          lossy
        )
        // Nothing is in flight, and the first look has seen so.
        yield* Effect.sleep("1 second")
        const [payment] = yield* payments(1)
        if (payment === undefined) return
        expect(yield* settle(payment, begun)).toMatchObject({ state: "settled" })
        expect([lost, (yield* sentBy) - before]).toEqual([1, 1])
      }).pipe(Effect.provide(journalAt(":memory:")))
    )

    it.scoped("a process that died between storing and sending leaves bytes that its heir sends, once", () =>
      Effect.gen(function* () {
        const { url } = yield* LocalBase
        const before = yield* sentBy
        const proxy = yield* startRpcProxy(url)
        const [payment] = yield* payments(1)
        if (payment === undefined) return
        proxy.faults.refusedMethods.add("eth_sendRawTransaction")
        const doomed = yield* Scope.make()
        const { settle } = yield* Scope.extend(settlingOver(proxy.url, { accounts: [settler] }), doomed)
        const fiber = yield* Effect.fork(settle(payment, begun))
        yield* Effect.repeat(
          Effect.sync(() => proxy.requests.get("eth_sendRawTransaction") ?? 0),
          {
            until: (sent) => sent > 0,
            schedule: Schedule.spaced("20 millis")
          }
        )
        yield* Fiber.interrupt(fiber)
        yield* Scope.close(doomed, Exit.void)
        expect((yield* sentBy) - before).toBe(0)
        // Nobody asks for the payment: the key's new holder sends what is stored.
        const heir = yield* settling
        yield* Effect.repeat(sentBy, {
          until: (sent) => sent > before,
          schedule: Schedule.spaced("50 millis")
        })
        expect(yield* heir.settle(payment, begun)).toMatchObject({ state: "settled" })
        expect((yield* sentBy) - before).toBe(1)
      }).pipe(Effect.provide(journalAt(":memory:")))
    )
  })
})
