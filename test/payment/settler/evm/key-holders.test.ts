import { SqlClient } from "@effect/sql"
import { describe, expect, layer } from "@effect/vitest"
import { Context, Effect, Layer, Option } from "effect"
import { SettlementJournalLive } from "../../../../src/payment/settler/evm/journal-live.ts"
import { type Address, SettlementJournal } from "../../../../src/payment/settler/evm/journal.ts"
import { longLease } from "../../../support/payment/long-lease.ts"
import { attemptOf, HASH, hashOf, KEY, preparation } from "../../../support/payment/jobs.ts"
import { bothDatabases } from "../../../support/postgres.ts"
import { emptied } from "../../../support/storage/tables.ts"

const OTHER: Address = `0x${"c3".repeat(20)}`

/** A transaction of a key with one payment, and of one name with it. */
const named = (address: Address, nonce: number, name: string) =>
  preparation(address, nonce, [name], hashOf(name))

/** The journal of another process. */
const another = Effect.map(Layer.build(Layer.fresh(SettlementJournalLive)), Context.get(SettlementJournal))

const stored = { state: "stored" }
const superseded = { state: "superseded" }

describe.each(bothDatabases("holders"))("a settling key on %s", (_name, database) => {
  const journal = SettlementJournalLive.pipe(Layer.provideMerge(database), Layer.provideMerge(longLease))

  layer(journal, { timeout: 120_000 })((it) => {
    it.scoped("signs nothing new for whoever does not hold it any more, and each nonce once", () =>
      Effect.gen(function* () {
        yield* emptied
        const ours = yield* SettlementJournal
        const theirs = yield* another
        const replacement = { address: KEY, nonce: 0, attempt: attemptOf(hashOf("dearer")), mostFee: 0n }
        yield* ours.hold(KEY)
        yield* ours.adoptNonce(KEY, 0)
        expect(yield* ours.prepare(named(KEY, 0, "first"))).toEqual(stored)
        expect(yield* ours.prepare(named(KEY, 0, "same nonce"))).toEqual(superseded)
        expect(yield* ours.prepare(named(KEY, 7, "far ahead"))).toEqual(superseded)
        expect(yield* theirs.hold(KEY)).toBe(false)
        expect(yield* theirs.prepare(named(KEY, 1, "stranger"))).toEqual(superseded)
        expect(yield* theirs.replace(replacement)).toEqual(superseded)
        yield* theirs.release(KEY)
        expect(yield* theirs.hold(KEY)).toBe(false)
        yield* theirs.adoptNonce(KEY, 9)
        expect(yield* ours.nextNonce(KEY)).toBe(1)
        yield* ours.release(KEY)
        // It is nobody's now.
        expect(yield* ours.prepare(named(KEY, 1, "too late"))).toEqual(superseded)
        expect(yield* ours.replace(replacement)).toEqual(superseded)
        expect(yield* theirs.hold(KEY)).toBe(true)
        expect(yield* ours.prepare(named(KEY, 1, "too late"))).toEqual(superseded)
        expect(yield* ours.replace(replacement)).toEqual(superseded)
        expect(yield* theirs.prepare(named(KEY, 1, "second"))).toEqual(stored)
        expect(yield* theirs.replace(replacement)).toEqual(stored)
        const slots = yield* theirs.slots(KEY, 0)
        expect(slots.map(({ attempts, nonce }) => [nonce, attempts.map(({ hash }) => hash)])).toEqual([
          [0, [hashOf("first"), hashOf("dearer")]],
          [1, [hashOf("second")]]
        ])
      })
    )

    it.effect("has no part in what another one does at the same nonce", () =>
      Effect.gen(function* () {
        yield* emptied
        const journal = yield* SettlementJournal
        for (const [address, name] of [
          [KEY, "ours"],
          [OTHER, "theirs"]
        ] as const) {
          yield* journal.hold(address)
          yield* journal.adoptNonce(address, 4)
          yield* journal.prepare(named(address, 4, name))
          yield* journal.prepare(named(address, 5, `${name} next`))
        }
        const seen = (address: Address) =>
          Effect.map(journal.slots(address, 0), (slots) =>
            slots.map(({ attempts, inclusion, jobs, nonce, state }) => ({
              nonce,
              state,
              names: jobs.map(({ authorizationKey }) => authorizationKey),
              hashes: attempts.map(({ hash }) => hash),
              height: inclusion?.height
            }))
          )
        const theirs = yield* seen(OTHER)
        const next = { nonce: 5, state: "prepared", names: ["ours next"], hashes: [hashOf("ours next")] }
        const place = { address: KEY, nonce: 4, hash: hashOf("cancel"), height: 9, blockHash: HASH }
        yield* journal.replace({
          address: KEY,
          nonce: 4,
          attempt: attemptOf(hashOf("cancel"), "cancel"),
          mostFee: 0n
        })
        yield* journal.sent(KEY, 4, hashOf("cancel"))
        const hashes = [hashOf("ours"), hashOf("cancel")]
        expect(yield* seen(KEY)).toMatchObject([{ state: "broadcast", names: ["ours"], hashes }, next])
        yield* journal.include({ ...place, feeMicros: 1n, isFinal: false, results: [] })
        expect(yield* seen(KEY)).toMatchObject([{ state: "included", height: 9 }, next])
        expect((yield* journal.closable(KEY, 9)).map(({ nonce }) => nonce)).toEqual([4])
        expect(yield* journal.closable(OTHER, 9)).toEqual([])
        yield* journal.reopen(KEY, 4)
        expect(yield* seen(KEY)).toMatchObject([{ state: "broadcast", height: undefined }, next])
        yield* journal.abandon(KEY, 4)
        expect(yield* seen(KEY)).toMatchObject([next])
        expect((yield* journal.waiting(undefined)).jobs).toMatchObject([{ authorizationKey: "ours" }])
        expect(yield* seen(OTHER)).toEqual(theirs)
      })
    )

    it.effect("takes a nonce for the second time only where it was given up, or its chain was set back", () =>
      Effect.gen(function* () {
        yield* emptied
        const journal = yield* SettlementJournal
        const sql = yield* SqlClient.SqlClient
        const names = ["given up", "final", "open"]
        yield* journal.hold(KEY)
        yield* journal.adoptNonce(KEY, 0)
        for (const [nonce, name] of names.entries()) yield* journal.prepare(named(KEY, nonce, name))
        yield* journal.abandon(KEY, 0)
        const place = { address: KEY, nonce: 1, hash: hashOf("final"), height: 9, blockHash: HASH }
        yield* journal.include({ ...place, feeMicros: 1n, isFinal: true, results: [] })
        const states = Effect.map(
          sql<{ state: string }>`SELECT state FROM settlement_transactions ORDER BY nonce`,
          (rows) => rows.map(({ state }) => state)
        )
        const again = (nonce: number) =>
          Effect.zipRight(
            journal.adoptNonce(KEY, nonce),
            journal.prepare(named(KEY, nonce, `again ${nonce}`))
          )
        expect(yield* again(2)).toEqual(superseded)
        expect(yield* states).toEqual(["foreign", "final", "prepared"])
        expect(yield* again(0)).toEqual(stored)
        expect(yield* states).toEqual(["prepared", "final", "prepared"])
        expect(yield* again(1)).toEqual(stored)
        expect(yield* states).toEqual(["prepared", "prepared", "prepared"])
        expect(Option.isNone(yield* journal.find("again 2"))).toBe(true)
      })
    )
  })
})
