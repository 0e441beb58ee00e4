import * as Reactivity from "@effect/experimental/Reactivity"
import { SqlClient, type SqlConnection, Statement } from "@effect/sql"
import { SqlError } from "@effect/sql/SqlError"
import Sqlite from "better-sqlite3"
import { Context, Effect, Either, FiberRef, Layer, Option, Stream } from "effect"
import { isSynced } from "../unsynced.ts"
import { makeLogSync, openLog } from "./log-sync.ts"
import { makeTurns, type Transactional, type Turns } from "./turns.ts"

/** Prepared statements that are kept; lists of values make many of them. */
const MOST_PREPARED = 500

type Rows = ReadonlyArray<unknown>
type Ran = Either.Either<Rows, SqlError>

const makeRunner = (db: Sqlite.Database) => {
  const prepared = new Map<string, Sqlite.Statement>()
  const prepare = (text: string): Sqlite.Statement => {
    const known = prepared.get(text)
    if (known !== undefined) return known
    const made = db.prepare(text)
    if (prepared.size >= MOST_PREPARED) prepared.clear()
    prepared.set(text, made)
    return made
  }
  const attempt = <A>(run: () => A): Either.Either<A, SqlError> =>
    Either.try({
      try: run,
      catch: (cause) => new SqlError({ cause, message: "Failed to execute statement" })
    })

  const runStatement = (statement: Sqlite.Statement, params: Rows): Rows => {
    if (statement.reader) return statement.all(...params)
    statement.run(...params)
    return []
  }

  return {
    run: (text: string, params: Rows): Ran => attempt(() => runStatement(prepare(text), params)),
    runOnce: (text: string, params: Rows): Ran => attempt(() => runStatement(db.prepare(text), params)),
    runRaw: (text: string, params: Rows) =>
      attempt(() => {
        const statement = prepare(text)
        return statement.reader ? statement.all(...params) : statement.run(...params)
      }),
    values: (text: string, params: Rows) =>
      attempt(() => {
        const statement = prepare(text)
        if (!statement.reader) return runStatement(statement, params).map(() => [])
        try {
          return statement
            .raw(true)
            .all(...params)
            .map((row): Rows => (Array.isArray(row) ? row : []))
        } finally {
          statement.raw(false)
        }
      })
  }
}

type Runner = ReturnType<typeof makeRunner>

/** The connection as the library's own parts use it: migrations, nested transactions. */
const connectionOf = ({ run, runOnce, runRaw, values }: Runner): SqlConnection.Connection => {
  const transformed = (
    rows: Ran,
    transform: (<A extends object>(rows: ReadonlyArray<A>) => ReadonlyArray<A>) | undefined
  ) => (transform === undefined ? rows : Either.map(rows, (all) => transform(all.filter(isRow))))
  return {
    execute: (text, params, transform) => Effect.suspend(() => transformed(run(text, params), transform)),
    executeUnprepared: (text, params, transform) =>
      Effect.suspend(() => transformed(runOnce(text, params), transform)),
    executeRaw: (text, params) => Effect.suspend(() => runRaw(text, params)),
    executeValues: (text, params) => Effect.suspend(() => values(text, params)),
    executeStream: () => Stream.dieMessage("SQLite gives no streams here")
  }
}

const isStatement = (made: unknown): made is Statement.Statement<unknown> =>
  Effect.isEffect(made) && Statement.isFragment(made)

const isRow = (value: unknown): value is object => typeof value === "object" && value !== null

/** A statement that writes is a transaction of its own, and shares its commit with others. */
const WRITES = /^\s*(?:INSERT|UPDATE|DELETE)\b/i

/**
 * Statements that run without the library's detour: no span, no scope and no cache in between, because every sale runs
 * about twenty of them. What they return and how they fail is the same.
 */
