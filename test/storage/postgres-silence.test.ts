/** A PostgreSQL server that is cut off without a word: nothing is refused or closed, and nothing is answered. */
import { SqlClient } from "@effect/sql"
import { describe, expect, it } from "@effect/vitest"
import { Context, Effect, Layer, Redacted } from "effect"
import { createServer, connect, type Socket } from "node:net"
import { UpstreamError } from "../../src/domain/errors.ts"
import { databaseAt } from "../../src/storage/database.ts"
import { withTimeouts } from "../../src/storage/postgres-url.ts"
import { narrowSql } from "../../src/storage/sql-errors.ts"
import { sharedPostgres } from "../support/postgres.ts"

/** A line to a server that can fall silent. */
const line = (port: number) =>
  Effect.acquireRelease(
    Effect.async<{ readonly port: number; readonly silence: () => void; readonly end: () => void }>(
      (resume) => {
        const sockets: Array<Socket> = []
        let isSilent = false
        const server = createServer((near) => {
          const far = connect(port, "127.0.0.1")
          sockets.push(near, far)
          near.on("data", (bytes) => isSilent || far.write(bytes)).on("error", () => {})
          far.on("data", (bytes) => isSilent || near.write(bytes)).on("error", () => {})
        })
        server.listen(0, "127.0.0.1", () => {
          const address = server.address()
          const end = () => {
            for (const socket of sockets) socket.destroy()
            server.close()
          }
          const own = typeof address === "object" && address !== null ? address.port : 0
          resume(Effect.succeed({ port: own, silence: () => void (isSilent = true), end }))
        })
      }
    ),
    ({ end }) => Effect.sync(end)
  )

const silent = (
  work: (sql: SqlClient.SqlClient, silence: Effect.Effect<void>) => Effect.Effect<unknown, unknown>
) =>
  Effect.gen(function* () {
    const { database } = yield* sharedPostgres
    const direct = yield* database("silence")
    const url = new URL(direct.dialect === "postgres" ? Redacted.value(direct.url) : "")
    const { port, silence } = yield* line(Number(url.port))
    url.port = String(port)
    url.searchParams.set("query_timeout", "1500")
    const at = { dialect: "postgres", url: Redacted.make(url.toString()) } as const
    const sql = Context.get(yield* Layer.build(Layer.fresh(databaseAt(at))), SqlClient.SqlClient)
    return yield* Effect.flip(work(sql, Effect.sync(silence)))
  })

const write = (sql: SqlClient.SqlClient) => sql`INSERT INTO sign_ins (nonce, used_at) VALUES ('one', 1)`

describe("a PostgreSQL server that falls silent", () => {
  it.scopedLive(
    "is an outage for whoever asks it, and holds nobody for as long as the system would wait",
    () =>
      Effect.gen(function* () {
        const error = yield* silent((sql, silence) => Effect.zipRight(silence, narrowSql(write(sql))))
        expect(error).toBeInstanceOf(UpstreamError)
      })
  )

  it.scopedLive("in the middle of a transaction is one too", () =>
    Effect.gen(function* () {
      const error = yield* silent((sql, silence) =>
        narrowSql(sql.withTransaction(Effect.zipRight(write(sql), silence)))
      )
      expect(error).toBeInstanceOf(UpstreamError)
    })
  )
})

describe("the URL of a PostgreSQL server", () => {
  const silenceOf = (text: string) => new URL(withTimeouts(text)).searchParams.get("query_timeout")

  it("says for how long an answer is waited for, longer than the server lets a statement run", () => {
    const url = new URL(withTimeouts("postgres://u:p@db/one"))
    expect(Number(url.searchParams.get("query_timeout"))).toBeGreaterThan(10_000)
    expect(url.searchParams.get("options")).toContain("-c statement_timeout=10000")
  })

  it("is left to whoever says it himself, or lets statements run longer", () => {
    expect(silenceOf("postgres://u:p@db/one?query_timeout=60000")).toBe("60000")
    expect(silenceOf("postgres://u:p@db/one?options=-c%20statement_timeout%3D0")).toBeNull()
  })
})
