import type { ContractModel } from "../../../../bytecode/contract.ts"
import { NOTHING_STORED } from "../../../../bytecode/exact/bits.ts"
import type { CodeFindings, Finding } from "../findings.ts"
import type { PathSummary } from "../../../../bytecode/summary.ts"
import { environmentFinding } from "./environment.ts"
import { hiddenOwnerFinding } from "./hidden-owner.ts"
import { leakPaths } from "./leak.ts"
import { limitPaths } from "./limit.ts"
import { mintPaths } from "./mint.ts"
import { replaceableFinding } from "./replaceable.ts"
import { findingOf, isNoToken } from "./verdict.ts"
import { gateSlots } from "./gate-slots.ts"
import type { Words } from "./set-up.ts"

/** What the rules found, before the proof. */
export type RuleFindings = Omit<CodeFindings, "steps" | "proof">

const of = (contract: ContractModel, paths: ReadonlyArray<PathSummary>, note: string): Finding =>
  findingOf(
    contract,
    paths.map((path) => path.selector),
    note
  )

/**
 * All rules over one contract.
 * @param words what plain slots hold, where that was read
 * @param settled storage that no path changes any more: no power is left in it
 */
export const applyRules = (contract: ContractModel, words: Words, settled = NOTHING_STORED): RuleFindings => {
  const mint = mintPaths(contract, words)
  const leak = leakPaths(contract)
  const limits = limitPaths(contract, words, settled)
  const dangerous = [...mint, ...leak.held, ...limits.all]
  return {
    hiddenMint: of(contract, mint, "a privileged caller can create balance"),
    limitingSell: of(contract, limits.all, "a privileged caller can make transfers fail"),
    leakingToken: of(contract, leak.paths, "whoever holds a privilege can move tokens or ether out"),
    balanceSeizure: of(
      contract,
      leak.seizures,
      "balances of others can be moved or destroyed without their allowance"
    ),
    blacklist: of(contract, limits.blacklist, "a privileged caller can block single accounts"),
    pause: of(contract, limits.pause, "a privileged caller can stop all transfers"),
    unboundedFee: of(
      contract,
      limits.fee,
      "a privileged caller can set a transfer fee without a bound that leaves half"
    ),
    hiddenOwner: hiddenOwnerFinding(contract, dangerous),
    replaceableCode: replaceableFinding(contract),
    environmentGate: environmentFinding(contract),
    gateSlots: gateSlots(contract, dangerous),
    isToken: !isNoToken(contract)
  }
}
