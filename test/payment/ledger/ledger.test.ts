import { SqlClient } from "@effect/sql"
import { describe, expect, it } from "@effect/vitest"
import { Clock, Context, Effect, Layer, Option } from "effect"
import { join } from "node:path"
import { LedgerLive } from "../../../src/payment/ledger/ledger-live.ts"
import { Ledger } from "../../../src/payment/ledger/ledger.ts"
import { SettlementJournalLive } from "../../../src/payment/settler/evm/journal-live.ts"
import { SettlementJournal } from "../../../src/payment/settler/evm/journal.ts"
import type { Evidence, VoidProof } from "../../../src/payment/outcome.ts"
import { databaseAt } from "../../../src/storage/database.ts"
import type { DatabaseUrl } from "../../../src/storage/database-url.ts"
import { narrowSql } from "../../../src/storage/sql-errors.ts"
import { stopped } from "../../support/clocks.ts"
import { sharedPostgres } from "../../support/postgres.ts"
import { newClaim, settlement } from "../../support/payment/claims.ts"
import { terms } from "../../support/payment/support.ts"
import { newFolder } from "../../support/folder.ts"

/** One process: its own connection and its own ownership. */
const processAt = (url: DatabaseUrl) =>
  Layer.fresh(LedgerLive).pipe(Layer.provideMerge(Layer.fresh(databaseAt(url))), Layer.build)

const evidence: Evidence = {
  network: terms.network,
  transaction: "0xabc",
  index: 3,
  height: 8,
  blockHash: "0xdef",
  payer: "payer",
  payTo: terms.payTo,
  amount: "5000"
}
const cancelled: VoidProof = {
  kind: "nonce-cancelled",
  transaction: "0xabd",
  index: 0,
  seen: { node: "n", height: 9 }
}
const closed: VoidProof = { kind: "window-closed", closed: 10, seen: { node: "n", height: 11 } }
const winners = (moves: ReadonlyArray<boolean>) => moves.filter(Boolean).length

/** What ended stays, with its proof, and a transfer pays once. */
const keepsEverything = (a: Ledger["Type"], b: Ledger["Type"]) =>
  Effect.gen(function* () {
    const [copied, refused] = [yield* newClaim, yield* newClaim]
    // Evidence that paid already pays for nothing else, whoever claims it.
    expect(yield* b.begin(copied, "answer")).toBe(true)
    expect(yield* b.settled(copied.authorizationKey, settlement, evidence)).toBe("used-elsewhere")
    expect(Option.getOrThrow(yield* a.find(copied.authorizationKey))).toMatchObject({ state: "settling" })
    expect(yield* a.claimEvidence(evidence, "checkout:1")).toBe(false)
    const other = { ...evidence, index: 4 }
    expect(yield* a.claimEvidence(other, "checkout:1")).toBe(true)
    expect(yield* b.claimEvidence(other, "checkout:1")).toBe(true)
    expect(yield* b.claimEvidence(other, "checkout:2")).toBe(false)

    const key = refused.authorizationKey
    expect(
      winners(yield* Effect.all([a.begin(refused, "1"), b.begin(refused, "2")], { concurrency: 2 }))
    ).toBe(1)
    const owner = (yield* a.refused(key, "cancelled", cancelled, false)) ? a : b
    if (owner === b) expect(yield* b.refused(key, "cancelled", cancelled, false)).toBe(true)
    const watched = Option.getOrThrow(yield* a.find(key))
    expect(watched).toMatchObject({ state: "refused", reason: "cancelled", driven: { since: 7 } })
    expect(winners(yield* Effect.all([a.claim(refused), b.begin(refused, "again")]))).toBe(0)
    // A reorganisation brought it back: it settled after all, with the answer it was worked for.
    const late = { ...evidence, transaction: "0xlate" }
    expect(yield* owner.settled(key, { ...settlement, transaction: "0xlate" }, late)).toBe("recorded")
    expect(Option.getOrThrow(yield* b.find(key))).toMatchObject({ state: "settled" })
  })

