import { type Address, toHex } from "viem"
import { listed } from "../../../../bytecode/evm/path.ts"
import type { Leaf } from "../../../../bytecode/exact/tree.ts"

/** More are no part of an ordinary token. */
const MAX_ASKED = 4
const FIRST_ACCOUNT = 1n << 16n

/** Accounts fixed in the code that paths ask, where they call nobody else: their answers could prove more. */
export const fixedTargets = (leaves: ReadonlyArray<Leaf>): ReadonlyArray<Address> => {
  const found = new Set<bigint>()
  for (const { ending, state } of leaves)
    for (const { kind, target } of ending === "revert" ? [] : listed(state.calls)) {
      if (target.op === "const" && target.value < FIRST_ACCOUNT) continue
      if (kind !== "staticcall" || target.op !== "const") return []
      found.add(target.value)
    }
  return found.size > MAX_ASKED ? [] : [...found].map((account) => toHex(account, { size: 20 }))
}
