import type { SqlClient } from "@effect/sql"
import { oneCheckout } from "../checkout-rows.ts"

/**
 * A checkout whose row is locked before it is read, until the transaction ends: PostgreSQL lets others change what was only
 * looked at. What follows from transfers is concluded under this lock alone, and from transfers that were read after it.
 */
export const lockedCheckout = (sql: SqlClient.SqlClient) => {
  const lock = sql.onDialectOrElse({ pg: () => sql`FOR UPDATE`, orElse: () => sql`` })
  return (id: string) => oneCheckout(sql`SELECT * FROM checkouts WHERE id = ${id} ${lock}`)
}
