import { GlobalValue, Predicate } from "effect"

/** Holds nothing, however much is added. */
class Unlisted extends Set<unknown> {
  override add(): this {
    return this
  }
}

/**
 * Ends the library's list of fibers without a parent, which is there for debuggers (`Fiber.roots`). It is a set that lives
 * as long as the process and changes with every request, and such a set keeps those who have left until the next full
 * collection (`LinkedList` says how): without it nothing that a fiber allocated grows old. Where another version of the library
 * has no such list, nothing is done.
 */
export const unlistRoots = (): void => {
  const scope = GlobalValue.globalValue<unknown>(Symbol.for("effect/FiberScope/Global"), () => undefined)
  if (Predicate.hasProperty(scope, "roots") && scope.roots instanceof Set)
    Object.assign(scope, { roots: new Unlisted() })
}
