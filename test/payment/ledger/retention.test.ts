import { Migrator, SqlClient } from "@effect/sql"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer, Option, TestClock } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { LedgerLive } from "../../../src/payment/ledger/ledger-live.ts"
import { Ledger } from "../../../src/payment/ledger/ledger.ts"
import { migrate } from "../../../src/storage/migrations.ts"
import payments from "../../../src/storage/migrations/0001_payments.ts"
import { sqliteClient } from "../../../src/storage/sqlite/sqlite-client.ts"
import { newClaim, settlement } from "../../support/payment/claims.ts"
import { START, terms } from "../../support/payment/support.ts"

const SOURCES = fileURLToPath(new URL("../../../src", import.meta.url))

const DAY = 86_400_000
const Memory = sqliteClient(":memory:")
const FreshLedger = LedgerLive.pipe(Layer.provideMerge(Memory))

const evidence = {
  network: terms.network,
  transaction: "0xabc",
  index: 3,
  height: 8,
  payer: "payer",
  payTo: terms.payTo,
  amount: "5000"
}

describe("the ledger over time", () => {
  it.effect("drops answers and payloads, keeps keys and evidence, and touches nothing that is open", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(START)
      yield* migrate
      const ledger = yield* Ledger
      const [old, open] = [yield* newClaim, yield* newClaim]
      yield* ledger.begin(old, "answer")
      yield* ledger.settled(old.authorizationKey, settlement, evidence)
      yield* ledger.begin(open, "answer")
      expect(yield* ledger.purge(90 * DAY)).toBe(0)
      yield* TestClock.adjust(91 * DAY)
      expect(yield* ledger.purge(90 * DAY)).toBe(1)
      expect(Option.getOrThrow(yield* ledger.find(old.authorizationKey))).toMatchObject({
        state: "settled",
        sold: undefined
      })
      expect(Option.getOrThrow(yield* ledger.find(open.authorizationKey))).toMatchObject({ answer: "answer" })
      // What paid stays paid for.
      expect(yield* ledger.begin(old, "again")).toBe(false)
      expect(yield* ledger.claimEvidence(evidence, "checkout:1")).toBe(false)
    }).pipe(Effect.provide(FreshLedger))
  )

  it.effect(
    "gives what nobody knows the outcome of to be looked for ever more seldom, and once a minute always",
    () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(START)
        yield* migrate
        const ledger = yield* Ledger
        const open = yield* newClaim
        const key = open.authorizationKey
        yield* ledger.begin(open, "answer")
        yield* ledger.unresolved(key, undefined)
        const isDueAfter = (seconds: number) =>
          Effect.zipRight(TestClock.adjust(`${seconds} seconds`), ledger.abandoned).pipe(
            Effect.map((keys) => keys.length === 1)
          )
        const look = Effect.zipRight(ledger.takeOver(key), ledger.unresolved(key, undefined))
        // Young, it is looked for whenever there is a look.
        expect(yield* isDueAfter(0)).toBe(true)
        expect(yield* isDueAfter(110)).toBe(true)
        yield* look
        expect(yield* isDueAfter(5)).toBe(true)
        expect(yield* isDueAfter(485)).toBe(true)
        yield* look
        expect([yield* isDueAfter(30), yield* isDueAfter(10)]).toEqual([false, true])
        yield* TestClock.adjust("1 day")
        yield* look
        expect([yield* isDueAfter(59), yield* isDueAfter(1)]).toEqual([false, true])
        // Whoever presents it again has it looked for at once.
        yield* look
        expect(yield* ledger.takeOver(key)).toBe(true)
      }).pipe(Effect.provide(FreshLedger))
  )

  it.effect("takes over the rows of a database from before evidence", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(START)
      yield* Migrator.make({})({ loader: Migrator.fromRecord({ "0001_payments": payments }) })
      const sql = yield* SqlClient.SqlClient
      const { authorizationKey, payload } = yield* newClaim
      yield* sql`INSERT INTO payments ${sql.insert({
        authorization_key: authorizationKey,
        fingerprint: "order",
        state: "settling",
        owner: "old",
        lease_until: 0,
        network: terms.network,
        payer: "payer",
        amount: "5000",
        payload,
        requirements: JSON.stringify(terms),
        answer: "answer",
        created_at: START,
        updated_at: START
      })}`
      yield* migrate
      const ledger = yield* Ledger
      expect(yield* ledger.abandoned).toEqual([authorizationKey])
      expect(Option.getOrThrow(yield* ledger.find(authorizationKey))).toMatchObject({
        state: "settling",
        answer: "answer",
        since: 0
      })
    }).pipe(Effect.provide(FreshLedger))
  )
})

describe("a payment and its evidence", () => {
  it("are deleted by no statement of the service", () => {
    const files = readdirSync(SOURCES, { recursive: true, encoding: "utf8" }).filter((name) =>
      name.endsWith(".ts")
    )
    const deleting = files.filter((name) =>
      /(?:DELETE\s+FROM|TRUNCATE(?:\s+TABLE)?)\s+(?:payments|payment_evidence)\b/i.test(
        readFileSync(join(SOURCES, name), "utf8")
      )
    )
    expect(deleting).toEqual([])
  })
})
