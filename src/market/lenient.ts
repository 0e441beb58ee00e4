import { Either, Schema } from "effect"

/**
 * A field of a third party's answer: absent, null or of another shape than expected is `null`. One odd field must
 * lose neither the record it stands in nor the others.
 */
export const lenient = <A, I>(schema: Schema.Schema<A, I>) =>
  Schema.optionalWith(Schema.NullOr(schema).annotations({ decodingFallback: () => Either.right(null) }), {
    default: () => null
  })

/** Longest text taken from a third party; addresses, ids and labels are far below. */
export const ShortText = Schema.NonEmptyString.pipe(Schema.maxLength(128))

/** JSON has no NaN, but `1e999` parses to Infinity. */
export const Amount = Schema.Number.pipe(Schema.finite(), Schema.nonNegative())

export const Positive = Schema.Number.pipe(Schema.finite(), Schema.positive())

/** A percentage of a whole. */
export const Percent = Schema.Number.pipe(Schema.between(0, 100))

/** The members of a list that decode; the others are left out. A value that is no list has none. */
export const decodable = <A, I>(schema: Schema.Schema<A, I>) => {
  const decode = Schema.decodeUnknownEither(schema)
  return (list: unknown): ReadonlyArray<A> =>
    Array.isArray(list)
      ? list.flatMap((item: unknown) => Either.match(decode(item), { onLeft: () => [], onRight: (a) => [a] }))
      : []
}
