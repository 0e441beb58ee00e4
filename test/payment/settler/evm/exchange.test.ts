import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer, TestClock } from "effect"
import { makeExchange } from "../../../../src/payment/settler/evm/exchange.ts"
import { SettlementJournalLive } from "../../../../src/payment/settler/evm/journal-live.ts"
import { SettlementJournal } from "../../../../src/payment/settler/evm/journal.ts"
import type { JobQueue } from "../../../../src/payment/settler/evm/pump.ts"
import { makeWaiters } from "../../../../src/payment/settler/evm/waiters.ts"
import { jobOf } from "../../../support/payment/jobs.ts"
import { memoryDatabase } from "../../../support/storage/memory-database.ts"

const LOOKS = 3

describe("payments that other processes hand over", () => {
  it.effect("are all seen by whoever holds a key, however many of them wait already", () =>
    Effect.gen(function* () {
      const journal = yield* SettlementJournal
      const queue: JobQueue = new Map()
      const held = { isAnyHeld: Effect.succeed(true), wakeAll: Effect.void }
      const { exchange } = makeExchange({ queue, journal, waiters: makeWaiters(), held })
      const handedOver = Array.from({ length: 450 }, (_, at) => `payment ${at}`)
      for (const key of handedOver) {
        yield* journal.offer(jobOf(key))
        yield* TestClock.adjust("1 millis")
      }
      for (let looks = 0; looks < LOOKS; looks++) yield* exchange
      expect([...queue.keys()]).toEqual(handedOver)
      // And those that came back to wait among the older ones.
      queue.delete("payment 7")
      for (let looks = 0; looks < LOOKS; looks++) yield* exchange
      expect(queue.has("payment 7")).toBe(true)
    }).pipe(Effect.provide(Layer.provideMerge(SettlementJournalLive, memoryDatabase)))
  )
})
