import { deltaOf } from "../../../../bytecode/amount.ts"
import type { ContractModel } from "../../../../bytecode/contract.ts"
import { FROM_CALLDATA } from "../../../../bytecode/evm/expression.ts"
import type { Change } from "../../../../bytecode/location.ts"
import type { PathSummary } from "../../../../bytecode/summary.ts"

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
export const ledgersOf = (contract: ContractModel): ReadonlySet<string> => {
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
