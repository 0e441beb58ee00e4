/** A batch that a reorganisation puts into another block, where one of its transfers fails: the others move up. */
import type { SqlClient } from "@effect/sql"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { LedgerLive } from "../../../src/payment/ledger/ledger-live.ts"
import { Ledger } from "../../../src/payment/ledger/ledger.ts"
import type { Evidence } from "../../../src/payment/outcome.ts"
import { newClaim, settlement } from "../../support/payment/claims.ts"
import { terms } from "../../support/payment/support.ts"
import { memoryDatabase } from "../../support/storage/memory-database.ts"

const at = (blockHash: string, index: number): Evidence => ({
  network: terms.network,
  transaction: "0xbatch",
  index,
  height: 8,
  blockHash,
  payer: "payer",
  payTo: terms.payTo,
  amount: "5000"
})

/** A payment whose settlement was begun. */
const begun = Effect.gen(function* () {
  const ledger = yield* Ledger
  const claim = yield* newClaim
  yield* ledger.begin(claim, "answer")
  return claim.authorizationKey
})

const recorded = Effect.flatMap(Ledger, (ledger) => ledger.recent(terms.network, 0, 0))

const onNewLedger = <A, E>(test: Effect.Effect<A, E, Ledger | SqlClient.SqlClient>) =>
  test.pipe(Effect.provide(Layer.provideMerge(LedgerLive, memoryDatabase)))

describe("a batch that comes back from a reorganisation without its first transfer", () => {
  it.effect("pays for the second where the first was recorded; the first is looked for again", () =>
    onNewLedger(
      Effect.gen(function* () {
        const ledger = yield* Ledger
        const [first, second] = [yield* begun, yield* begun]
        expect(yield* ledger.settled(first, settlement, at("0xold", 0))).toBe("recorded")
        expect(yield* ledger.settled(second, settlement, at("0xnew", 0))).toBe("recorded")
        const rows = yield* recorded
        expect(rows.find(({ authorizationKey }) => authorizationKey === second)?.evidence).toEqual(
          at("0xnew", 0)
        )
        const gone = rows.find(({ authorizationKey }) => authorizationKey === first)?.evidence
        expect(gone).toMatchObject({ transaction: "0xbatch", height: 8 })
        expect(gone?.blockHash).toBeUndefined()
        expect(gone?.index).not.toBe(0)
        if (gone === undefined) return
        // The other fork won after all.
        expect(yield* ledger.moved(second, at("0xnew", 0), at("0xold", 2))).toBe(true)
        expect(yield* ledger.moved(first, gone, at("0xold", 0))).toBe(true)
      })
    )
  )

  it.effect("moves to where the first was recorded", () =>
    onNewLedger(
      Effect.gen(function* () {
        const ledger = yield* Ledger
        const [first, second] = [yield* begun, yield* begun]
        expect(yield* ledger.settled(first, settlement, at("0xold", 0))).toBe("recorded")
        expect(yield* ledger.settled(second, settlement, at("0xold", 2))).toBe("recorded")
        expect(yield* ledger.moved(second, at("0xold", 2), at("0xnew", 0))).toBe(true)
      })
    )
  )
})

describe("a transfer that paid", () => {
  it.effect("pays for no second payment in the same block, in a final one, or where an order has it", () =>
    onNewLedger(
      Effect.gen(function* () {
        const ledger = yield* Ledger
        const [first, second] = [yield* begun, yield* begun]
        expect(yield* ledger.settled(first, settlement, at("0xold", 0))).toBe("recorded")
        expect(yield* ledger.settled(second, settlement, at("0xold", 0))).toBe("used-elsewhere")
        yield* ledger.final([at("0xold", 0)])
        expect(yield* ledger.settled(second, settlement, at("0xnew", 0))).toBe("used-elsewhere")
        expect(yield* ledger.claimEvidence(at("0xold", 4), "checkout:1")).toBe(true)
        expect(yield* ledger.settled(second, settlement, at("0xnew", 4))).toBe("used-elsewhere")
        expect(yield* ledger.claimEvidence(at("0xnew", 0), "checkout:2")).toBe(false)
      })
    )
  )
})
