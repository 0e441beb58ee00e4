import { FetchHttpClient } from "@effect/platform"
import { SqlClient } from "@effect/sql"
import { describe, expect, it } from "@effect/vitest"
import {
  ConfigProvider,
  Effect,
  Exit,
  Fiber,
  Layer,
  Logger,
  Metric,
  MetricState,
  Option,
  TestClock
} from "effect"
import { SOLANA_NETWORK } from "../../src/domain/chain.ts"
import { Receiving } from "../../src/payment/receiving.ts"
import { lookingOn, makeReadiness } from "../../src/server/readiness.ts"
import { databaseAt } from "../../src/storage/database.ts"
import { randomUUID } from "node:crypto"
import { join } from "node:path"
import { everythingArrives, mockPaymentVerifier } from "../support/mocks.ts"
import { scopedFolder } from "../support/scoped-folder.ts"
import { chainsOf, FEE_PAYER, NOW, type World } from "../support/server/two-chains.ts"

const KEY = `0x${"11".repeat(32)}`
// The seed and public key of RFC 8032's first test vector.
const SEED = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"
const PUBLIC = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
const SOLANA_KEY = JSON.stringify([...Buffer.from(SEED + PUBLIC, "hex")])

const environment = {
  BASE_SETTLER_PRIVATE_KEY: KEY,
  SOLANA_FEE_PAYER_PRIVATE_KEY: SOLANA_KEY
}

/** The reasons of a service in this world, whose database can be spoiled before it is asked. */
const reasonsIn = (
  world: World,
  spoil: Effect.Effect<unknown, unknown, SqlClient.SqlClient> = Effect.void,
  place = Layer.fresh(databaseAt({ dialect: "sqlite", path: ":memory:" })),
  receiving = everythingArrives
) =>
  Effect.zipRight(spoil, Effect.flatten(makeReadiness)).pipe(
    Effect.provide([
      chainsOf(world),
      mockPaymentVerifier({
        extra: (network) => (network === SOLANA_NETWORK ? { feePayer: FEE_PAYER } : {})
      }),
      FetchHttpClient.layer,
      receiving,
      place
    ]),
    Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(environment))))
  )

const sql = (statement: string) => Effect.flatMap(SqlClient.SqlClient, (client) => client.unsafe(statement))

