import { describe, expect, layer } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import type { Listing } from "../../src/checkout/checkout-repo.ts"
import { CheckoutRepo } from "../../src/checkout/checkout-repo.ts"
import { CheckoutRepoLive } from "../../src/checkout/checkout-repo-live.ts"
import { BASE_NETWORK } from "../../src/domain/chain.ts"
import { checkoutAt as checkout, HOUR, LIMITS, NOW } from "../support/checkout/rows.ts"
import { bothDatabases } from "../support/postgres.ts"
import { emptied } from "../support/storage/tables.ts"

describe.each(bothDatabases("checkout_names"))("checkouts on %s", (_name, database) => {
  layer(Layer.provideMerge(CheckoutRepoLive, database), { excludeTestServices: true, timeout: 120_000 })(
    (it) => {
      it.effect(
        "keep the amount that names them for thirty days, however soon ended ones are forgotten",
        () =>
          Effect.gen(function* () {
            yield* emptied
            const repo = yield* CheckoutRepo
            const day = 24 * HOUR
            const reference = `${BASE_NETWORK}:0xshop:1000007`
            const plain = (id: string, createdAt: number) => ({
              ...checkout(id),
              merchant: `${BASE_NETWORK}:0xshop`,
              references: [reference],
              createdAt,
              expiresAt: createdAt + HOUR
            })
            yield* repo.insert(plain("plain", NOW), LIMITS)
            yield* repo.cancel("plain", "address:x", NOW)
            yield* repo.purge(NOW + day, NOW + 2 * day)
            expect(yield* repo.insert(plain("next", NOW + 2 * day), LIMITS)).toEqual({ _tag: "taken" })
            yield* repo.purge(NOW + 31 * day, NOW + 32 * day)
            expect(Option.isNone(yield* repo.find("plain"))).toBe(true)
            expect(yield* repo.insert(plain("next", NOW + 32 * day), LIMITS)).toEqual({ _tag: "inserted" })
          })
      )

      it.effect("share nothing that leads to them, until the earlier one has ended long ago", () =>
        Effect.gen(function* () {
          yield* emptied
          const repo = yield* CheckoutRepo
          const named = (id: string, createdAt = NOW) => ({
            ...checkout(id),
            caller: "merchant:amounts",
            merchant: `${BASE_NETWORK}:0xshop`,
            references: ["the amount"],
            createdAt,
            expiresAt: createdAt + HOUR
          })
          expect(yield* repo.insert(named("n1"), LIMITS)).toEqual({ _tag: "inserted" })
          expect(yield* repo.insert(named("n2"), LIMITS)).toEqual({ _tag: "taken" })
          expect(Option.isNone(yield* repo.find("n2"))).toBe(true)
          yield* repo.cancel("n1", "merchant:amounts", NOW)
          const tooSoon = NOW + 29 * 24 * HOUR
          expect(yield* repo.insert(named("n3", tooSoon), LIMITS)).toEqual({ _tag: "taken" })
          const races = yield* Effect.forEach(
            ["n4", "n5", "n6"],
            (id) => repo.insert(named(id, NOW + 32 * 24 * HOUR), LIMITS),
            { concurrency: "unbounded" }
          )
          expect(races.map(({ _tag }) => _tag).toSorted()).toEqual(["inserted", "taken", "taken"])
        })
      )

      it.effect("are listed newest first, by caller, status and memo as it is written", () =>
        Effect.gen(function* () {
          yield* emptied
          const repo = yield* CheckoutRepo
          const mine = (id: string, createdAt: number, memo: string) => {
            const base = checkout(id)
            return { ...base, caller: "merchant:m", createdAt, terms: { ...base.terms, memo } }
          }
          yield* repo.insert(mine("m1", NOW, "100% cotton"), LIMITS)
          yield* repo.insert(mine("m2", NOW + 1, 'say "hi"_'), LIMITS)
          yield* repo.insert(mine("m3", NOW + 2, "plain \\ \u{1f984}!"), LIMITS)
          const ids = (listing: Partial<Listing>) =>
            Effect.map(
              repo.list({
                caller: "merchant:m",
                status: null,
                memo: null,
                before: null,
                limit: 10,
                ...listing
              }),
              (found) => found.map(({ id }) => id)
            )
          expect(yield* ids({})).toEqual(["m3", "m2", "m1"])
          expect(yield* ids({ before: { createdAt: NOW + 2, id: "m3" }, limit: 1 })).toEqual(["m2"])
          expect(yield* ids({ memo: "%" })).toEqual(["m1"])
          expect(yield* ids({ memo: '"hi"_' })).toEqual(["m2"])
          expect(yield* ids({ memo: "\\ \u{1f984}!" })).toEqual(["m3"])
          // What stands in the terms beside the memo is no part of it.
          for (const beside of ["m1", "checkoutId", "2027-", "https://", '","'])
            expect(yield* ids({ memo: beside })).toEqual([])
          expect(yield* ids({ caller: "merchant:other" })).toEqual([])
          expect(yield* repo.cancel("m1", "merchant:other", NOW)).toBe(false)
          expect(yield* repo.cancel("m1", "merchant:m", NOW)).toBe(true)
          expect(yield* repo.cancel("m1", "merchant:m", NOW)).toBe(false)
          expect(yield* ids({ status: "cancelled" })).toEqual(["m1"])
        })
      )
    }
  )
})
