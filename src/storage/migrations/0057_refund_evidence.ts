import { schema } from "../dialect.ts"

/**
 * The transfer of the journal that a refund was seen as, so that no other refund to the same payer is taken for it. Of
 * refunds that were seen before, it is not known.
 */
export default schema(({ sql }) => [
  sql`ALTER TABLE checkout_refunds ADD COLUMN evidence TEXT`,
  sql`CREATE INDEX checkout_refunds_by_evidence ON checkout_refunds (evidence)`
])
