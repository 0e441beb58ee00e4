import type { ContractModel } from "../../../../bytecode/contract.ts"
import { cancelled, deltaOf } from "../../../../bytecode/amount.ts"
import type { Change } from "../../../../bytecode/location.ts"
import { type BalanceChange, type PathSummary, effectOf, shrinks } from "../../../../bytecode/summary.ts"

/** An entry of a side ledger under the account's own key. */
const isBesides = ({ account }: BalanceChange, { location }: Change): boolean =>
  account !== undefined && location.keys.length > 0 && location.keys.includes(account)

/** What an entry gains or loses is exactly what the balance loses or gains. */
const offsets = (change: BalanceChange, other: Change): boolean => {
  const [part] = other.parts
  if (part === undefined || other.parts.length > 1 || !isBesides(change, other)) return false
  const delta = deltaOf(other.key, part)
  if (delta.replaced || change.delta.replaced) return false
  const { plus, minus } = cancelled({
    plus: [...delta.plus, ...change.delta.plus],
    minus: [...delta.minus, ...change.delta.minus]
  })
  return plus.length === 0 && minus.length === 0
}

/** What of a balance goes to the same account's entry elsewhere, or comes from there. */
const counterpart = (path: PathSummary, change: BalanceChange): Change | undefined =>
  path.others.find((other) => offsets(change, other))

const grows = ({ key, parts }: Change): boolean => {
  const [part] = parts
  if (part === undefined) return false
  const { replaced, plus } = deltaOf(key, part)
  return replaced || plus.length > 0
}

/** Every path that adds to the table takes as much from a balance: it holds nothing that was not somebody's. */
const isBacked = ({ functions }: ContractModel, base: string): boolean =>
  [...functions.values()].every(({ paths }) =>
    paths.every((path) =>
      path.others.every(
        (other) =>
          other.location.base !== base ||
          !grows(other) ||
          path.balances.some((change) => shrinks(change) && offsets(change, other))
      )
    )
  )

/** A privileged path that moves balances aside, to where their holders cannot use them: a freeze, no theft. */
export const isFreeze = (contract: ContractModel, path: PathSummary): boolean => {
  const lost = path.balances.filter(shrinks)
  return (
    path.guards.length > 0 &&
    lost.length > 0 &&
    lost.every((change) => {
      const other = counterpart(path, change)
      return other !== undefined && isBacked(contract, other.location.base)
    })
  )
}

/** A path that gives back what was moved aside: no mint. */
export const isThaw = (contract: ContractModel, path: PathSummary): boolean => {
  const gained = path.balances.filter((change) => effectOf(change) === "grows")
  return (
    gained.length > 0 &&
    gained.every((change) => {
      const other = counterpart(path, change)
      return other !== undefined && isBacked(contract, other.location.base)
    })
  )
}

/** Functions that do nothing to balances but move them aside and back. */
export const asideFunctions = (contract: ContractModel): ReadonlySet<string> =>
  new Set(
    [...contract.functions.values()].flatMap(({ selector, paths }) => {
      const moving = paths.filter(({ balances }) => balances.length > 0)
      const aside = moving.every((path) => isFreeze(contract, path) || isThaw(contract, path))
      return moving.length > 0 && aside ? [selector] : []
    })
  )
