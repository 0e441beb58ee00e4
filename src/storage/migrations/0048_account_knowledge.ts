import { schema } from "../dialect.ts"

/**
 * From when on, by the chain's time in Unix milliseconds, an account's past was seen without a gap: where no node has kept
 * what lies before, only checkouts that are younger can expire by what was seen. 0: from ever.
 */
export default schema(({ integer, sql }) => [
  sql`ALTER TABLE receiving_accounts ADD COLUMN known_from ${integer} NOT NULL DEFAULT 0`
])
