/** What is left of accounts that strangers named. */
import { SqlClient } from "@effect/sql"
import { describe, expect, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { CheckoutRepo } from "../../../src/checkout/checkout-repo.ts"
import { CheckoutRepoLive } from "../../../src/checkout/checkout-repo-live.ts"
import { SOLANA_NETWORK } from "../../../src/domain/chain.ts"
import { checkoutAt, HOUR, LIMITS, NOW } from "../../support/checkout/rows.ts"
import { bothDatabases } from "../../support/postgres.ts"
import { emptied } from "../../support/storage/tables.ts"

const DAY = 24 * HOUR

describe.each(bothDatabases("ending"))("accounts on %s", (_name, database) => {
  layer(Layer.provideMerge(CheckoutRepoLive, database), { timeout: 60_000 })((it) => {
    it.effect("are forgotten thirty days after their last checkout, unless one of them is not over", () =>
      Effect.gen(function* () {
        yield* emptied
        const repo = yield* CheckoutRepo
        const sql = yield* SqlClient.SqlClient
        const at = (owner: string) => ({ ...checkoutAt(owner), merchant: `${SOLANA_NETWORK}:${owner}` })
        for (const owner of ["over", "waiting"]) yield* repo.insert(at(owner), LIMITS)
        yield* repo.cancel("over", "address:x", NOW)
        const owners = Effect.map(sql`SELECT owner FROM receiving_accounts ORDER BY owner`, (rows) =>
          rows.map((row) => String(row["owner"]).slice(SOLANA_NETWORK.length + 1))
        )
        yield* repo.purge(NOW, NOW + 29 * DAY)
        expect(yield* owners).toEqual(["over", "waiting"])
        yield* repo.purge(NOW, NOW + 31 * DAY)
        expect(yield* owners).toEqual(["waiting"])
      })
    )
  })
})
