import type { Hex } from "viem"
import { bytesOfHex, decode } from "../../../bytecode/evm/code.ts"
import { type CallRecord, listed } from "../../../bytecode/evm/path.ts"
import type { Sliced } from "../../../bytecode/evm/slices.ts"
import { readExactly } from "../../../bytecode/exact/functions.ts"
import { leavesOf } from "../../../bytecode/exact/tree.ts"

/**
 * The one call by which a position that a V3 pool keeps in its owner's name leaves it: `burn(int24,int24,uint128)`. For a
 * position behind an NFT no code can prove as much: an operator may have been approved when the holder was created.
 */
const BURN = "a34123a7"

/** Larger codes are applications, not boxes: nobody should wait for their analysis here. */
const MAX_CODE_BYTES = 6_000

/**
 * What one look may cost. Steps end it, so that a busy machine decides as an idle one does: they take a tenth of the running
 * time, which only stops what is made to be slow.
 */
export const WAY_OUT_BUDGET = { steps: 60_000, milliseconds: 3_000 }

const isHarmless = ({ kind, selector }: CallRecord): boolean => {
  if (kind === "staticcall") return true
  if (kind !== "call" || selector?.op !== "const") return false
  return selector.value.toString(16).padStart(8, "0") !== BURN
}

/**
 * Whether a contract provably cannot take out liquidity that V3 pools keep in its name: every path of its code was
 * followed, with nothing assumed; it runs no other code in its place, and every call it makes is a named one that moves no
 * position. Anything undecided is `false`, and so is an account whose code stands elsewhere (EIP-7702), which is somebody's
 * key.
 */
export function* noWayOutInSlices(code: Hex, now: () => number): Sliced<boolean> {
  if (code.length > MAX_CODE_BYTES * 2 || code.length <= 2 || code.startsWith("0xef")) return false
  const budget = { steps: WAY_OUT_BUDGET.steps, deadline: now() + WAY_OUT_BUDGET.milliseconds, now }
  const contract = yield* readExactly(decode(bytesOfHex(code)), budget)
  const trees = [contract.fallback]
  for (const selector of contract.selectors)
    if (!contract.isIdle(selector)) trees.push(...(yield* contract.walk(selector)))
  return trees
    .flatMap(leavesOf)
    .every(
      ({ ending, state }) =>
        ending === "revert" || (ending !== "lost" && [...listed(state.calls)].every(isHarmless))
    )
}
