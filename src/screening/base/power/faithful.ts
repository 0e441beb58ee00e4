import type { Hex } from "viem"
import { bytesOfHex, decode } from "../../../bytecode/evm/code.ts"
import type { Sliced } from "../../../bytecode/evm/slices.ts"
import { passesOn } from "../../../bytecode/exact/passing.ts"
import { decidesCaller } from "./proof/possible.ts"
import type { SlotValue } from "./proof/slot-value.ts"
import { accountIn, PROXY_SLOTS } from "./proxy-slots.ts"

/**
 * What one look at a proxy's own code may cost: steps, and so much running time that no busy machine ends it before them.
 * Proxies are short: a few hundred steps.
 */
export const FAITHFUL_BUDGET = { steps: 20_000, milliseconds: 2_000 }

/**
 * Whether a contract runs the code that its proxy slot names, and has no function, condition or answer of its own.
 * @param words what its proxy slots hold
 */
export const faithfulInSlices = (
  code: Hex,
  now: () => number,
  words: ReadonlyArray<SlotValue>
): Sliced<boolean> => {
  const wordOf = (name: Hex): bigint => words.find(({ slot }) => slot === name)?.value ?? 0n
  const isStandard = wordOf(PROXY_SLOTS.implementation) !== 0n
  const admin = accountIn(wordOf(PROXY_SLOTS.admin))
  return passesOn(
    decode(bytesOfHex(code)),
    {
      slot: BigInt(isStandard ? PROXY_SLOTS.implementation : PROXY_SLOTS.zos),
      adminSlot: BigInt(PROXY_SLOTS.admin),
      admin: admin === null ? undefined : BigInt(admin)
    },
    { steps: FAITHFUL_BUDGET.steps, deadline: now() + FAITHFUL_BUDGET.milliseconds, now },
    decidesCaller
  )
}
