/** A PostgreSQL server for tests, its binaries from npm, in a temporary directory, ended by its scope. */
import { PgClient } from "@effect/sql-pg"
import { SqlClient } from "@effect/sql"
import { Effect, Layer, Redacted, Schedule, Scope } from "effect"
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { chownSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { databaseAt } from "../../src/storage/database.ts"
import type { DatabaseUrl } from "../../src/storage/database-url.ts"
import { freePort } from "../../scripts/sandbox/service.ts"
import { type Account, type Place, findPlace, serverAccount } from "./postgres-place.ts"

const START_TIMEOUT = "60 seconds"

/** A test database loses nothing worth keeping in a power failure. */
const FLAGS = ["listen_addresses=127.0.0.1", "unix_socket_directories=", "fsync=off", "full_page_writes=off"]

const ENV = { PATH: process.env["PATH"], LC_ALL: "C" }

const failure = (what: string, output: string) =>
  new Error(`the test PostgreSQL ${what}: ${output.trim().slice(-600) || "no output"}`)

/** Makes the cluster; its superuser is `postgres` with the password `test`. */
const initialise = ({ initdb, directory }: Place, account: Account): Effect.Effect<string, Error> =>
  Effect.try({
    try: () => {
      const data = join(directory, "data")
      const password = join(directory, "password")
      mkdirSync(data, { mode: 0o700 })
      writeFileSync(password, "test\n", { mode: 0o600 })
      if (account.uid !== undefined && account.gid !== undefined) {
        chownSync(data, account.uid, account.gid)
        chownSync(password, account.uid, account.gid)
      }
      const { status, stderr, error } = spawnSync(
        initdb,
        [
          `--pgdata=${data}`,
          "--auth=password",
          "--username=postgres",
          `--pwfile=${password}`,
          "--encoding=UTF8",
          "--locale=C",
          "--no-sync"
        ],
        { ...account, cwd: directory, env: ENV, encoding: "utf8", timeout: 60_000 }
      )
      if (status !== 0) throw failure("could not be initialised", error?.message ?? stderr)
      return data
    },
    catch: (cause) => (cause instanceof Error ? cause : new Error(String(cause)))
  })

const stop = (server: ChildProcess) =>
  Effect.async<void>((resume) => {
    if (server.exitCode !== null || server.signalCode !== null) return resume(Effect.void)
    server.once("exit", () => resume(Effect.void))
    // "Immediate" in PostgreSQL's words: its directory is deleted next.
    server.kill("SIGQUIT")
  })

/** A running server. Fails as soon as the process ends, with what it said; never waits for one that is dead. */
const launch = (place: Place, account: Account, data: string) =>
  Effect.gen(function* () {
    const port = yield* freePort
    const flags = [...FLAGS, `port=${port}`].flatMap((flag) => ["-c", flag])
    const server = yield* Effect.acquireRelease(
      Effect.sync(() =>
        spawn(place.postgres, ["-D", data, ...flags], {
          ...account,
          cwd: place.directory,
          env: ENV,
          stdio: ["ignore", "ignore", "pipe"]
        })
      ),
      stop
    )
    const killIt = () => void server.kill("SIGQUIT")
    yield* Effect.acquireRelease(
      Effect.sync(() => process.once("exit", killIt)),
      () => Effect.sync(() => process.off("exit", killIt))
    )
    yield* Effect.async<void, Error>((resume) => {
      let said = ""
      server.stderr.on("data", (chunk: Buffer) => {
        said += chunk.toString("utf8")
        if (said.includes("ready to accept connections")) resume(Effect.void)
      })
      server.once("error", (error) => resume(Effect.fail(failure("could not be started", error.message))))
      // Not "exit": what it has said may come after that.
      server.once("close", () => resume(Effect.fail(failure("ended at once", said))))
    }).pipe(
      Effect.timeoutFail({
        duration: START_TIMEOUT,
        onTimeout: () => failure("was not ready in time", "")
      })
    )
    return port
  })

const urlOf = (port: number, name: string) =>
  Redacted.make(`postgres://postgres:test@127.0.0.1:${port}/${name}`)

export interface Postgres {
  /** A new, empty database, whose name begins with this one. */
  readonly database: (name: string) => Effect.Effect<DatabaseUrl>
}

/** Where the server stands; removed with the scope, and with a process that ends before. */
const temporaryPlace = (account: Account) =>
  Effect.acquireRelease(
    Effect.map(findPlace(account), (place) => {
      // A worker that is told to end has a second, and thousands of files take longer; the server's end takes less.
      const removeLater = () =>
        spawn("/bin/sh", ["-c", 'sleep 1; rm -rf "$1"', "sh", place.directory], {
          cwd: "/",
          detached: true,
          stdio: "ignore"
        }).unref()
      process.once("exit", removeLater)
      return { place, removeLater }
    }),
    ({ place, removeLater }) =>
      Effect.sync(() => {
        process.off("exit", removeLater)
        rmSync(place.directory, { recursive: true, force: true })
      })
  )

let databases = 0

/** Starts a server and gives a way to make empty databases on it. */
export const startPostgres: Effect.Effect<Postgres, never, Scope.Scope> = Effect.gen(function* () {
  const account = yield* serverAccount
  const { place } = yield* temporaryPlace(account)
  const data = yield* initialise(place, account)
  // Another process may take the port between its choice and its use.
  const port = yield* launch(place, account, data).pipe(Effect.retry(Schedule.recurs(2)))
  return {
    database: (prefix: string) =>
      Effect.gen(function* () {
        const name = `${prefix}_${(databases += 1)}`
        const sql = yield* SqlClient.SqlClient
        yield* sql.unsafe(`CREATE DATABASE "${name}"`)
        return { dialect: "postgres", url: urlOf(port, name) } as const
      }).pipe(
        Effect.provide(PgClient.layer({ url: urlOf(port, "postgres"), maxConnections: 1 })),
        Effect.orDie
      )
  }
}).pipe(Effect.orDie)

let shared: Promise<Postgres> | undefined

/** The server of all files of a worker, with which it ends: a start costs more than most tests on it. */
export const sharedPostgres: Effect.Effect<Postgres> = Effect.promise(() => {
  if (shared !== undefined) return shared
  // Vitest ends a worker by this signal, and only an exit that is called runs what ends our processes.
  process.once("SIGTERM", () => process.exit())
  shared = Effect.runPromise(Scope.extend(startPostgres, Effect.runSync(Scope.make())))
  return shared
})

/** Databases of both dialects, with the names of the dialects, for `describe.each`. */
export const bothDatabases = (name: string) =>
  [
    ["SQLite", databaseAt({ dialect: "sqlite", path: ":memory:" })],
    [
      "PostgreSQL",
      Layer.unwrapEffect(
        Effect.map(
          Effect.flatMap(sharedPostgres, ({ database }) => database(name)),
          databaseAt
        )
      )
    ]
  ] as const
