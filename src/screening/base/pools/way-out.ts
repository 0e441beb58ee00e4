import type { Hex } from "viem"
import { readContract } from "../../../bytecode/contract.ts"
import { bytesOfHex, decode } from "../../../bytecode/evm/code.ts"
import { listed } from "../../../bytecode/evm/path.ts"
import type { Sliced } from "../../../bytecode/evm/slices.ts"

/**
 * Calls by which liquidity leaves its owner: a V3 pool's `burn` and, for position NFTs, `decreaseLiquidity`, `burn` and
 * the ways to pass the NFT on or let others do so.
 */
const WAYS_OUT: ReadonlySet<string> = new Set([
  "a34123a7", // burn(int24,int24,uint128)
  "0c49ccbe", // decreaseLiquidity((uint256,uint128,uint256,uint256,uint256))
  "42966c68", // burn(uint256)
  "23b872dd", // transferFrom(address,address,uint256)
  "42842e0e", // safeTransferFrom(address,address,uint256)
  "b88d4fde", // safeTransferFrom(address,address,uint256,bytes)
  "095ea7b3", // approve(address,uint256)
  "a22cb465", // setApprovalForAll(address,bool)
  "ac9650d8" // multicall(bytes[])
])

/** Larger codes are applications, not boxes: nobody should wait for their analysis here. */
const MAX_CODE_BYTES = 6_000

/** What one look may cost, running time only. */
export const WAY_OUT_BUDGET = { steps: 60_000, milliseconds: 300 }

/**
 * Whether a contract provably cannot take out liquidity that it owns: its whole code was followed, it runs no other
 * code in its place, and every call it makes is a named one that moves no position. Anything undecided is `false`.
 */
export function* noWayOutInSlices(code: Hex, now: () => number): Sliced<boolean> {
  if (code.length > MAX_CODE_BYTES * 2 || code.length <= 2) return false
  const left = { steps: WAY_OUT_BUDGET.steps, deadline: now() + WAY_OUT_BUDGET.milliseconds, now }
  const contract = yield* readContract(decode(bytesOfHex(code)), left)
  if (!contract.complete || contract.unresolved || contract.delegates) return false
  return [...contract.functions.values()].every(({ paths }) =>
    paths.every(({ outcome }) =>
      [...listed(outcome.calls)].every(({ selector, kind }) => {
        if (kind === "staticcall") return true
        if (selector?.op !== "const") return false
        return !WAYS_OUT.has(selector.value.toString(16).padStart(8, "0"))
      })
    )
  )
}
