import { schema } from "../dialect.ts"

/**
 * Whose budget the network fee of a payment comes out of: names from the widest to the narrowest, space between; null for
 * a sale of our own. `settlement_fees` holds what each spent in an hour (Unix hours), in millionths of a USD: a limit reads
 * a day's 24 rows, however many payments there were.
 */
export default schema(({ integer, sql }) => [
  sql`ALTER TABLE payments ADD COLUMN fee_purses TEXT`,
  sql`CREATE TABLE settlement_fees (
    purse TEXT NOT NULL,
    network TEXT NOT NULL,
    hour ${integer} NOT NULL,
    micros ${integer} NOT NULL,
    PRIMARY KEY (purse, network, hour)
  )`
])
