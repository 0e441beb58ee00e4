import { type Expr, FROM_CALLDATA, FROM_CALLER } from "./evm/expression.ts"
import { listed } from "./evm/path.ts"
import { type Guard, stripped } from "./guard.ts"
import { type Change, type Field, locationOf } from "./location.ts"
import type { Latches } from "./once.ts"
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

const isOldWord = (e: Expr, key: Expr): boolean => {
  const { args, op } = stripped(e)
  return op === "sload" && args[0] === key
}

/** No bit of the word is set that was not set in the one that stood there. */
const hasBitsOf = (e: Expr, key: Expr): boolean => {
  const [a, b] = e.args
  if (a === undefined || b === undefined) return e.op === "sload" && a === key
  if (e.op === "and") return hasBitsOf(a, key) || hasBitsOf(b, key)
  return e.op === "xor" && hasBitsOf(a, key) && hasBitsOf(b, key)
}

/** The path asks that what it writes is no more than what stood there. */
const isLess = ({ outcome }: PathSummary, part: Expr, key: Expr): boolean => {
  const [old, taken] = part.op === "sub" ? part.args : []
  return [...listed(outcome.conditions)].some(({ expr, holds }) => {
    const [a, b] = expr.args
    if (expr.op !== "lt" || a === undefined || b === undefined) return false
    const [less, more] = holds ? [a, b] : [b, a]
    if (!isOldWord(more, key)) return false
    return stripped(less) === stripped(part) || (old !== undefined && isOldWord(old, key) && less === taken)
  })
}

/** Bits of the entry are cleared, or it is lowered: whoever gives up what he may is given nothing. */
const isLowered = (path: PathSummary, { key, parts }: Change): boolean =>
  parts.every((part) => hasBitsOf(part, key)) ||
  (parts.length === 1 && parts.every((part) => isLess(path, part, key)))

const writtenEntries = (path: PathSummary): ReadonlyArray<Change> =>
  path.others.filter(
    (change) =>
      change.location.keys.length > 0 &&
      !isCleared(change.parts) &&
      !change.location.keys.some(isMembers) &&
      !isLowered(path, change)
  )

/**
 * Tables in which anybody gets an entry without a permission (deposits, referrals, vote delegation): passing a test
 * of one's entry there is no privilege. Giving up one's own entry (renouncing a role) opens nothing, nor does what is
 * done once, when the contract is set up.
 */
export const openTables = (functions: ReadonlyArray<FunctionSummary>, latches: Latches): OpenTables => {
  const open = new Map<string, bigint>()
  for (let round = 0, changed = true; round < MAX_ROUNDS && changed; round++) {
    changed = false
    for (const { paths } of functions)
      for (const path of paths)
        if (!latches.has(path.outcome) && isOpen(path.guards, open))
          for (const { location, mask } of writtenEntries(path)) {
            const before = open.get(location.base)
            open.set(location.base, (before ?? 0n) | mask)
            changed ||= open.get(location.base) !== before
          }
  }
  return open
}

/** Whoever sets a contract up may have an entry in it already, or none: where both get through, an entry is no permission. */
const withoutSetUpGuards = (
  paths: ReadonlyArray<PathSummary>,
  latches: Latches
): ReadonlyArray<PathSummary> => {
  const free = new Set(
    paths.filter(({ guards }) => guards.length === 0).map(({ outcome }) => latches.get(outcome))
  )
  free.delete(undefined)
  return paths.map((path) => (free.has(latches.get(path.outcome)) ? { ...path, guards: [] } : path))
}

/** Takes away the guards that anybody can pass, being in an open table. */
export const withoutOpenGuards = (
  functions: ReadonlyMap<string, FunctionSummary>,
  open: OpenTables,
  latches: Latches
): ReadonlyMap<string, FunctionSummary> =>
  new Map(
    [...functions].map(([selector, summary]) => {
      const paths = summary.paths.map((path) => ({
        ...path,
        guards: path.guards.filter((guard) => !isPassable(guard, open))
      }))
      return [selector, { ...summary, paths: withoutSetUpGuards(paths, latches) }]
    })
  )
