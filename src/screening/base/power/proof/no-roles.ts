import { isKnownZero } from "../../../../bytecode/exact/bits.ts"
import type { ExactContract } from "../../../../bytecode/exact/functions.ts"
import { leavesOf } from "../../../../bytecode/exact/tree.ts"
import type { Sliced } from "../../../../bytecode/evm/slices.ts"
import { SELECTOR } from "../../../../bytecode/selector.ts"
import type { Settled } from "./settle.ts"

/** Asked for any role of any account, the contract says no, now and for good. */
export function* saysNobodyHasRoles(contract: ExactContract, settled: Settled): Sliced<boolean> {
  if (settled.stored.empty.length === 0) return false
  const trees = yield* contract.walk(SELECTOR.hasRole, settled.stored)
  const answers = trees.flatMap(leavesOf).filter(({ ending }) => ending !== "revert")
  return (
    answers.length > 0 &&
    answers.every(
      ({ ending, returned }) =>
        ending === "success" && returned !== undefined && isKnownZero(settled.bits.of(returned)) === true
    )
  )
}
