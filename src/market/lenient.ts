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

/** What was understood of a list, and whether that was all of it. */
export interface Decoded<A> {
  readonly items: ReadonlyArray<A>
  /** False where the value was no list, had more than `limit` members, or one of them did not decode. */
  readonly isWhole: boolean
}

/**
 * The members of a list that decode, out of its first `limit`: decoding costs a hundred times what parsing does, so a
 * list is cut before, not after. Whoever concludes something from an absence has to ask for `isWhole`.
 */
export const decodable = <A, I>(schema: Schema.Schema<A, I>, limit: number) => {
  const decode = Schema.decodeUnknownEither(schema)
  return (list: unknown): Decoded<A> => {
    if (!Array.isArray(list)) return { items: [], isWhole: false }
    const items = list
      .slice(0, limit)
      .flatMap((item: unknown) => Either.match(decode(item), { onLeft: () => [], onRight: (a) => [a] }))
    return { items, isWhole: items.length === list.length }
  }
}
