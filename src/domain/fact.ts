/**
 * A piece of evidence that was read, or was not. Missing evidence stays visible in the type, so that no judge can
 * mistake "we do not know" for "no".
 */
export type Fact<A> =
  | { readonly known: true; readonly value: A }
  /** `why` is a short phrase of our own for the report, for instance "node refused state overrides". */
  | { readonly known: false; readonly why: string }

export const known = <A>(value: A): Fact<A> => ({ known: true, value })
export const missing = (why: string): Fact<never> => ({ known: false, why })

export const mapFact = <A, B>(fact: Fact<A>, f: (value: A) => B): Fact<B> =>
  fact.known ? known(f(fact.value)) : fact

/** The value, or `null`: the shape of a tri-state field on the wire. */
export const orNull = <A>(fact: Fact<A>): A | null => (fact.known ? fact.value : null)
