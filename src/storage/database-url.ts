import { Config, Either, Redacted } from "effect"
import { invalid } from "../domain/settings.ts"
import { postgresUrlReason } from "./postgres-url.ts"

/** Where the durable state lives. A PostgreSQL URL holds a password, so it stays redacted. */
export type DatabaseUrl =
  | { readonly dialect: "sqlite"; readonly path: string }
  | { readonly dialect: "postgres"; readonly url: Redacted.Redacted }

/** SQLite's name for a database that lives in memory and dies with its connection. */
export const SQLITE_MEMORY = ":memory:"

/** SQLite's driver drops spaces around a name: nobody else may take such a name for another file's. */
const parse = (given: string): DatabaseUrl | undefined => {
  const text = given.trim()
  const path = text.startsWith("sqlite:") ? text.slice("sqlite:".length).trim() : ""
  if (path !== "") return { dialect: "sqlite", path }
  if (/^postgres(?:ql)?:\/\//.test(text) && URL.canParse(text)) {
    return { dialect: "postgres", url: Redacted.make(text) }
  }
  return undefined
}

/** `DATABASE_URL`: `sqlite:PATH`, `sqlite::memory:` or `postgres://…`. The error never repeats the value. */
export const databaseUrl: Config.Config<DatabaseUrl> = Config.redacted("DATABASE_URL").pipe(
  Config.mapOrFail((secret) => {
    const parsed = parse(Redacted.value(secret))
    if (parsed === undefined) {
      const message =
        "must be sqlite:PATH, sqlite::memory: or postgres://…, such as sqlite:./data/token-risk.db"
      return invalid("DATABASE_URL", message)
    }
    const reason = parsed.dialect === "sqlite" ? undefined : postgresUrlReason(Redacted.value(parsed.url))
    return reason === undefined ? Either.right(parsed) : invalid("DATABASE_URL", reason)
  }),
  Config.withDefault<DatabaseUrl>({ dialect: "sqlite", path: "./data/token-risk.db" })
)
