/** Free calls counted by a database that refuses a statement, or does it and says that it did not. */
import { expect, it } from "@effect/vitest"
import { Context, Effect, Exit, Layer, Option } from "effect"
import { FreeTierStoreLive } from "../../src/free-tier/free-tier-store-live.ts"
import { FreeTierStore } from "../../src/free-tier/free-tier-store.ts"
import { failing, type Fault } from "../support/storage/failing-database.ts"
import { migratedFile } from "../support/storage/memory-database.ts"

const AGENT = { clientId: "agent", ip: "10.0.0.1" }

const reservedOver = (fault: Fault) =>
  Effect.gen(function* () {
    const { database, mend, statements, watch } = failing(yield* migratedFile, fault)
    return yield* Effect.gen(function* () {
      const { reserve } = Context.get(yield* Layer.build(Layer.fresh(FreeTierStoreLive)), FreeTierStore)
      watch()
      const first = yield* Effect.exit(reserve(AGENT))
      mend()
      let granted = 0
      while (Option.isSome(yield* reserve(AGENT))) granted += 1
      return { granted: granted + (Exit.isSuccess(first) ? 1 : 0), statements: statements() }
    }).pipe(Effect.provide(database), Effect.scoped)
  })

it.effect("a call whose count failed at any statement, done or not, is none of its caller's three", () =>
  Effect.gen(function* () {
    const { statements } = yield* reservedOver({ from: Infinity, many: 0, isDone: false })
    expect(statements).toBeGreaterThan(0)
    for (let from = 0; from < statements; from++)
      for (const isDone of [true, false]) {
        const where = `statement ${from} of ${statements}, done all the same: ${isDone}`
        const { granted } = yield* reservedOver({ from, many: 1, isDone })
        expect({ where, granted }).toEqual({ where, granted: 3 })
      }
  })
)
