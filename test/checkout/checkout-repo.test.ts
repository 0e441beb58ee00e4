import { SqlClient } from "@effect/sql"
import { describe, expect, layer } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { CheckoutRepo } from "../../src/checkout/checkout-repo.ts"
import { CheckoutRepoLive } from "../../src/checkout/checkout-repo-live.ts"
import { FRESH } from "../../src/checkout/watch/scan.ts"
import { ReceivingAccounts, ReceivingAccountsLive } from "../../src/checkout/watch/receiving-accounts.ts"
import { expiredMessage } from "../../src/checkout/webhooks/events.ts"
import { WebhookOutbox, WebhookOutboxLive } from "../../src/checkout/webhooks/outbox.ts"
import { BASE_NETWORK, SOLANA_NETWORK } from "../../src/domain/chain.ts"
import { checkoutAt as checkout, HOUR, LIMITS, NOW } from "../support/checkout/rows.ts"
import { bothDatabases } from "../support/postgres.ts"
import { emptied } from "../support/storage/tables.ts"

const bound = (key: string, attempt: string, since = NOW) =>
  ({ key, attempt, binding: "memo", payload: "payload", since }) as const

/** A transfer to a checkout: the first pays it, and each leads to a message. */
const recordFor = (checkoutId: string, receipt: string, evidence: string) =>
  Effect.flatMap(CheckoutRepo, (repo) =>
    repo.record(
      { evidence, checkoutId, via: "verify", transaction: "tx", payer: null, amount: 1n, at: NOW + 1 },
      NOW + 1,
      (before) => ({
        paid:
          before.status === "paid"
            ? null
            : {
                paymentKey: `${checkoutId}-1`,
                receipt,
                settlement: { success: true, transaction: "tx", network: SOLANA_NETWORK },
                at: NOW + 1
              },
        messages: [{ id: `msg_${checkoutId}_${evidence}`, body: receipt }]
      })
    )
  )

