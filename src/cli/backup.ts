import type { SqlClient } from "@effect/sql"
import { Console, Effect } from "effect"
import { StartError } from "../domain/errors.ts"
import { BackupError } from "../storage/backup-file.ts"
import { backup, restore } from "../storage/backup.ts"
import { databaseConfig, unmigratedDatabaseAt } from "../storage/database.ts"
import { EXIT, Stop } from "./exit.ts"

const messageOf = (error: unknown): string => {
  if (error instanceof BackupError) return error.message
  if (error instanceof StartError) return `${error.variable}: ${error.problem}; ${error.remedy}`
  return "DATABASE_URL: the database refused; is it token-risk's, and its URL right?"
}

/** Runs on the database of `DATABASE_URL` as it is. Every failure is one line for the operator. */
const onDatabase = <E>(work: Effect.Effect<number, E, SqlClient.SqlClient>, done: (rows: number) => string) =>
  databaseConfig.pipe(
    Effect.flatMap(({ url }) => Effect.provide(work, unmigratedDatabaseAt(url))),
    Effect.flatMap((rows) => Console.log(done(rows))),
    Effect.mapError((error) => new Stop({ code: EXIT.usage, message: messageOf(error) }))
  )

interface Options {
  readonly file: string
}

/** `backup FILE`: everything in the database into a new file, while the service runs. */
export const backupTo = ({ file }: Options) =>
  onDatabase(backup(file), (rows) => `${file}: ${rows} rows backed up`)

/** `restore FILE`: a backup into an empty database. */
export const restoreFrom = ({ file }: Options) =>
  onDatabase(restore(file), (rows) => `${rows} rows restored from ${file}; start the service`)
