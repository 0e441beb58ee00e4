import { entryOf } from "../../../../bytecode/exact/entry.ts"
import type { Leaf } from "../../../../bytecode/exact/tree.ts"
import { type CallRecord, listed } from "../../../../bytecode/evm/path.ts"
import { selectorOf } from "../../../../bytecode/dispatch.ts"
import { type Guard, guardsOf } from "../../../../bytecode/guard.ts"
import { locationOf } from "../../../../bytecode/location.ts"
import { isPermit2 } from "./consent.ts"
import { gainOf } from "./frame.ts"
import { type Roles, isContracts } from "./roles.ts"
import { framesOf, isWild, writesOf } from "./supply.ts"

/** What the contract may call of itself as if it were a holder. Calls of less than a selector find no function of it. */
const mayCallItself = ({ kind, selector }: CallRecord, functions: ReadonlySet<string>): boolean =>
  kind === "call" &&
  selector !== undefined &&
  (selector.op !== "const" || functions.has(selectorOf(selector.value)))

/** The path takes from what the contract itself holds, or allows somebody to. */
const spendsOwn = (roles: Roles, leaf: Leaf): boolean => {
  const { allowances, arena, ledger } = roles
  const isOwn = (table: typeof allowances) =>
    writesOf(leaf).some(({ key }) => {
      const [owner] = entryOf(arena, table, key) ?? []
      return owner !== undefined && isContracts(owner)
    })
  if (isOwn(allowances)) return true
  if (!isOwn(ledger)) return false
  return (
    framesOf(roles, leaf)?.every(([frame, facts]) =>
      frame.parties.every((party) => {
        const gain = gainOf(frame, party)
        return !party.accounts.some(isContracts) || (gain !== undefined && facts.atLeastZero(gain))
      })
    ) !== true
  )
}

/**
 * Permit2 takes this path, and asks its owner alone: the contract may have allowed it there, or answers that whatever is
 * shown to it was signed (ERC-1271).
 */
const isPermit2s = ({ caller }: Roles, { state }: Leaf): boolean =>
  state.writes !== undefined && isPermit2(state.conditions, caller)

/**
 * No path takes anything from what the contract itself holds, nor lets anybody take it: where balances are proven to move
 * by consent alone, it stays there for good.
 * @param leaves every path that can still be taken
 * @param selectors the contract's functions
 */
export const keepsOwn = (
  roles: Roles,
  leaves: ReadonlyArray<Leaf>,
  selectors: ReadonlyArray<string>
): boolean => {
  const functions = new Set(selectors)
  return leaves.every(
    (leaf) =>
      leaf.ending === "revert" ||
      (!isWild(leaf) &&
        !isPermit2s(roles, leaf) &&
        ![...listed(leaf.state.calls)].some((call) => mayCallItself(call, functions)) &&
        !spendsOwn(roles, leaf))
  )
}

const PLAIN_GUARDS: ReadonlySet<Guard["kind"]> = new Set(["stored", "constant", "role"])

/**
 * Only some callers take this path.
 * @param open beginnings of what anybody may write: who is named there named himself
 */
export const isPrivileged = (
  { ledger, allowances }: Roles,
  { state }: Leaf,
  open: ReadonlySet<string> = new Set()
): boolean => {
  const amounts = new Set([ledger.key, allowances.key].map((key) => locationOf(key).base))
  return guardsOf(state.conditions, ({ location }) => amounts.has(location.base)).some((guard) => {
    if (!PLAIN_GUARDS.has(guard.kind)) return false
    const field = guard.kind === "stored" || guard.kind === "role" ? guard.field : undefined
    return field === undefined || !open.has(field.location.base)
  })
}

/** Names that lead to one another: honest contracts have one or two. */
const MOST_NAMINGS = 8

/** Beginnings of what anybody may write, also by having named himself elsewhere; undefined where that leads on and on. */
const openTo = (roles: Roles, leaves: ReadonlyArray<Leaf>): ReadonlySet<string> | undefined => {
  let open: ReadonlySet<string> = new Set()
  for (let naming = 0; naming < MOST_NAMINGS; naming++) {
    const known = open
    open = new Set(
      leaves
        .filter((leaf) => !isPrivileged(roles, leaf, known))
        .flatMap((leaf) => writesOf(leaf).map(({ key }) => locationOf(key).base))
    )
    if (open.size === known.size) return open
  }
  return undefined
}

/**
 * A path that anybody may take calls others, or pays them: somebody without a privilege may have a claim to what the contract
 * holds of other coins.
 * @param leaves every path that can still be taken
 */
export const owesOthers = (roles: Roles, leaves: ReadonlyArray<Leaf>): boolean => {
  const acting = leaves.filter(({ ending }) => ending !== "revert")
  const open = openTo(roles, acting)
  if (open === undefined) return true
  return acting.some(
    (leaf) =>
      [...listed(leaf.state.calls)].some(({ kind }) => kind !== "staticcall") &&
      !isPrivileged(roles, leaf, open)
  )
}
