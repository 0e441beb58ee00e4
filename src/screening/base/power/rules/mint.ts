import { type ContractModel, SELECTOR } from "../../../../bytecode/contract.ts"
import { FROM_CALL, FROM_CALLDATA, FROM_VALUE } from "../../../../bytecode/evm/expression.ts"
import { deltaOf } from "../../../../bytecode/amount.ts"
import { type Change, type Field, overlaps, readsOf } from "../../../../bytecode/location.ts"
import { chosenFields } from "./chosen.ts"
import { type PathSummary, shrinks } from "../../../../bytecode/summary.ts"

/** A privileged path on which some balance grows and none shrinks. */
export const isMint = (path: PathSummary): boolean => {
  if (path.guards.length === 0) return false
  if (path.balances.some(shrinks)) return false
  return path.balances.some(({ delta }) => delta.replaced || delta.plus.length > 0)
}

/** A path open to anybody that creates as much balance as the caller asks for, unpaid. */
export const isOpenMint = (path: PathSummary): boolean =>
  path.guards.length === 0 &&
  !path.balances.some(shrinks) &&
  path.balances.some(({ delta }) =>
    delta.plus.some(
      (amount) => (amount.from & FROM_CALLDATA) !== 0 && (amount.from & (FROM_VALUE | FROM_CALL)) === 0
    )
  )

const FLAG_MASK_BITS = 8n

const isAmountEntry = ({ location, mask }: Change): boolean =>
  location.keys.length > 0 &&
  mask >> FLAG_MASK_BITS !== 0n &&
  location.keys.some((key) => (key.from & FROM_CALLDATA) !== 0)

type EntryDelta = "grows" | "shrinks" | "replaced" | "other"

const entryDelta = (change: Change): EntryDelta => {
  const [part] = change.parts
  if (part === undefined || change.parts.length > 1) return "other"
  const { replaced, plus, minus } = deltaOf(change.key, part)
  if (replaced) return (part.from & FROM_CALLDATA) === 0 ? "other" : "replaced"
  return minus.length > 0 ? "shrinks" : plus.length > 0 ? "grows" : "other"
}

/** Tables whose entries are added to or taken from somewhere: accounts, not registers. */
const ledgersOf = (contract: ContractModel): ReadonlySet<string> => {
  const ledgers = new Set<string>()
  for (const { paths } of contract.functions.values())
    for (const { others } of paths)
      for (const change of others) {
        const delta = change.location.keys.length > 0 ? entryDelta(change) : "other"
        if (delta === "grows" || delta === "shrinks") ledgers.add(change.location.base)
      }
  return ledgers
}

/**
 * The same in a contract that keeps accounts without being an ERC-20 token: a privileged path adds to an account of
 * the caller's choice, or sets it, and nothing pays for it.
 */
export const creditsLedger = (path: PathSummary, ledgers: ReadonlySet<string>): boolean => {
  if (path.guards.length === 0) return false
  const entries = path.others.filter(isAmountEntry).map((change) => ({ change, delta: entryDelta(change) }))
  return (
    entries.some(
      ({ change, delta }) => delta === "grows" || (delta === "replaced" && ledgers.has(change.location.base))
    ) && !entries.some(({ delta }) => delta === "shrinks")
  )
}

/**
 * Anybody's path on which supply is created for payment other than one for one: a sale or a bonding curve in the token
 * itself. A wrapper gives out exactly what it takes in, and is none.
 */
export const sellsFromCurve = (path: PathSummary): boolean =>
  path.supply.some(({ delta }) => delta.plus.length > 0 || delta.replaced) &&
  path.balances.some(({ delta }) =>
    delta.plus.some((amount) => (amount.from & FROM_VALUE) !== 0 && amount.op !== "env")
  )

/** Anybody's path on which balance is created for payment, at a price that somebody privileged sets. */
export const sellsNewSupply = (path: PathSummary, chosen: ReadonlyArray<Field>): boolean =>
  !path.balances.some(shrinks) &&
  path.balances.some(({ delta }) =>
    delta.plus.some(
      (amount) =>
        (amount.from & FROM_VALUE) !== 0 &&
        readsOf(amount).some(
          (read) => read.location.slot !== undefined && chosen.some((field) => overlaps(field, read))
        )
    )
  )

export const mintPaths = (contract: ContractModel): ReadonlyArray<PathSummary> => {
  const chosen = chosenFields(contract)
  const ledgers = ledgersOf(contract)
  const isToken = contract.functions.has(SELECTOR.transfer)
  return [...contract.functions.values()].flatMap(({ paths }) =>
    paths.filter(
      (path) =>
        isMint(path) ||
        isOpenMint(path) ||
        sellsNewSupply(path, chosen) ||
        sellsFromCurve(path) ||
        (!isToken && creditsLedger(path, ledgers))
    )
  )
}
