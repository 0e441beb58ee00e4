import type { Address } from "viem"
import { entryOf } from "../../../../bytecode/exact/entry.ts"
import { isNothing, minus, negated, sumOf } from "../../../../bytecode/exact/linear.ts"
import type { Leaf } from "../../../../bytecode/exact/tree.ts"
import { selectorsOf } from "../../../../bytecode/selector.ts"
import { BRIDGES } from "../../addresses.ts"
import { gainOf } from "./frame.ts"
import { heldBy } from "./hole.ts"
import { type Roles, accountOf, argument } from "./roles.ts"
import { framesOf, writesOf } from "./supply.ts"

/** What the bridges call where an amount arrives. Source: ethereum-optimism/specs, IOptimismMintableERC20, ERC-7802. */
const ARRIVALS = new Set(selectorsOf(["mint(address,uint256)", "crosschainMint(address,uint256)"]))
/** What they call where it leaves. */
const DEPARTURES = new Set(selectorsOf(["burn(address,uint256)", "crosschainBurn(address,uint256)"]))

/** All that the path does to balances and allowances is to book what crosses, to or from the account that is named. */
const isCrossing = (roles: Roles, selector: string, leaf: Leaf): boolean => {
  const { allowances, arena } = roles
  const arrives = ARRIVALS.has(selector)
  if (!arrives && !DEPARTURES.has(selector)) return false
  if (leaf.ending !== "success" || leaf.state.calls !== undefined) return false
  if (writesOf(leaf).some(({ key }) => entryOf(arena, allowances, key) !== undefined)) return false
  const [who, amount] = [argument(arena, 0), sumOf(argument(arena, 1))]
  return (
    framesOf(roles, leaf)?.every(([frame, facts]) =>
      frame.parties.every((party) => {
        const gain = gainOf(frame, party)
        if (gain === undefined || isNothing(gain)) return gain !== undefined
        if (!party.accounts.some((account) => accountOf(account) === who)) return false
        const crossed = arrives ? gain : negated(gain)
        return facts.atLeastZero(crossed) && facts.atLeastZero(minus(amount, crossed))
      })
    ) === true
  )
}

const isBridge = (account: Address): boolean => BRIDGES.has(account)

/**
 * Accounts fixed for good, one of which alone can take the path; the chain's bridges only where they do no more than bring
 * or take what crosses: anybody can make them call.
 */
export const holdersOn = (roles: Roles, selector: string, leaf: Leaf): ReadonlyArray<Address> => {
  const accounts = heldBy(leaf.state.conditions)
  return !accounts.some(isBridge) || isCrossing(roles, selector, leaf)
    ? accounts
    : accounts.filter((account) => !isBridge(account))
}