const makeQuick = (runner: Runner, turns: Turns) => {
  const execute = (statement: Statement.Statement<unknown>): Effect.Effect<Rows, SqlError> =>
    Effect.withFiberRuntime((fiber) => {
      const [text, params] = statement.compile()
      if (Option.isSome(Context.getOption(fiber.currentContext, SqlClient.TransactionConnection)))
        return runner.run(text, params)
      const run = Effect.suspend(() => runner.run(text, params))
      return WRITES.test(text) ? turns.together(run) : turns.alone(run)
    })

  return <A>(statement: Statement.Statement<A>): Statement.Statement<A> =>
    Object.assign(statement, { commit: () => execute(statement) })
}

/** What a connection stands on beside its file; tests bring their own. */
interface Surroundings {
  readonly endOfTurn?: Transactional["endOfTurn"]
  readonly logOf?: typeof openLog
}

const make = Effect.fnUntraced(function* (
  open: () => Sqlite.Database,
  { endOfTurn = setImmediate, logOf = openLog }: Surroundings
) {
  const db = yield* Effect.acquireRelease(Effect.sync(open), (opened) => Effect.sync(() => opened.close()))
  db.pragma("journal_mode = WAL")
  const syncLog = db.memory ? () => {} : yield* makeLogSync(logOf(db.name))
  const runner = makeRunner(db)
  const connection = connectionOf(runner)
  const turns = makeTurns({
    endOfTurn,
    isInTransaction: () => db.inTransaction,
    // Read as it is prepared, so it cannot be kept. SQLite refuses it inside a transaction.
    setSynced: (isSynced) => {
      db.pragma(`synchronous = ${isSynced ? "FULL" : "NORMAL"}`)
      if (isSynced) syncLog()
    },
    run: (text) => void Either.getOrThrowWith(runner.run(text, []), ({ cause }) => cause)
  })
  yield* Effect.addFinalizer(() => Effect.sync(turns.end))
  const acquirer = Effect.as(
    Effect.acquireRelease(turns.enterAlone, () => Effect.sync(turns.leave)),
    connection
  )
  const client = yield* SqlClient.make({
    acquirer,
    compiler: Statement.makeCompilerSqlite(),
    transactionAcquirer: acquirer,
    spanAttributes: [["db.system.name", "sqlite"]]
  })
  const quick = makeQuick(runner, turns)
  const { unsafe, withTransaction: nested } = client

  /**
   * A transaction inside another one is the library's: a savepoint on the same connection. The service is set and taken
   * back by hand: `provideService` takes fifteen steps for it.
   */
  const withTransaction = <R, E, A>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError, R> =>
    Effect.withFiberRuntime((fiber) => {
      const around = fiber.currentContext
      if (Option.isSome(Context.getOption(around, SqlClient.TransactionConnection))) return nested(work)
      const inside = Context.add(around, SqlClient.TransactionConnection, [connection, 0])
      return turns.together(Effect.zipRight(FiberRef.set(FiberRef.currentContext, inside), work), {
        after: FiberRef.set(FiberRef.currentContext, around),
        isSynced: fiber.getFiberRef(isSynced)
      })
    })

  Object.assign(client, {
    withTransaction,
    unsafe: (text: string, params?: Rows) => quick(unsafe(text, params))
  })
  return new Proxy(client, {
    apply: (target, self, args) => {
      const made: unknown = Reflect.apply(target, self, args)
      return isStatement(made) ? quick(made) : made
    }
  })
})

/** The service's `SqlClient` over a connection of its own, which is closed with the layer. */
export const sqliteClientOver = (
  open: () => Sqlite.Database,
  surroundings: Surroundings = {}
): Layer.Layer<SqlClient.SqlClient> =>
  Layer.scoped(SqlClient.SqlClient, make(open, surroundings)).pipe(Layer.provide(Reactivity.layer))

/**
 * A SQLite file (or `:memory:`) as the service's `SqlClient`. Transactions share commits: see `makeTurns`. Closing it
 * commits what is open.
 */
export const sqliteClient = (path: string): Layer.Layer<SqlClient.SqlClient> =>
  sqliteClientOver(() => new Sqlite(path))
