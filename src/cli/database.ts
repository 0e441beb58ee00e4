import { ConfigError, Effect, Layer } from "effect"
import { existsSync } from "node:fs"
import { databaseAt } from "../storage/database.ts"
import { databaseUrl, SQLITE_MEMORY } from "../storage/database-url.ts"
import { EXIT, Stop } from "./exit.ts"

const stop = (message: string) => new Stop({ code: EXIT.usage, message })

/** The service's own database, as `DATABASE_URL` names it. One that is not there is not made. */
export const ServiceDatabaseLive = Layer.unwrapEffect(
  Effect.gen(function* () {
    const url = yield* Effect.mapError(databaseUrl, (error) =>
      stop(ConfigError.isConfigError(error) ? "DATABASE_URL must be sqlite:PATH or postgres://…" : "")
    )
    if (url.dialect === "sqlite" && url.path === SQLITE_MEMORY) {
      return yield* stop("A database in memory belongs to the process that holds it: nothing to read.")
    }
    if (url.dialect === "sqlite" && !existsSync(url.path)) {
      return yield* stop("There is no database at DATABASE_URL. Run this where the service runs.")
    }
    return Layer.catchAllCause(databaseAt(url), () =>
      Layer.fail(new Stop({ code: EXIT.unavailable, message: "The database does not answer." }))
    )
  })
)
