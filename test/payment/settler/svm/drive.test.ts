import { describe, expect, it } from "@effect/vitest"
import { SqlClient } from "@effect/sql"
import { Effect, TestClock } from "effect"
import { driveTransfers } from "../../../../src/payment/settler/svm/drive.ts"
import { makeSend } from "../../../../src/payment/settler/svm/send.ts"
import { makeTransfers } from "../../../../src/payment/settler/svm/transfers.ts"
import type { SignatureStatus } from "../../../../src/payment/verifier/svm/node.ts"
import { NOW } from "../../../support/now.ts"
import { memoryDatabase } from "../../../support/storage/memory-database.ts"

const UNSEEN: SignatureStatus = { state: "unseen", isFinal: false, seenAt: 1_000 }
const CONFIRMED: SignatureStatus = { state: "landed", slot: 900, isFinal: false, seenAt: 1_000 }
const FINAL: SignatureStatus = { ...CONFIRMED, isFinal: true }

/** A process that looks after transfers; what its node says of each, by id, and what it was asked and sent. */
const driving = (says: ReadonlyMap<string, SignatureStatus>) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(NOW)
    const transfers = yield* makeTransfers
    const sql = yield* SqlClient.SqlClient
    const asked: Array<number> = []
    const sent = new Set<string>()
    const send = (wire: string) => Effect.sync(() => void sent.add(wire))
    const statuses = (ids: ReadonlyArray<string>) =>
      Effect.sync(() => {
        asked.push(ids.length)
        return ids.map((id) => says.get(id) ?? UNSEEN)
      })
    const store = (id: string) => transfers.prepare(id, { id, wire: id }, 1n)
    const stateOf = (id: string) =>
      Effect.map(
        sql<{ state: string }>`SELECT state FROM settlement_transfers WHERE id = ${id}`,
        ([row]) => row?.state
      )
    const start = driveTransfers({
      node: { statuses },
      transfers,
      send: makeSend({ send }, [{ send }], transfers)
    })
    return { transfers, asked, sent, store, stateOf, start }
  })

describe("what nobody waits for", () => {
  it.scoped("is sent on while it may land, however many others have landed before it", () =>
    Effect.gen(function* () {
      const others = Array.from({ length: 600 }, (_, at) => `landed ${at}`)
      const says = new Map(others.map((id) => [id, CONFIRMED]))
      const { asked, sent, start, store, transfers } = yield* driving(says)
      yield* Effect.forEach(others, store, { discard: true })
      yield* transfers.setState(others, "included")
      yield* TestClock.adjust("1 second")
      yield* store("left by a process that died")
      yield* start
      yield* TestClock.adjust("6 seconds")
      expect([...sent]).toEqual(["left by a process that died"])
      // Those that landed a moment ago are not asked about.
      expect(new Set(asked)).toEqual(new Set([1]))
    }).pipe(Effect.provide(memoryDatabase))
  )

  it.scoped(
    "is closed when its slot is final, asked about with others, and given up when its life is over",
    () =>
      Effect.gen(function* () {
        const says = new Map([
          ["final", FINAL],
          ["confirmed", CONFIRMED]
        ])
        const { asked, start, stateOf, store, transfers } = yield* driving(says)
        yield* Effect.forEach(["final", "confirmed", "lost"], store, { discard: true })
        yield* transfers.setState(["final", "confirmed"], "included")
        yield* start
        yield* TestClock.adjust("22 seconds")
        expect(yield* Effect.forEach(["final", "confirmed", "lost"], stateOf)).toEqual([
          "final",
          "included",
          "broadcast"
        ])
        expect(Math.max(...asked)).toBe(3)
        yield* TestClock.adjust("3 minutes")
        expect(yield* Effect.forEach(["confirmed", "lost"], stateOf)).toEqual(["final", "closed"])
      }).pipe(Effect.provide(memoryDatabase))
  )
})
