import type { Expr } from "./evm/expression.ts"
import { type Guard, stripped } from "./guard.ts"
import type { FunctionSummary, PathSummary } from "./summary.ts"

const MAX_ROUNDS = 4

const isOpen = (guards: ReadonlyArray<Guard>, open: ReadonlySet<string>): boolean =>
  guards.every((guard) => guard.kind === "role" && open.has(guard.location.base))

const isCleared = (parts: ReadonlyArray<unknown>): boolean => parts.length === 0

/** The entry belongs to somebody whom a list in storage names: a member moved up into a gap, nobody new. */
const isMembers = (key: Expr): boolean => stripped(key).op === "sload"

const writtenTables = (path: PathSummary): ReadonlyArray<string> =>
  path.others
    .filter(
      ({ location, parts }) => location.keys.length > 0 && !isCleared(parts) && !location.keys.some(isMembers)
    )
    .map(({ location }) => location.base)

/**
 * Tables in which anybody gets an entry without a permission (deposits, referrals, vote delegation): passing a test
 * of one's entry there is no privilege. Clearing one's own entry (renouncing a role) opens nothing.
 */
export const openTables = (functions: ReadonlyArray<FunctionSummary>): ReadonlySet<string> => {
  const open = new Set<string>()
  for (let round = 0, before = -1; round < MAX_ROUNDS && open.size !== before; round++) {
    before = open.size
    for (const { paths } of functions)
      for (const path of paths)
        if (isOpen(path.guards, open)) for (const base of writtenTables(path)) open.add(base)
  }
  return open
}

/** Takes away the guards that anybody can pass, being in an open table. */
export const withoutOpenGuards = (
  functions: ReadonlyMap<string, FunctionSummary>,
  open: ReadonlySet<string>
): ReadonlyMap<string, FunctionSummary> => {
  const isReal = (guard: Guard): boolean => guard.kind !== "role" || !open.has(guard.location.base)
  return new Map(
    [...functions].map(([selector, summary]) => [
      selector,
      { ...summary, paths: summary.paths.map((path) => ({ ...path, guards: path.guards.filter(isReal) })) }
    ])
  )
}
