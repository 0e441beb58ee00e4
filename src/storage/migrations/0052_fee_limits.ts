import { schema } from "../dialect.ts"

/**
 * The most that each budget of `fee_purses` may spend, in the same order, millionths of a USD, as it was when fees were
 * set aside: a transaction that is raised later is held to it. Null: set aside before limits were kept.
 */
export default schema(({ sql }) => [sql`ALTER TABLE payments ADD COLUMN fee_limits TEXT`])