describe.each(bothDatabases("checkouts"))("checkouts on %s", (_name, database) => {
  const repos = Layer.provideMerge(
    Layer.mergeAll(CheckoutRepoLive, ReceivingAccountsLive, WebhookOutboxLive),
    database
  )
  layer(repos, { excludeTestServices: true, timeout: 120_000 })((it) => {
    it.effect("are bound by one of many payments, and by nobody once their clock ran out", () =>
      Effect.gen(function* () {
        yield* emptied
        const repo = yield* CheckoutRepo
        yield* repo.insert(checkout("a"), LIMITS)
        const wins = yield* Effect.forEach(
          Array.from({ length: 10 }, (_, index) => bound(`a-${index}`, `try-${index}`)),
          (payment) => repo.bind("a", payment),
          { concurrency: "unbounded" }
        )
        expect(wins.filter(Boolean)).toHaveLength(1)
        yield* repo.insert(checkout("late"), LIMITS)
        expect(yield* repo.bind("late", bound("late-1", "try", NOW + HOUR))).toBe(false)
      })
    )

    it.effect("are given back only by the attempt that holds them", () =>
      Effect.gen(function* () {
        yield* emptied
        const repo = yield* CheckoutRepo
        yield* repo.insert(checkout("b"), LIMITS)
        yield* repo.bind("b", bound("b-1", "first"))
        expect(yield* repo.bind("b", bound("b-1", "second"))).toBe(true)
        yield* repo.release("b", ["first"])
        expect(Option.getOrThrow(yield* repo.find("b")).status).toBe("processing")
        yield* repo.release("b", ["second"])
        expect(Option.getOrThrow(yield* repo.find("b")).status).toBe("open")
      })
    )

    it.effect("keep their first receipt and post one event", () =>
      Effect.gen(function* () {
        yield* emptied
        const repo = yield* CheckoutRepo
        const outbox = yield* WebhookOutbox
        yield* repo.insert(checkout("c"), LIMITS)
        yield* recordFor("c", "one", "first")
        const again = yield* recordFor("c", "two", "first")
        expect(again).toMatchObject({ status: "paid", paid: { receipt: "one", at: NOW + 1 } })
        yield* recordFor("c", "extra", "second")
        expect((yield* repo.transfers("c")).map(({ evidence }) => evidence).toSorted()).toEqual([
          "first",
          "second"
        ])
        const capacity = {
          now: NOW + 2,
          leaseUntil: NOW + 1000,
          limit: 100,
          perHost: 5,
          busyHosts: [],
          back: 0
        }
        const taken = yield* outbox.take(capacity)
        expect(taken.map(({ attempts, body, host, id }) => [id, body, host, attempts]).toSorted()).toEqual([
          ["msg_c_first", "one", "shop.example", 1],
          ["msg_c_second", "extra", "shop.example", 1]
        ])
        expect(yield* outbox.take(capacity)).toEqual([])
      })
    )

    it.effect("tell one caller's events in turn with another's, however many names a stranger's go to", () =>
      Effect.gen(function* () {
        yield* emptied
        const repo = yield* CheckoutRepo
        const outbox = yield* WebhookOutbox
        const ended = (id: string, caller: string, host: string, after: number) =>
          Effect.gen(function* () {
            const at = NOW - 2 * HOUR + after
            const webhook = { url: `https://${host}/`, secret: null }
            const own = { caller, webhook, createdAt: at, expiresAt: at + 1, references: [] }
            yield* repo.insert({ ...checkout(id), ...own, merchant: `${BASE_NETWORK}:0x1` }, LIMITS)
            yield* repo.expire(at + 1, expiredMessage)
          })
        for (let at = 0; at < 6; at += 1) yield* ended(`dead${at}`, "address:many", `d${at}.example`, at)
        yield* ended("good1", "merchant:good", "good.example", 10)
        yield* ended("good2", "merchant:good", "good.example", 11)
        const capacity = { now: NOW - HOUR, leaseUntil: NOW, limit: 4, perHost: 2, busyHosts: [], back: 0 }
        const taken = yield* outbox.take(capacity)
        const names = (events: typeof taken) => events.map(({ checkoutId }) => checkoutId).toSorted()
        expect(names(taken)).toEqual(["dead0", "dead1", "good1", "good2"])
      })
    )

    it.effect("are one per idempotency key, and counted per caller", () =>
      Effect.gen(function* () {
        yield* emptied
        const repo = yield* CheckoutRepo
        yield* repo.insert(checkout("paid"), LIMITS)
        yield* recordFor("paid", "one", "first")
        expect(yield* repo.insert(checkout("d", "key"), LIMITS)).toEqual({ _tag: "inserted" })
        expect(yield* repo.insert(checkout("e", "key"), LIMITS)).toMatchObject({
          _tag: "earlier",
          checkout: { id: "d" }
        })
        // What was not inserted was not counted, and led to nothing.
        expect(yield* repo.findByReferences(["memo-e"])).toEqual([])
        expect(yield* repo.paidInADay("address:x", NOW)).toBe(1)
        const limits = [
          { createsPerMinute: 1, maxOpen: 1000 },
          { createsPerMinute: 1000, maxOpen: 1 }
        ]
        const outcomes = yield* Effect.forEach(limits, (limit) => repo.insert(checkout("g"), limit))
        expect(outcomes).toEqual([
          { _tag: "limited", by: "created" },
          { _tag: "limited", by: "open" }
        ])
        expect(Option.isNone(yield* repo.find("g"))).toBe(true)
        const stranger = { ...checkout("h"), caller: "address:y" }
        expect(yield* repo.insert(stranger, { createsPerMinute: 1, maxOpen: 1 })).toEqual({
          _tag: "inserted"
        })
      })
    )

    it.effect("expire once, and only after their account was looked through past the clock's end", () =>
      Effect.gen(function* () {
        yield* emptied
        const repo = yield* CheckoutRepo
        const accounts = yield* ReceivingAccounts
        yield* repo.insert(checkout("paid"), LIMITS)
        yield* recordFor("paid", "one", "first")
        yield* repo.insert(checkout("f"), LIMITS)
        const later = NOW + HOUR + 1000
        expect(yield* repo.expire(later, expiredMessage)).toBe(0)
        const [account] = yield* accounts.next(SOLANA_NETWORK, later, 10)
        expect(account).toMatchObject({ owner: "merchant", scan: FRESH, balance: null, isDue: true })
        const looked = (scannedTo: number, knownFrom = NOW) =>
          accounts.looked(
            SOLANA_NETWORK,
            { owner: "merchant", scan: { ...FRESH, cursor: "sig" }, balance: 5n, scannedTo, knownFrom },
            later
          )
        yield* looked(NOW + HOUR)
        expect(yield* repo.expire(later, expiredMessage)).toBe(0)
        // What came in the checkout's first moment is not known to anybody.
        yield* looked(NOW + HOUR + 1, NOW + 1)
        expect(yield* repo.expire(later, expiredMessage)).toBe(0)
        yield* looked(NOW + HOUR + 1)
        expect(yield* repo.expire(later, expiredMessage)).toBe(1)
        expect(yield* repo.expire(later, expiredMessage)).toBe(0)
        expect(yield* accounts.next(SOLANA_NETWORK, later, 10)).toEqual([])
        // Money may still come, or go back: the account is looked at now and then.
        const resting = yield* accounts.next(SOLANA_NETWORK, later + 60_000, 10)
        expect(resting).toMatchObject([{ scan: { cursor: "sig" }, balance: 5n, isDue: false }])
        expect(yield* accounts.next(SOLANA_NETWORK, later + 31 * 24 * HOUR, 10)).toEqual([])
        yield* repo.purge(NOW + 2 * HOUR, NOW + 2 * HOUR)
        expect(Option.isNone(yield* repo.find("f"))).toBe(true)
        expect(Option.isSome(yield* repo.find("paid"))).toBe(true)
      })
    )

    it.effect(
      "of a merchant who is known are looked at in every round, however many accounts strangers name",
      () =>
        Effect.gen(function* () {
          yield* emptied
          const sql = yield* SqlClient.SqlClient
          const repo = yield* CheckoutRepo
          const accounts = yield* ReceivingAccounts
          const later = NOW + 40 * 24 * HOUR
          const named = (owner: string) => ({
            ...checkout(owner),
            merchant: `${SOLANA_NETWORK}:${owner}`,
            createdAt: later,
            expiresAt: later + HOUR
          })
          const strangers = Array.from({ length: 12 }, (_, n) => `stranger${n}`)
          for (const owner of [...strangers, "known"]) yield* repo.insert(named(owner), LIMITS)
          yield* sql`INSERT INTO merchants (id, account, settings, created_at)
          VALUES ('mer_known', ${`${SOLANA_NETWORK}:known`}, '{}', 0)`
          const rounds: Array<ReadonlyArray<string>> = []
          for (let round = 1; round <= 4; round++) {
            const owners = (yield* accounts.next(SOLANA_NETWORK, later + round, 4)).map(({ owner }) => owner)
            yield* accounts.unchanged(SOLANA_NETWORK, owners, later + round)
            rounds.push(owners)
          }
          for (const owners of rounds) expect(owners).toContain("known")
          // Of the others, the least recently looked at: each had its turn before any had a second one.
          expect(
            rounds
              .flat()
              .filter((owner) => owner !== "known")
              .toSorted()
          ).toEqual(strangers.toSorted())
        })
    )
  })
})
