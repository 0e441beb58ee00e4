import { entryOf } from "../../../../bytecode/exact/entry.ts"
import type { Leaf } from "../../../../bytecode/exact/tree.ts"
import { type CallRecord, listed } from "../../../../bytecode/evm/path.ts"
import { selectorOf } from "../../../../bytecode/dispatch.ts"
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
