import { Schema } from "effect"

/** A whole number without a name of its own: in a generated description it is `integer`, not a reference. */
export const Integer = Schema.Number.pipe(Schema.int())
