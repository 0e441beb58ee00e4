import { schema } from "../dialect.ts"

/**
 * One row per checkout. `payment` is the authorization that is paying or has paid it: unique, so that no payment pays
 * two checkouts. `attempt` names the one run that bound it. Times are Unix milliseconds; JSON and amounts are TEXT.
 * `merchant` is the canonical spelling of the receiving address with its network.
 */
export default schema(({ integer, sql }) => [
  sql`CREATE TABLE checkouts (
    id TEXT PRIMARY KEY NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('open', 'processing', 'paid', 'expired')),
    merchant TEXT NOT NULL,
    terms TEXT NOT NULL,
    created_at ${integer} NOT NULL,
    expires_at ${integer} NOT NULL,
    idempotency_key TEXT UNIQUE,
    request_digest TEXT NOT NULL,
    webhook_url TEXT,
    webhook_secret TEXT,
    watched_at ${integer},
    payment TEXT UNIQUE,
    payload TEXT,
    attempt TEXT,
    binding TEXT,
    processing_at ${integer},
    receipt TEXT,
    settlement TEXT,
    paid_at ${integer},
    expired_at ${integer},
    CHECK (status <> 'processing' OR (payment IS NOT NULL AND payload IS NOT NULL AND attempt IS NOT NULL)),
    CHECK (status <> 'paid' OR (receipt IS NOT NULL AND settlement IS NOT NULL))
  )`,
  sql`CREATE INDEX checkouts_by_merchant ON checkouts (merchant, created_at)`,
  sql`CREATE INDEX checkouts_by_status ON checkouts (status, expires_at)`
])
