import { Effect, Layer } from "effect"
import { existsSync } from "node:fs"
import { currentDatabaseAt } from "../storage/database.ts"
import { databaseUrl, SQLITE_MEMORY } from "../storage/database-url.ts"
import { problemOf } from "./config-problem.ts"
import { EXIT, Stop } from "./exit.ts"

const stop = (message: string) => new Stop({ code: EXIT.usage, message })

/** What `DATABASE_URL` names. */
export const namedDatabase = Effect.mapError(databaseUrl, (error) => stop(problemOf("DATABASE_URL", error)))

/** The same, where something is to be read: one that is not there is not made. */
export const databaseOfService = Effect.flatMap(namedDatabase, (url) => {
  if (url.dialect === "sqlite" && url.path === SQLITE_MEMORY) {
    return stop("A database in memory belongs to the process that holds it: nothing to read.")
  }
  return url.dialect === "sqlite" && !existsSync(url.path)
    ? stop("There is no database at DATABASE_URL. Run this where the service runs.")
    : Effect.succeed(url)
})

/** The service's own database, which may be running: it alone migrates it. */
export const ServiceDatabaseLive = Layer.unwrapEffect(
  Effect.map(databaseOfService, (url) =>
    Layer.catchAll(currentDatabaseAt(url), ({ message }) =>
      Layer.fail(new Stop({ code: EXIT.unavailable, message }))
    )
  )
)
