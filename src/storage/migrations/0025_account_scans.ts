import { schema } from "../dialect.ts"

/**
 * How far a receiving account was read is kept page by page: where the present pass began, where its next page starts,
 * and whether something on the way could not be read. `unassigned_transfers` has money that came into a watched account
 * and belongs to no one order, unique in its evidence. Times are Unix milliseconds, amounts TEXT in smallest units.
 */
export default schema(({ integer, sql }) => [
  sql`ALTER TABLE receiving_accounts ADD COLUMN scan_head TEXT`,
  sql`ALTER TABLE receiving_accounts ADD COLUMN scan_before TEXT`,
  sql`ALTER TABLE receiving_accounts ADD COLUMN scan_gap INTEGER NOT NULL DEFAULT 0`,
  sql`CREATE TABLE unassigned_transfers (
    evidence TEXT PRIMARY KEY NOT NULL,
    account TEXT NOT NULL,
    transaction_id TEXT NOT NULL,
    payer TEXT,
    amount TEXT NOT NULL,
    at ${integer} NOT NULL,
    reason TEXT NOT NULL,
    seen_at ${integer} NOT NULL
  )`,
  sql`CREATE INDEX unassigned_transfers_by_account ON unassigned_transfers (account, at)`
])
