/** A value's node in a list. */
export interface ListNode<A> {
  readonly value: A
  before: ListNode<A> | undefined
  after: ListNode<A> | undefined
  isIn: boolean
}

/**
 * A doubly linked list: values in the order in which they came, each of which is removed in one step and leaves nothing
 * behind. A `Set` has the same order, but one that lives long and changes all the time leaves V8 a dead table every few
 * changes. Each refers to the one after it and to whoever stood in it, and once one of them is old, all of that stays until
 * the next full collection: requests that ended long ago are copied by every small collection with all they refer to,
 * become old, and bring on the next full one.
 */
export class LinkedList<A> {
  #first: ListNode<A> | undefined
  #last: ListNode<A> | undefined

  first(): ListNode<A> | undefined {
    return this.#first
  }

  /** At the end. What is given back removes it. */
  add(value: A): ListNode<A> {
    const node: ListNode<A> = { value, before: this.#last, after: undefined, isIn: true }
    if (this.#last === undefined) this.#first = node
    else this.#last.after = node
    this.#last = node
    return node
  }

  /** Whether it was still in. */
  remove(node: ListNode<A>): boolean {
    if (!node.isIn) return false
    const { after, before } = node
    if (before === undefined) this.#first = after
    else before.after = after
    if (after === undefined) this.#last = before
    else after.before = before
    node.before = node.after = undefined
    node.isIn = false
    return true
  }
}
