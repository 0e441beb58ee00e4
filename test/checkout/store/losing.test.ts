/** A transfer that is lost in one process while another process writes down the one that pays in its place. */
import { SqlClient } from "@effect/sql"
import { describe, expect, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Option } from "effect"
import { CheckoutRepo, type Conclusion } from "../../../src/checkout/checkout-repo.ts"
import { CheckoutRepoLive } from "../../../src/checkout/checkout-repo-live.ts"
import type { Paid } from "../../../src/checkout/checkout.ts"
import type { Transfer } from "../../../src/checkout/journal.ts"
import { lossesAt } from "../../../src/checkout/paid-record.ts"
import { SOLANA_NETWORK } from "../../../src/domain/chain.ts"
import { checkoutAt, LIMITS, NOW } from "../../support/checkout/rows.ts"
import { bothDatabases } from "../../support/postgres.ts"
import { emptied } from "../../support/storage/tables.ts"

const transfer = (checkoutId: string, name: string): Transfer => ({
  evidence: name,
  checkoutId,
  via: "wallet",
  transaction: name,
  payer: "buyer",
  amount: 1n,
  at: NOW + 1,
  binding: "memo",
  paymentKey: `key-${name}`,
  claimant: `claimant-${name}`
})
const paidBy = (name: string): Paid => ({
  paymentKey: `key-${name}`,
  receipt: "{}",
  settlement: { success: true, transaction: name, network: SOLANA_NETWORK },
  at: NOW + 1
})
const isExtra = (): Conclusion => ({ paid: null, messages: [] })

describe.each(bothDatabases("lost"))("a transfer that is lost on %s", (_name, database) => {
  layer(Layer.provideMerge(CheckoutRepoLive, database), { timeout: 60_000 })((it) => {
    it.effect("takes back what it paid, and leaves every other checkout as it is", () =>
      Effect.gen(function* () {
        yield* emptied
        const repo = yield* CheckoutRepo
        const now = NOW + 2
        const pay = (id: string, name = `${id} paid`) =>
          repo.record(transfer(id, name), NOW, () => ({ paid: paidBy(name), messages: [] }))
        const lose = (name: string) => repo.lose([`claimant-${name}`], now, lossesAt(now))
        const stands = (id: string) => Effect.map(repo.find(id), Option.getOrThrow)
        for (const id of ["lost", "twice", "whole", "cancelled"]) yield* repo.insert(checkoutAt(id), LIMITS)
        yield* repo.cancel("cancelled", "address:x", NOW)
        for (const id of ["lost", "twice", "whole", "cancelled"]) yield* pay(id)
        yield* repo.record(transfer("twice", "twice more"), NOW, isExtra)
        const whole = yield* stands("whole")
        expect(yield* repo.paidInADay("address:x", now)).toBe(4)
        // None is open, so that one may be.
        const one = { createsPerMinute: 1_000, maxOpen: 1 }
        const mayOpen = (id: string) => Effect.map(repo.insert(checkoutAt(id), one), ({ _tag }) => _tag)
        expect(yield* lose("cancelled paid")).toBe(1)
        expect(yield* stands("cancelled")).toMatchObject({ status: "cancelled" })
        expect(yield* lose("twice paid")).toBe(1)
        expect(yield* stands("twice")).toMatchObject({
          status: "paid",
          paid: { paymentKey: "key-twice more", settlement: { transaction: "twice more" }, at: now }
        })
        expect(yield* repo.paidInADay("address:x", now)).toBe(3)
        expect(yield* mayOpen("another")).toBe("inserted")
        yield* repo.cancel("another", "address:x", NOW)
        expect(yield* lose("lost paid")).toBe(1)
        expect(yield* lose("lost paid")).toBe(0)
        expect(yield* stands("lost")).toMatchObject({ status: "open" })
        expect(yield* repo.paidInADay("address:x", now)).toBe(2)
        expect(yield* mayOpen("one too many")).toBe("limited")
        expect(yield* stands("whole")).toEqual(whole)
      })
    )
  })
})

const onPostgres = bothDatabases("losing").filter(([name]) => name === "PostgreSQL")

describe.each(onPostgres)("a loss on %s", (_name, database) => {
  layer(Layer.provideMerge(CheckoutRepoLive, database), { excludeTestServices: true, timeout: 60_000 })(
    (it) => {
      let attempts = 0
      it.effect("reopens no checkout that is being paid by another transfer at that moment", () =>
        Effect.gen(function* () {
          const repo = yield* CheckoutRepo
          const sql = yield* SqlClient.SqlClient
          // The database keeps what an earlier attempt wrote.
          const id = `checkout-${(attempts += 1)}`
          const [one, other] = [`${id}-first`, `${id}-second`]
          yield* repo.insert(checkoutAt(id), LIMITS)
          yield* repo.record(transfer(id, one), NOW, () => ({ paid: paidBy(one), messages: [] }))
          const [written, gate] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
          const second = yield* repo
            .record(transfer(id, other), NOW, isExtra)
            .pipe(
              Effect.zipRight(Deferred.succeed(written, undefined)),
              Effect.zipRight(Deferred.await(gate)),
              sql.withTransaction,
              Effect.fork
            )
          yield* Deferred.await(written)
          const loss = yield* Effect.fork(repo.lose([`claimant-${one}`], NOW + 2, lossesAt(NOW + 2)))
          yield* Effect.sleep("300 millis")
          yield* Deferred.succeed(gate, undefined)
          yield* Fiber.join(second)
          expect(yield* Fiber.join(loss)).toBe(1)
          const after = Option.getOrThrow(yield* repo.find(id))
          expect(after).toMatchObject({ status: "paid", paid: { paymentKey: `key-${other}` } })
        })
      )
    }
  )
})
