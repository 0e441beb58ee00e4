/** Work that pauses now and then, so that a caller can let others run; it ends with its result. */
export type Sliced<A> = Generator<void, A, void>

/** The result of sliced work done without pause. */
export const withoutPause = <A>(work: Sliced<A>): A => {
  for (;;) {
    const { done, value } = work.next()
    if (done === true) return value
  }
}
