import type { SqlClient } from "@effect/sql"
import { Console, Effect } from "effect"
import { counted } from "../domain/counted.ts"
import { StartError } from "../domain/errors.ts"
import { BackupError } from "../storage/backup-file.ts"
import { backup, restore } from "../storage/backup.ts"
import type { DatabaseUrl } from "../storage/database-url.ts"
import { unmigratedDatabaseAt } from "../storage/database.ts"
import { databaseOfService, namedDatabase } from "./database.ts"
import { EXIT, Stop } from "./exit.ts"

const messageOf = (error: unknown): string => {
  if (error instanceof BackupError || error instanceof StartError) return error.message
  return "DATABASE_URL: the database refused; is it token-risk's, and its URL right?"
}

/** Runs on a database as it is. Every failure is one line for the operator. */
const onDatabase = <E>(
  database: Effect.Effect<DatabaseUrl, Stop>,
  work: Effect.Effect<number, E, SqlClient.SqlClient>,
  done: (rows: number) => string
) =>
  Effect.gen(function* () {
    const rows = yield* Effect.provide(work, unmigratedDatabaseAt(yield* database)).pipe(
      Effect.mapError((error) => new Stop({ code: EXIT.usage, message: messageOf(error) }))
    )
    yield* Console.log(done(rows))
  })

interface Options {
  readonly file: string
}

/** `backup FILE`: everything in the database into a new file, while the service runs. */
export const backupTo = ({ file }: Options) =>
  onDatabase(databaseOfService, backup(file), (rows) => `${file}: ${counted(rows, "row")} backed up`)

/** `restore FILE`: a backup into an empty database. */
export const restoreFrom = ({ file }: Options) =>
  onDatabase(
    namedDatabase,
    restore(file),
    (rows) => `${counted(rows, "row")} restored from ${file}; start the service`
  )
