import { type Expr, FROM_CALLDATA, FROM_CALLER } from "./evm/expression.ts"
import { type Guard, stripped } from "./guard.ts"
import { type Change, type Field, locationOf } from "./location.ts"
import type { FunctionSummary, PathSummary } from "./summary.ts"

const MAX_ROUNDS = 4

/** Tables in which anybody gets an entry, with the bits of it that somebody without a permission writes. */
export type OpenTables = ReadonlyMap<string, bigint>

/** Anybody gets these bits of an entry: what stands beside them may be given by somebody else. */
export const isOpenTo = (open: OpenTables, { location, mask }: Field): boolean =>
  ((open.get(location.base) ?? 0n) & mask) !== 0n

/** Anybody can pass: his own entry is open, or he names an entry in which anybody may stand. One fixed entry is somebody's. */
const isPassable = (guard: Guard, open: OpenTables): boolean => {
  if (guard.kind === "role") return isOpenTo(open, guard.field)
  if (guard.kind !== "stored") return false
  const isNamed = guard.field.location.keys.some(({ from }) => (from & (FROM_CALLDATA | FROM_CALLER)) !== 0)
  return isNamed && isOpenTo(open, guard.field)
}

const isOpen = (guards: ReadonlyArray<Guard>, open: OpenTables): boolean =>
  guards.every((guard) => isPassable(guard, open))

const isCleared = (parts: ReadonlyArray<unknown>): boolean => parts.length === 0

/** The entry belongs to somebody whom a list in storage names: a member moved up into a gap, nobody new. */
const isMembers = (key: Expr): boolean => {
  const { args, op } = stripped(key)
  return op === "sload" && args[0] !== undefined && locationOf(args[0]).slot === undefined
}

const writtenEntries = (path: PathSummary): ReadonlyArray<Change> =>
  path.others.filter(
    ({ location, parts }) => location.keys.length > 0 && !isCleared(parts) && !location.keys.some(isMembers)
  )

/**
 * Tables in which anybody gets an entry without a permission (deposits, referrals, vote delegation): passing a test
 * of one's entry there is no privilege. Clearing one's own entry (renouncing a role) opens nothing.
 */
export const openTables = (functions: ReadonlyArray<FunctionSummary>): OpenTables => {
  const open = new Map<string, bigint>()
  for (let round = 0, changed = true; round < MAX_ROUNDS && changed; round++) {
    changed = false
    for (const { paths } of functions)
      for (const path of paths)
        if (isOpen(path.guards, open))
          for (const { location, mask } of writtenEntries(path)) {
            const before = open.get(location.base)
            open.set(location.base, (before ?? 0n) | mask)
            changed ||= open.get(location.base) !== before
          }
  }
  return open
}

/** Takes away the guards that anybody can pass, being in an open table. */
export const withoutOpenGuards = (
  functions: ReadonlyMap<string, FunctionSummary>,
  open: OpenTables
): ReadonlyMap<string, FunctionSummary> =>
  new Map(
    [...functions].map(([selector, summary]) => [
      selector,
      {
        ...summary,
        paths: summary.paths.map((path) => ({
          ...path,
          guards: path.guards.filter((guard) => !isPassable(guard, open))
        }))
      }
    ])
  )
