import { schema } from "../dialect.ts"

/** Nonces of wallet sign-ins that were used: a signature opens what it opens once. Times are Unix milliseconds. */
export default schema(({ integer, sql }) => [
  sql`CREATE TABLE sign_ins (
    nonce TEXT PRIMARY KEY NOT NULL,
    used_at ${integer} NOT NULL
  )`,
  sql`CREATE INDEX sign_ins_by_time ON sign_ins (used_at)`
])