/** The whole life of rows, with two processes reaching for them. */
const livesOnce = (url: DatabaseUrl) =>
  Effect.gen(function* () {
    const first = yield* processAt(url)
    const second = yield* processAt(url)
    const a = Context.get(first, Ledger)
    const b = Context.get(second, Ledger)
    const claim = yield* newClaim
    const key = claim.authorizationKey

    const claims = yield* Effect.all(
      Array.from({ length: 10 }, (_, i) => (i % 2 === 0 ? a : b).claim(claim)),
      { concurrency: "unbounded" }
    )
    expect(winners(claims)).toBe(1)
    const isOurs = claims.indexOf(true) % 2 === 0
    const owner = isOurs ? a : b
    const other = isOurs ? b : a
    expect(yield* other.release(key, "not mine")).toBe(false)
    expect(yield* other.settling(key, "stolen")).toBe(false)
    expect(yield* owner.settled(key, settlement, evidence)).toBe("not-open")
    expect(yield* owner.settling(key, "answer")).toBe(true)
    expect(yield* other.takeOver(key)).toBe(false)
    expect(yield* owner.release(key, "too late")).toBe(false)
    expect(yield* owner.unresolved(key, "0xabc")).toBe(true)
    expect(yield* other.abandoned).toEqual([key])
    expect(winners(yield* Effect.all([owner.takeOver(key), other.takeOver(key)]))).toBe(1)
    expect(Option.getOrThrow(yield* other.find(key))).toMatchObject({
      state: "settling",
      answer: "answer",
      transaction: "0xabc",
      since: 7,
      verified: { requirements: terms, payer: "payer" }
    })
    const settle = (ledger: Ledger["Type"]) => ledger.settled(key, settlement, evidence)
    const settled = yield* Effect.all([settle(a), settle(b)], { concurrency: 2 })
    expect(settled.toSorted()).toEqual(["not-open", "recorded"])
    expect(yield* owner.refused(key, "too late", closed, true)).toBe(false)
    expect(winners(yield* Effect.all([a.claim(claim), b.claim(claim)]))).toBe(0)
    expect(Option.getOrThrow(yield* other.find(key))).toMatchObject({
      state: "settled",
      sold: { answer: "answer", settlement }
    })

    const sql = Context.get(first, SqlClient.SqlClient)
    const events = yield* sql<{ event: string }>`SELECT event FROM payment_events ORDER BY id`
    expect(events.map(({ event }) => event)).toEqual([
      "claimed",
      "settling",
      "unresolved",
      "taken-over",
      "settled"
    ])

    yield* keepsEverything(a, b)

    const open = yield* newClaim
    expect(yield* a.begin(open, "answer")).toBe(true)
    const eventsOf = sql<{ event: string; detail: string }>`SELECT event, detail FROM payment_events
      WHERE authorization_key = ${open.authorizationKey} ORDER BY id`
    const ask = (driver: Ledger["Type"], transaction: string) =>
      Effect.zipRight(
        driver.takeOver(open.authorizationKey),
        driver.unresolved(open.authorizationKey, transaction)
      )
    expect(yield* a.unresolved(open.authorizationKey, "0xsent")).toBe(true)
    for (let round = 0; round < 5; round++)
      for (const one of [a, b]) expect(yield* ask(one, "0xsent")).toBe(true)
    // However long no node tells what became of it: what is not new makes no rows.
    expect((yield* eventsOf).map(({ event }) => event)).toEqual([
      "settling",
      "unresolved",
      "taken-over",
      "taken-over"
    ])
    expect(yield* ask(b, "0xreplaced")).toBe(true)
    expect((yield* eventsOf).at(-1)).toEqual({ event: "unresolved", detail: "0xreplaced" })

    const released = yield* newClaim
    expect(yield* a.claim(released)).toBe(true)
    expect(yield* a.release(released.authorizationKey, "no pools")).toBe(true)
    expect(yield* b.claim(released)).toBe(true)
  })

/** Two processes whose clocks are a day apart: a lease is as long for both. */
const countsByTheDatabase = (url: DatabaseUrl) =>
  Effect.gen(function* () {
    const now = Date.now()
    const off = (millis: number) =>
      Effect.withClock(Object.assign(Object.create(Clock.make()), stopped(now + millis)))
    const [early, late] = [off(-86_400_000), off(86_400_000)]
    const first = yield* processAt(url)
    const a = Context.get(first, Ledger)
    const b = Context.get(yield* processAt(url), Ledger)
    const [held, given] = [yield* newClaim, yield* newClaim]
    expect(yield* early(a.begin(held, "answer"))).toBe(true)
    expect(yield* late(b.abandoned)).toEqual([])
    expect(yield* late(b.takeOver(held.authorizationKey))).toBe(false)
    expect(yield* late(a.claim(given))).toBe(true)
    expect(Option.getOrThrow(yield* late(b.find(given.authorizationKey)))).toMatchObject({ lapsed: false })
    expect(yield* late(a.release(given.authorizationKey, "no pools"))).toBe(true)
    expect(yield* early(b.claim(given))).toBe(true)

    const keys = Effect.map(
      Layer.build(Layer.fresh(Layer.provide(SettlementJournalLive, databaseAt(url)))),
      Context.get(SettlementJournal)
    )
    const [one, other] = [yield* keys, yield* keys]
    expect(yield* early(one.hold("0xaa"))).toBe(true)
    expect(yield* late(other.hold("0xaa"))).toBe(false)
    yield* late(one.release("0xaa"))
    expect(yield* early(other.hold("0xaa"))).toBe(true)
  })

/** What a statement comes to that runs longer than the server lets it. */
const endsLongStatements = (url: DatabaseUrl) =>
  Effect.gen(function* () {
    const sql = Context.get(yield* Layer.build(databaseAt(url)), SqlClient.SqlClient)
    expect(yield* sql`SHOW statement_timeout`).toEqual([{ statement_timeout: "10s" }])
    expect(yield* sql`SHOW lock_timeout`).toEqual([{ lock_timeout: "5s" }])
    const long = Effect.zipRight(sql`SET LOCAL statement_timeout = 20`, sql`SELECT pg_sleep(60)`)
    const error = yield* Effect.flip(narrowSql(sql.withTransaction(long)))
    expect(error).toMatchObject({ upstream: "database", kind: "transport" })
    expect(error.detail).toContain("57014")
  })

describe("the ledger", () => {
  it.scopedLive("moves every row once between two processes on SQLite", () =>
    livesOnce({ dialect: "sqlite", path: join(newFolder(), "ledger.db") })
  )

  it.scopedLive(
    "moves every row once between two processes on PostgreSQL, whose clock counts the leases and ends long statements",
    () =>
      Effect.gen(function* () {
        const postgres = yield* sharedPostgres
        yield* livesOnce(yield* postgres.database("ledger"))
        yield* countsByTheDatabase(yield* postgres.database("clocks"))
        yield* endsLongStatements(yield* postgres.database("long"))
      })
  )
})
