import { schema } from "../dialect.ts"

/**
 * The block (slot) in which a refund was seen. Of what paid, the ledger's evidence says it, for as long as a reorganisation
 * may still move it and ever after.
 */
export default schema(({ integer, sql }) => [sql`ALTER TABLE checkout_transfers ADD COLUMN block ${integer}`])
