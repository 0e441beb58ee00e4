/** What a process wrote whose clock ran ahead, for the one that comes after it when the clock is right again. */
import { expect, it } from "@effect/vitest"
import { Context, Effect, Layer, Option, TestClock } from "effect"
import { LedgerLive } from "../../../src/payment/ledger/ledger-live.ts"
import { Ledger } from "../../../src/payment/ledger/ledger.ts"
import { SettlementJournalLive } from "../../../src/payment/settler/evm/journal-live.ts"
import { SettlementJournal } from "../../../src/payment/settler/evm/journal.ts"
import { memoryDatabase } from "../../support/storage/memory-database.ts"
import { newClaim } from "../../support/payment/claims.ts"
import { START } from "../../support/payment/support.ts"

const HOUR = 3_600_000

const process = Layer.build(Layer.fresh(Layer.merge(LedgerLive, SettlementJournalLive)))

it.scoped("what it held is free: no lease ends later than one that begins now", () =>
  Effect.gen(function* () {
    const [early, late] = [yield* process, yield* process]
    const [a, b] = [Context.get(early, Ledger), Context.get(late, Ledger)]
    const [claimed, open, refused] = [yield* newClaim, yield* newClaim, yield* newClaim]
    yield* TestClock.setTime(START + HOUR)
    const named = { ...claimed, identifier: "an-id-of-the-payer" }
    expect(yield* a.claim(named)).toBe(true)
    expect(yield* a.begin(open, "answer")).toBe(true)
    expect(yield* a.begin(refused, "answer")).toBe(true)
    const seen = { node: "n", height: 9 }
    const proof = { kind: "transaction-failed", transaction: "0x1", seen } as const
    expect(yield* a.refused(refused.authorizationKey, "failed", proof, false)).toBe(true)
    expect(yield* Context.get(early, SettlementJournal).hold("0xaa")).toBe(true)

    yield* TestClock.setTime(START)
    expect(new Set(yield* b.abandoned)).toEqual(new Set([open.authorizationKey, refused.authorizationKey]))
    expect(yield* b.takeOver(open.authorizationKey)).toBe(true)
    expect(Option.getOrThrow(yield* b.find(named.authorizationKey))).toMatchObject({ lapsed: true })
    expect(yield* b.named(named.payer, named.identifier)).toEqual(Option.none())
    expect(yield* b.claim(named)).toBe(true)
    expect(yield* Context.get(late, SettlementJournal).hold("0xaa")).toBe(true)
  }).pipe(Effect.provide(memoryDatabase))
)

it.scoped("what it holds by a right clock is its own for as long as ever", () =>
  Effect.gen(function* () {
    const [early, late] = [yield* process, yield* process]
    const [a, b] = [Context.get(early, Ledger), Context.get(late, Ledger)]
    const [open, refused] = [yield* newClaim, yield* newClaim]
    yield* TestClock.setTime(START)
    expect(yield* a.begin(open, "answer")).toBe(true)
    expect(yield* a.begin(refused, "answer")).toBe(true)
    const proof = { kind: "absent", seen: { node: "n", height: 9 } } as const
    expect(yield* a.refused(refused.authorizationKey, "absent", proof, false)).toBe(true)
    expect(yield* Context.get(early, SettlementJournal).hold("0xaa")).toBe(true)
    expect(yield* b.abandoned).toEqual([])
    expect(yield* b.takeOver(open.authorizationKey)).toBe(false)
    expect(yield* Context.get(late, SettlementJournal).hold("0xaa")).toBe(false)
    yield* TestClock.adjust("59 seconds")
    expect(yield* b.abandoned).toEqual([open.authorizationKey])
  }).pipe(Effect.provide(memoryDatabase))
)
