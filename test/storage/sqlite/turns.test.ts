import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber } from "effect"
import fc from "fast-check"
import { makeTurns } from "../../../src/storage/sqlite/turns.ts"

/** A connection that keeps what it was told, and fails at the statements named. */
const recorder = (failing: ReadonlySet<string> = new Set()) => {
  const said: Array<string> = []
  let isInTransaction = false
  const run = (text: string) => {
    said.push(text)
    if (failing.has(text)) {
      if (text === "COMMIT") isInTransaction = false
      throw new Error(text)
    }
    if (text === "BEGIN") isInTransaction = true
    if (text === "COMMIT" || text === "ROLLBACK") isInTransaction = false
  }
  const giveUp = () => void (isInTransaction = false)
  const setSynced = (isSynced: boolean) => {
    if (isInTransaction) throw new Error("safety level may not be changed inside a transaction")
    said.push(isSynced ? "SYNCED" : "UNSYNCED")
  }
  return { said, run, giveUp, setSynced, endOfTurn: setImmediate, isInTransaction: () => isInTransaction }
}

const commits = (said: ReadonlyArray<string>) => said.filter((text) => text === "COMMIT").length

describe("turns at the SQLite connection", () => {
  it.live("transactions that come together share a commit, and each is told after it", () =>
    Effect.gen(function* () {
      const connection = recorder()
      const turns = makeTurns(connection)
      const seen = yield* Effect.forEach(
        [1, 2, 3, 4, 5],
        (one) => Effect.map(turns.together(Effect.succeed(one)), () => commits(connection.said)),
        { concurrency: "unbounded" }
      )
      expect(seen).toEqual([1, 1, 1, 1, 1])
    })
  )

  it.live("a failed commit is told to everybody whose work was in it", () =>
    Effect.gen(function* () {
      const turns = makeTurns(recorder(new Set(["COMMIT"])))
      const exits = yield* Effect.forEach([1, 2], (one) => Effect.exit(turns.together(Effect.succeed(one))), {
        concurrency: "unbounded"
      })
      expect(exits.map(Exit.isFailure)).toEqual([true, true])
    })
  )

  it.live("a transaction that cannot be joined is not left open", () =>
    Effect.gen(function* () {
      const connection = recorder(new Set(["SAVEPOINT work"]))
      const exit = yield* Effect.exit(makeTurns(connection).together(Effect.succeed(1)))
      expect([Exit.isFailure(exit), connection.isInTransaction()]).toEqual([true, false])
    })
  )

  it.live("where SQLite gives a transaction up, no work in it is told that it succeeded", () =>
    Effect.gen(function* () {
      const connection = recorder()
      const turns = makeTurns(connection)
      const full = Effect.zipRight(Effect.sync(connection.giveUp), Effect.fail("full"))
      const exits = yield* Effect.forEach(
        [Effect.succeed(1), full, Effect.succeed(3)],
        (work) => Effect.exit(turns.together(work)),
        { concurrency: "unbounded" }
      )
      expect(exits.map(Exit.isSuccess)).toEqual([false, false, true])
    })
  )

  it.live("a database that cannot begin fails the work and keeps nobody's turn", () =>
    Effect.gen(function* () {
      const failing = new Set(["BEGIN"])
      const turns = makeTurns(recorder(failing))
      expect(Exit.isFailure(yield* Effect.exit(turns.together(Effect.void)))).toBe(true)
      failing.clear()
      yield* turns.together(Effect.void)
    })
  )

  it.live("work that need not be on disk is committed at once and alone, and what comes next is synced", () =>
    Effect.gen(function* () {
      const { said, ...connection } = recorder()
      const turns = makeTurns(connection)
      yield* turns.together(Effect.void, { isSynced: false })
      yield* turns.together(Effect.void)
      const whole = ["BEGIN", "SAVEPOINT work", "RELEASE work", "COMMIT"]
      expect(said).toEqual(["UNSYNCED", ...whole, "SYNCED", ...whole])
    })
  )

  it.live("a failed commit that was not synced leaves the connection synced", () =>
    Effect.gen(function* () {
      const { said, ...connection } = recorder(new Set(["COMMIT"]))
      yield* Effect.exit(makeTurns(connection).together(Effect.void, { isSynced: false }))
      expect(said.at(-1)).toBe("SYNCED")
    })
  )

  it.effect("what must be on disk is in no commit that is not, whoever else is in it", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(
          fc.array(fc.record({ isSynced: fc.boolean(), pauses: fc.boolean(), fails: fc.boolean() }), {
            maxLength: 8
          }),
          async (works) => {
            const { said, ...connection } = recorder()
            const turns = makeTurns(connection)
            const begin = ({ fails, isSynced, pauses }: (typeof works)[number]) => {
              const work = Effect.zipRight(
                pauses ? Effect.yieldNow() : Effect.void,
                Effect.suspend(() => {
                  if (isSynced) said.push("MONEY")
                  return fails ? Effect.fail("undone") : Effect.void
                })
              )
              return Effect.exit(turns.together(work, { isSynced }))
            }
            const exits = await Effect.runPromise(Effect.forEach(works, begin, { concurrency: "unbounded" }))
            expect(exits.map(Exit.isFailure)).toEqual(works.map(({ fails }) => fails))
            let isSynced = true
            for (const text of said) {
              if (text === "SYNCED" || text === "UNSYNCED") isSynced = text === "SYNCED"
              if (text === "MONEY") expect(isSynced).toBe(true)
            }
            expect(isSynced).toBe(true)
          }
        ),
        { numRuns: 200 }
      )
    )
  )

  it.live("whose work is cut by the end of its connection is not told that it succeeded", () =>
    Effect.gen(function* () {
      const turns = makeTurns(recorder())
      const goOn = yield* Deferred.make<void>()
      const cut = yield* Effect.fork(turns.together(Deferred.await(goOn)))
      yield* Effect.yieldNow()
      turns.end()
      yield* Deferred.succeed(goOn, undefined)
      expect(Exit.isFailure(yield* Fiber.await(cut))).toBe(true)
    })
  )
})
