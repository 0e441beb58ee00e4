import { schema } from "../dialect.ts"

/**
 * What broadcasting a payment may cost, as it was when it was claimed (`fee_quote`), and what of that is set aside from
 * its budgets until the fee is known (`fee_reserved`): millionths of a USD. The index holds only what is set aside.
 */
export default schema(({ integer, sql }) => [
  sql`ALTER TABLE payments ADD COLUMN fee_quote ${integer}`,
  sql`ALTER TABLE payments ADD COLUMN fee_reserved ${integer}`,
  sql`CREATE INDEX payments_fee_reserved ON payments (network) WHERE fee_reserved IS NOT NULL`
])
