import { schema } from "../dialect.ts"

/**
 * Payments that were bound to a checkout when a wallet's own transfer paid it: whether they moved money is not known yet,
 * and the checkout's row no longer names them. Each is brought to its end and then forgotten here. Unix milliseconds.
 */
export default schema(({ integer, sql }) => [
  sql`CREATE TABLE checkout_overtaken (
    checkout_id TEXT NOT NULL,
    payment TEXT NOT NULL,
    payload TEXT NOT NULL,
    since ${integer} NOT NULL,
    PRIMARY KEY (checkout_id, payment)
  )`,
  sql`CREATE INDEX checkout_overtaken_by_age ON checkout_overtaken (since)`
])
