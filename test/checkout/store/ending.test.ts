/** What is left of accounts that strangers named. */
import { SqlClient } from "@effect/sql"
import { describe, expect, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { CheckoutRepo } from "../../../src/checkout/checkout-repo.ts"
import { CheckoutRepoLive } from "../../../src/checkout/checkout-repo-live.ts"
import { BASE_NETWORK, SOLANA_NETWORK } from "../../../src/domain/chain.ts"
import { expiredMessage } from "../../../src/checkout/webhooks/events.ts"
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

describe.each(bothDatabases("room"))("a caller's open checkouts on %s", (_name, database) => {
  layer(Layer.provideMerge(CheckoutRepoLive, database), { timeout: 60_000 })((it) => {
    it.effect("leave room for others once they are cancelled, or their time is over, and once each", () =>
      Effect.gen(function* () {
        yield* emptied
        const repo = yield* CheckoutRepo
        const limits = { createsPerMinute: 1_000, maxOpen: 2 }
        // Only a payment that is presented to us pays it: its clock alone ends it.
        const merchant = `${BASE_NETWORK}:0x1`
        const opened = (id: string) =>
          Effect.map(repo.insert({ ...checkoutAt(id), merchant, references: [] }, limits), ({ _tag }) => _tag)
        expect(yield* opened("a")).toBe("inserted")
        expect(yield* opened("b")).toBe("inserted")
        expect(yield* opened("c")).toBe("limited")
        expect(yield* repo.cancel("a", "address:x", NOW)).toBe(true)
        expect(yield* repo.cancel("a", "address:x", NOW)).toBe(false)
        expect(yield* opened("c")).toBe("inserted")
        expect(yield* opened("d")).toBe("limited")
        // This one a wallet may have paid by itself: nobody has looked yet.
        yield* repo.insert({ ...checkoutAt("named"), merchant, caller: "address:y" }, limits)
        expect(yield* repo.expire(NOW + HOUR - 1, expiredMessage)).toBe(0)
        expect(yield* opened("d")).toBe("limited")
        expect(yield* repo.expire(NOW + HOUR, expiredMessage)).toBe(2)
        expect(yield* repo.expire(NOW + HOUR, expiredMessage)).toBe(0)
        expect(yield* opened("d")).toBe("inserted")
        expect(yield* opened("e")).toBe("inserted")
        expect(yield* opened("f")).toBe("limited")
      })
    )
  })
})
