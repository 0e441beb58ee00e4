import { Schema } from "effect"

/** A whole number as a driver gives it: PostgreSQL's gives a `BIGINT` as text. */
export const StoredInteger = Schema.Union(Schema.Number, Schema.NumberFromString)
