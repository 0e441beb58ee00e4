import type { ContractModel } from "../../../../bytecode/contract.ts"
import { isOpenWith } from "../../../../bytecode/once.ts"
import type { PathSummary } from "../../../../bytecode/summary.ts"
import type { CodeProof, Finding } from "../findings.ts"

/** What plain slots hold, where that was read. */
export type Words = ReadonlyMap<bigint, bigint>

/**
 * Anybody takes the path, and nobody a second time: the contract was set up by it. One that is read to stand open still is
 * a power of whoever comes first.
 */
export const isSetUp = (
  { arena, functions, latches }: ContractModel,
  { guards, outcome, selector }: PathSummary,
  words: Words
): boolean => {
  const slot = latches.get(outcome)
  const exploration = functions.get(selector)?.exploration
  if (slot === undefined || exploration === undefined || guards.length > 0) return false
  const word = words.get(slot)
  return word === undefined || !isOpenWith(arena, exploration, outcome, slot, word)
}

/** Functions that do nothing to balances but set the contract up. */
export const setUpFunctions = (contract: ContractModel, words: Words): ReadonlySet<string> =>
  new Set(
    [...contract.functions.values()].flatMap(({ exploration, paths, selector }) => {
      const giving = paths.filter(({ balances }) => balances.length > 0)
      const isAll = exploration.complete && giving.every((path) => isSetUp(contract, path, words))
      return isAll && giving.length > 0 ? [selector] : []
    })
  )

/** Slots that say whether the contract was set up. */
export const setUpSlots = ({ functions, latches }: ContractModel): ReadonlyArray<bigint> => [
  ...new Set(
    [...functions.values()].flatMap(({ paths }) =>
      paths.flatMap(({ balances, guards, outcome }) => {
        const slot = latches.get(outcome)
        return slot !== undefined && guards.length === 0 && balances.length > 0 ? [slot] : []
      })
    )
  )
]

/**
 * No mint was found because what makes one is taken for what set the contract up: where words of its storage were read, but
 * not the one that says so, nobody knows.
 */
export const whereSetUpIsRead = (
  hiddenMint: Finding,
  contract: ContractModel,
  { conservation }: CodeProof,
  words: Words
): Finding => {
  const isKnown = words.size === 0 || setUpSlots(contract).every((slot) => words.has(slot))
  return isKnown || hiddenMint.state !== "not-found" || conservation.holes.length === 0
    ? hiddenMint
    : { state: "undecided", why: "whether the contract was set up was not read" }
}
