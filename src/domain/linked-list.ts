/** A value's place in a line. */
export interface Place<A> {
  readonly value: A
  before: Place<A> | undefined
  after: Place<A> | undefined
  isIn: boolean
}

/**
 * Values in the order in which they came, each of which may leave at any time; it leaves nothing behind. A `Set` has the
 * same order, but one that lives long and changes all the time leaves V8 a dead table every few changes. Each refers to
 * the one after it and to whoever stood in it, and once one of them is old, all of that stays until the next full
 * collection: requests that ended long ago are copied by every small collection with all they refer to, become old, and
 * bring on the next full one.
 */
export class Line<A> {
  #first: Place<A> | undefined
  #last: Place<A> | undefined

  first(): Place<A> | undefined {
    return this.#first
  }

  add(value: A): Place<A> {
    const place: Place<A> = { value, before: this.#last, after: undefined, isIn: true }
    if (this.#last === undefined) this.#first = place
    else this.#last.after = place
    this.#last = place
    return place
  }

  /** Whether it was still in. */
  leave(place: Place<A>): boolean {
    if (!place.isIn) return false
    const { after, before } = place
    if (before === undefined) this.#first = after
    else before.after = after
    if (after === undefined) this.#last = before
    else after.before = before
    place.before = place.after = undefined
    place.isIn = false
    return true
  }
}
