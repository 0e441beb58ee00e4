import { SqlClient } from "@effect/sql"
import { Clock, Context, Duration, Effect, Layer, Option, Schema } from "effect"
import { retained } from "../../../storage/retention.ts"
import { narrowSql } from "../../../storage/sql-errors.ts"
import type { CodeFindings } from "../power/findings.ts"
import { CodeFindingsSchema } from "./findings-schema.ts"
import { engineVersion } from "./thread-file.ts"

/** Rows kept at most, and how long after they were last written: the working set of a busy service. */
const MAX_ROWS = 20_000
const RETENTION = Duration.toMillis("30 days")
const PURGE_INTERVAL = "1 hour"
/** A page of findings is some kilobytes; what is much larger is an attacker's and stays in memory only. */
const MAX_CHARACTERS = 200_000

/** Findings of this engine by code hash (SHA-256 of the code's hex text), so that a restart begins warm. */
export class FindingsStore extends Context.Tag("token-risk/FindingsStore")<
  FindingsStore,
  {
    /** `undefined` where there are none of this engine, or the database does not answer: an aid, not a condition. */
    readonly find: (hash: string) => Effect.Effect<CodeFindings | undefined>
    readonly keep: (hash: string, findings: CodeFindings) => Effect.Effect<void>
  }
>() {}

const Stored = Schema.parseJson(CodeFindingsSchema)
const decode = Schema.decodeUnknownOption(Stored)
const encode = Schema.encodeSync(Stored)

/** The store of one engine. Rows of other engines are not looked at, and go when their time has come. */
export const makeFindingsStore = Effect.fnUntraced(function* (engine: string) {
  const sql = yield* SqlClient.SqlClient
  const find = (hash: string) =>
    narrowSql(
      sql<{
        findings: string
      }>`SELECT findings FROM code_findings WHERE code_hash = ${hash} AND engine = ${engine}`
    ).pipe(
      Effect.map(([row]) => Option.getOrUndefined(decode(row?.findings))),
      Effect.catchAll(() => Effect.succeed(undefined))
    )
  const keep = (hash: string, findings: CodeFindings) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const text = encode(findings)
      if (text.length > MAX_CHARACTERS) return Effect.void
      const write = sql`INSERT INTO code_findings (code_hash, engine, findings, written_at)
        VALUES (${hash}, ${engine}, ${text}, ${now}) ON CONFLICT (code_hash, engine) DO NOTHING`
      return Effect.ignoreLogged(narrowSql(write))
    })
  const purge = Effect.gen(function* () {
    const oldest = (yield* Clock.currentTimeMillis) - RETENTION
    const rows = yield* sql`DELETE FROM code_findings WHERE written_at < ${oldest} OR written_at <= (
      SELECT written_at FROM code_findings ORDER BY written_at DESC LIMIT 1 OFFSET ${MAX_ROWS}) RETURNING code_hash`
    return rows.length
  })
  yield* retained("code findings", PURGE_INTERVAL, narrowSql(purge))
  return FindingsStore.of({ find, keep })
})

/** Requires `SqlClient`. */
export const FindingsStoreLive = Layer.scoped(
  FindingsStore,
  Effect.suspend(() => makeFindingsStore(engineVersion()))
)