describe("readiness", () => {
  it.effect("is given when the database takes writes and both networks can settle", () =>
    Effect.map(reasonsIn({}), (reasons) => expect(reasons).toEqual([]))
  )

  it.effect.each([
    ["a dead Base node", { base: "transport" }, ["base: no node answers"]],
    ["a dead Solana node", { solana: "transport" }, ["solana: no node answers"]],
    ["a node that limits us", { base: "rate-limited" }, ["base: no node answers: our requests are limited"]],
    ["one that refuses us", { solana: "rejected" }, ["solana: no node answers: our requests are refused"]],
    [
      "one of another chain",
      { base: "malformed", solana: "malformed" },
      [
        "base: no node answers as one of this chain: of another chain, or no node",
        "solana: no node answers as one of this chain: of another chain, or no node"
      ]
    ],
    [
      "one that takes too long",
      { base: "timeout" },
      ["base: no node answers in time: silent, or limiting our requests"]
    ],
    [
      "fees that no node tells",
      { feeIsUnknown: true },
      ["base: no node tells its newest block, the fee and our balance"]
    ],
    ["an empty settler on Base", { wei: 1n }, ["base: the settler's balance does not pay for a settlement"]],
    [
      "an empty fee payer",
      { lamports: 890_880n },
      ["solana: the settler's balance does not pay for a settlement"]
    ],
    [
      "nothing at all",
      { base: "transport", solana: "transport" },
      ["base: no node answers", "solana: no node answers"]
    ]
  ] as const)("names %s", ([_name, world, expected]) =>
    Effect.map(reasonsIn(world), (reasons) => expect(reasons).toEqual(expected))
  )

  it.effect(
    "names a receiving address where nothing can arrive: until then no payment is taken there",
    () => {
      const why = "SOLANA_PAY_TO has a USDC token account that is frozen"
      const receiving = Layer.succeed(Receiving, {
        obstacle: (network) => (network === SOLANA_NETWORK ? why : undefined)
      })
      return Effect.map(reasonsIn({}, undefined, undefined, receiving), (reasons) =>
        expect(reasons).toEqual([`solana: ${why}`])
      )
    }
  )

  it.effect(
    "names a clock that is not the chain's, or a node that stands still, but on a chain to try things on",
    () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(NOW * 1_000)
        const reasonsAt = (seconds: number, nodeName = "op-geth/v1") =>
          reasonsIn({ blockTime: NOW + seconds, nodeName })
        // What no payment is taken by is no node to be ready with.
        expect(yield* reasonsAt(-60)).toEqual([])
        expect(yield* reasonsAt(60)).toEqual([])
        expect(yield* reasonsAt(-61)).toEqual([
          "base: the newest block is 61 s old: chain or node stand still, or this machine's clock is fast"
        ])
        expect(yield* reasonsAt(61)).toEqual([
          "base: the newest block is of 61 s from now: this machine's clock is slow"
        ])
        expect(yield* reasonsAt(-3_600, "anvil/v1.7.1")).toEqual([])
      })
  )

  it.effect("names a Solana node that is behind, or shows no clock, but on a chain to try things on", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOW * 1_000)
      const reasonsAt = (solanaTime: number | undefined) => reasonsIn({ solanaTime })
      expect(yield* reasonsAt(NOW - 300)).toEqual([])
      expect(yield* reasonsAt(NOW - 301)).toEqual([
        "solana: the newest block is 301 s old: chain or node stand still, or this machine's clock is fast"
      ])
      expect(yield* reasonsAt(undefined)).toEqual(["solana: no node shows the chain's clock"])
      // Development servers' clocks begin at nought.
      expect(yield* reasonsAt(12)).toEqual([])
      expect(yield* reasonsIn({ solanaTime: NOW - 301, lamports: 1n })).toEqual([
        "solana: the newest block is 301 s old: chain or node stand still, or this machine's clock is fast"
      ])
    })
  )

  it.effect.each([
    ["refuses writes", "PRAGMA query_only = ON"],
    ["is damaged", "DROP TABLE leases"]
  ] as const)("names a database that %s", ([_name, statement]) =>
    Effect.map(reasonsIn({}, sql(statement)), (reasons) =>
      expect(reasons).toEqual(["database: cannot be written"])
    )
  )

  it.effect("names a database whose disk is full", () => {
    // No page more, and the pages there are filled with rows of the size that readiness writes.
    const fill = Effect.gen(function* () {
      yield* sql("PRAGMA max_page_count = 1")
      for (let refused = 0; refused < 200;) {
        const insert = sql(`INSERT INTO leases VALUES ('readiness ${randomUUID()}', '', 0)`)
        refused = (yield* Effect.isSuccess(insert)) ? 0 : refused + 1
      }
    })
    return Effect.map(reasonsIn({}, fill), (reasons) =>
      expect(reasons).toEqual(["database: cannot be written"])
    )
  })

  it.scopedLive("names a database that another process has locked", () =>
    Effect.gen(function* () {
      const directory = yield* scopedFolder
      const place = Layer.fresh(databaseAt({ dialect: "sqlite", path: join(directory, "ledger.db") }))
      const other = yield* Layer.build(place)
      const lock = Effect.provide(sql("BEGIN IMMEDIATE"), other)
      expect(yield* reasonsIn({}, lock, place)).toEqual(["database: cannot be written"])
      yield* Effect.provide(sql("ROLLBACK"), other)
      expect(yield* reasonsIn({}, Effect.void, place)).toEqual([])
    })
  )

  it.effect("names a database that falls silent, though its driver waits on for an answer", () =>
    Effect.gen(function* () {
      const silence = Effect.map(SqlClient.SqlClient, (client) =>
        Object.assign(client, { withTransaction: () => Effect.uninterruptible(Effect.never) })
      )
      const asked = yield* Effect.fork(reasonsIn({}, silence))
      yield* TestClock.adjust("3 seconds")
      expect(
        Option.map(
          yield* Fiber.poll(asked),
          Exit.getOrElse(() => ["failed"])
        )
      ).toEqual(Option.some(["database: cannot be written"]))
    })
  )

  it.effect("stands in the metrics by its parts, and in the log once", () => {
    const lines: Array<string> = []
    const logger = Logger.make<unknown, void>(({ message }) => void lines.push(String(message)))
    const parts = Effect.map(Metric.snapshot, (pairs) =>
      Object.fromEntries(
        pairs.flatMap(({ metricKey, metricState }) =>
          metricKey.name === "token_risk_ready" && MetricState.isGaugeState(metricState)
            ? [[metricKey.tags.find(({ key }) => key === "part")?.value, Number(metricState.value)]]
            : []
        )
      )
    )
    return Effect.gen(function* () {
      const rest = { database: 1, base: 1, "base-receiving": 1, "solana-receiving": 1 }
      yield* reasonsIn({ solana: "transport" })
      expect(yield* parts).toEqual({ ...rest, solana: 0 })
      yield* reasonsIn({})
      expect(yield* parts).toEqual({ ...rest, solana: 1 })
      expect(lines).toEqual(["cannot sell: solana: no node answers"])
    }).pipe(Effect.provide(Logger.replace(Logger.defaultLogger, logger)))
  })

  it.scoped("is looked for while nobody asks", () =>
    Effect.gen(function* () {
      let looks = 0
      yield* lookingOn(Effect.sync(() => void (looks += 1)))
      yield* TestClock.adjust("45 seconds")
      expect(looks).toBe(4)
    })
  )

  it.effect("leaves nothing behind in the database", () =>
    Effect.gen(function* () {
      const check = Effect.zipRight(
        Effect.flatten(makeReadiness),
        Effect.flatMap(SqlClient.SqlClient, (client) => client`SELECT * FROM leases`)
      )
      const rows = yield* check.pipe(
        Effect.provide([
          chainsOf({}),
          mockPaymentVerifier({ extra: () => ({ feePayer: FEE_PAYER }) }),
          FetchHttpClient.layer,
          everythingArrives,
          databaseAt({ dialect: "sqlite", path: ":memory:" })
        ]),
        Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(environment))))
      )
      expect(rows).toEqual([])
    })
  )
})
