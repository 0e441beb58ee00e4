import { Cause, Data, Redacted } from "effect"
import { StartError } from "../domain/errors.ts"
import type { DatabaseUrl } from "./database-url.ts"

/** The first code in a chain of causes: a driver's error lies below two of the SQL library's. */
export const codeIn = (error: unknown): string => {
  for (let at = error, depth = 0; typeof at === "object" && at !== null && depth < 6; depth += 1) {
    if ("code" in at && typeof at.code === "string") return at.code
    at = "cause" in at ? at.cause : undefined
  }
  return ""
}

const DAMAGED = "restore a backup (token-risk restore), or name another file"
const UNWRITABLE = "name a file in a directory that this user may write"

/** By SQLite's and the system's codes: what is wrong, and what helps. */
const SQLITE: ReadonlyArray<readonly [codes: RegExp, problem: string, remedy: string]> = [
  [/^SQLITE_(?:NOTADB|CORRUPT)/, "is no SQLite database, or is damaged", DAMAGED],
  [/^SQLITE_(?:READONLY|PERM|AUTH)/, "cannot be written", UNWRITABLE],
  [/^(?:SQLITE_CANTOPEN|EACCES|EPERM|EROFS|ENOENT|ENOTDIR|EISDIR|EEXIST)/, "cannot be opened", UNWRITABLE],
  [/^(?:SQLITE_FULL|ENOSPC)/, "cannot be written: the disk is full", "make room on the disk"],
  [/^SQLITE_(?:BUSY|LOCKED)/, "is locked by another process", "stop that process, or name another file"],
  [/^SQLITE_IOERR/, "cannot be read or written", "check the disk"]
]

/** By PostgreSQL's and the system's codes. Source: PostgreSQL, appendix A. */
const POSTGRES: ReadonlyArray<readonly [codes: RegExp, problem: string, remedy: string]> = [
  [
    /^E(?:CONNREFUSED|NOTFOUND|AI_AGAIN|HOSTUNREACH|CONNRESET|TIMEDOUT)/,
    "cannot be reached",
    "start it, or correct host and port"
  ],
  [/^28/, "refuses the user or the password", "correct them in the URL"],
  [/^3D000/, "has no such database", "create it, or correct its name in the URL"],
  [/^(?:42501|25006)/, "does not let this user write", "grant it the database, or connect to the primary"],
  [/^53/, "has no connections or space left", "raise its limits, or stop other clients"]
]

const placeOf = (url: DatabaseUrl): string => {
  if (url.dialect === "sqlite") return url.path
  const { host, pathname } = new URL(Redacted.value(url.url))
  return `PostgreSQL at ${host}${pathname}`
}

/** What a newer program has made of a database, this one would read and write by rules that hold no longer. */
export class NewerDatabase extends Data.TaggedError("NewerDatabase") {}

/** Its schema is an older program's, which may be using it, or none of ours; found where nothing may be migrated. */
export class OlderDatabase extends Data.TaggedError("OlderDatabase")<{ readonly isEmpty: boolean }> {}

const older = (place: string, isEmpty: boolean): StartError =>
  isEmpty
    ? new StartError({
        variable: "DATABASE_URL",
        problem: `${place} holds nothing of token-risk`,
        remedy: "name the service's own database"
      })
    : new StartError({
        variable: "DATABASE_URL",
        problem: `${place} is of an older version of token-risk`,
        remedy: "use that version's command, or start this version's service first, which migrates it"
      })

/** Why a database could not be opened or migrated, in one line for the operator. */
export const openError = (url: DatabaseUrl, cause: Cause.Cause<unknown>): StartError => {
  const error = Cause.squash(cause)
  if (error instanceof OlderDatabase) return older(placeOf(url), error.isEmpty)
  if (error instanceof NewerDatabase) {
    return new StartError({
      variable: "DATABASE_URL",
      problem: `${placeOf(url)} was migrated by a newer version of token-risk`,
      remedy: "start that one, or restore the backup that was made before the upgrade"
    })
  }
  const code = codeIn(error)
  const [, problem, remedy] = (url.dialect === "sqlite" ? SQLITE : POSTGRES).find(([codes]) =>
    codes.test(code)
  ) ?? [
    undefined,
    `cannot be used${code === "" ? "" : ` (${code})`}`,
    url.dialect === "sqlite"
      ? "check the file, or name another one"
      : "check that it runs and lets this user in"
  ]
  return new StartError({ variable: "DATABASE_URL", problem: `${placeOf(url)} ${problem}`, remedy })
}

/** Waiting helps against a lock or a race, never against these. */
export const isHopeless = (error: unknown): boolean =>
  /^(?:SQLITE_(?:NOTADB|CORRUPT|READONLY|CANTOPEN|FULL|IOERR)|28|3D000|42501|E[A-Z])/.test(codeIn(error))
