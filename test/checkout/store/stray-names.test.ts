/** A database of before transfers without an order were named by their account, taken over by this version. */
import { SqlClient } from "@effect/sql"
import { expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { join } from "node:path"
import { BASE_NETWORK, SOLANA_NETWORK } from "../../../src/domain/chain.ts"
import { databaseAt, unmigratedDatabaseAt } from "../../../src/storage/database.ts"
import { migrateTo } from "../../../src/storage/migrations.ts"
import { SOLANA_MERCHANT } from "../../support/checkout/shop.ts"
import { sharedPostgres } from "../../support/postgres.ts"
import { scopedFolder } from "../../support/scoped-folder.ts"

const solana = `${SOLANA_NETWORK}:sig1`
const base = `${BASE_NETWORK}:0xab:3:0x5c`
const accounts = { [solana]: `${SOLANA_NETWORK}:${SOLANA_MERCHANT}`, [base]: `${BASE_NETWORK}:0x5c` }

const older = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* migrateTo(57)
  for (const [evidence, account] of Object.entries(accounts)) {
    const row = { transaction_id: "t", payer: null, amount: "1", at: 1, reason: "no-order", seen_at: 1 }
    yield* sql`INSERT INTO unassigned_transfers ${sql.insert({ evidence, account, ...row })}`
    const [network] = evidence.split(":", 1)
    const sighting = { claimant: `stray ${evidence}`, network, height: 1, evidence: "{}", seen_at: 1 }
    yield* sql`INSERT INTO checkout_sightings ${sql.insert(sighting)}`
  }
})

const names = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ name: string }>`SELECT evidence AS name FROM unassigned_transfers
    UNION ALL SELECT claimant AS name FROM checkout_sightings`
  return rows.map(({ name }) => name).toSorted()
})

it.scopedLive("transfers without an order keep their rows under the names this version gives them", () =>
  Effect.gen(function* () {
    const folder = yield* scopedFolder
    const postgres = yield* sharedPostgres
    for (const url of [
      { dialect: "sqlite", path: join(folder, "service.db") } as const,
      yield* postgres.database("stray_names")
    ]) {
      yield* Effect.provide(older, Layer.fresh(unmigratedDatabaseAt(url)))
      expect(yield* Effect.provide(names, Layer.fresh(databaseAt(url)))).toEqual([
        base,
        `${solana}:${SOLANA_MERCHANT}`,
        `stray ${base}`,
        `stray ${solana}:${SOLANA_MERCHANT}`
      ])
    }
  })
)
