import { schema } from "../dialect.ts"

/**
 * Refunds and transfers without an order that were written down before their blocks were final, each with where it was
 * seen: `evidence` is JSON, `height` its block or slot. They are looked for until they are final, and then forgotten here.
 * Times are Unix milliseconds.
 */
export default schema(({ integer, sql }) => [
  sql`CREATE TABLE checkout_sightings (
    claimant TEXT PRIMARY KEY NOT NULL,
    network TEXT NOT NULL,
    height ${integer} NOT NULL,
    evidence TEXT NOT NULL,
    seen_at ${integer} NOT NULL
  )`,
  sql`CREATE INDEX checkout_sightings_by_height ON checkout_sightings (network, height)`,
  sql`CREATE INDEX checkout_refunds_by_payer ON checkout_refunds (checkout_id, payer)`
])
