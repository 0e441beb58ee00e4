import { SqlClient } from "@effect/sql"
import { SqlError } from "@effect/sql/SqlError"
import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Option } from "effect"

/**
 * The library calls a COMMIT or ROLLBACK that is not answered a defect, which passes by whatever handles a database that
 * is away: a caller gets 500 for 503, and nothing is put back or tried again. It is a failure of the database like any
 * other. Of a COMMIT it says nothing: what was to be committed may be there.
 */
const telling =
  (withTransaction: SqlClient.SqlClient["withTransaction"]): SqlClient.SqlClient["withTransaction"] =>
  (work) =>
    Effect.catchSomeDefect(withTransaction(work), (defect) =>
      defect instanceof SqlError ? Option.some(Effect.fail(defect)) : Option.none()
    )

/** A PostgreSQL server as the service's `SqlClient`. */
export const postgresClient = (config: PgClient.PgClientConfig) =>
  Layer.map(PgClient.layer(config), (context) => {
    const client = Context.get(context, SqlClient.SqlClient)
    Object.assign(client, { withTransaction: telling(client.withTransaction) })
    return context
  })
