import { Schema } from "effect"

const Range = Schema.Struct({
  limit: Schema.optionalWith(Schema.Number, { default: () => 1_000 }),
  before: Schema.optional(Schema.String)
})

/**
 * What a node answers to `getSignaturesForAddress`: a page of these transactions, newest first, as long as was asked for or
 * as it gives at most.
 * @param options the method's second parameter
 */
export const pageOf = <A extends { readonly signature: string }>(
  listed: ReadonlyArray<A>,
  options: unknown,
  most = Number.POSITIVE_INFINITY
): ReadonlyArray<A> => {
  const { before, limit } = Schema.decodeUnknownSync(Range)(options)
  const start = listed.findIndex(({ signature }) => signature === before) + 1
  return listed.slice(start, start + Math.min(limit, most))
}

/**
 * The same of a node that does not know where it was to go on, as one behind another that gave the page before: it gives
 * nothing. Source: agave, `get_confirmed_signatures_for_address2`.
 */
export const firstPageOf = <A extends { readonly signature: string }>(
  listed: ReadonlyArray<A>,
  options: unknown,
  most?: number
): ReadonlyArray<A> =>
  Schema.decodeUnknownSync(Range)(options).before === undefined ? pageOf(listed, options, most) : []
