import { type Expr, FROM_STORAGE, FROM_TIME } from "../../../../bytecode/evm/expression.ts"
import type { CallRecord } from "../../../../bytecode/evm/path.ts"
import { type Doubt, power, unproven } from "./findings.ts"
import { MANAGER } from "./given-call.ts"
import { bpsOf, shareOf } from "./shares.ts"
import { type Walked, isTaking, sideOf } from "./walked.ts"

/** The amount a callback keeps is in its second word: the low half after a swap, the high half before it. */
const keptBy = ({ call, leaf, machine, ranges }: Walked): Expr | undefined => {
  const [, word] = machine.answerOf(leaf.state)
  if (word === undefined) return undefined
  if (call.callback === "after" || ranges.truth(word) === false) return word
  const [by, kept] = word.args
  return word.op === "shl" && by?.op === "const" && by.value === 128n ? kept : undefined
}

/** What the hook has itself paid is what it keeps of the swap, in the same currency: else the swap cannot be settled. */
const isSettled = (walked: Walked, kept: Expr, takings: ReadonlyArray<CallRecord>): boolean => {
  const { call, ranges, words } = walked
  const [taking, another] = takings
  if (taking === undefined) return ranges.truth(kept) === false
  // Before a swap it keeps of what is named, after it of the other side; exact input names what goes in.
  const isInput = (call.callback === "before") === call.exactInput
  const currency = words.currencies[isInput === call.zeroForOne ? 0 : 1]
  const isMint = taking.selector?.value === MANAGER.mint
  const paid = isMint ? taking.input[1] : taking.input[0]
  const [, , amount] = taking.input
  return (
    another === undefined &&
    paid === currency &&
    amount !== undefined &&
    ranges.plain(amount) === ranges.plain(kept)
  )
}

/** The share of the swap that a path keeps at most. */
export const takingOf = (
  walked: Walked,
  calls: ReadonlyArray<CallRecord>
): { readonly bps: number; readonly doubts: ReadonlyArray<Doubt> } => {
  const { call, ranges, words } = walked
  const kept = keptBy(walked)
  const takings = calls.filter(isTaking)
  if (kept === undefined)
    return { bps: 0, doubts: [unproven("takes a share of swaps that could not be followed")] }
  const isAmount = (word: Expr): boolean => {
    if (call.callback === "before") return word === words.amountSpecified
    return sideOf(word, words.delta) === (call.exactInput === call.zeroForOne ? 1 : 0)
  }
  const share = shareOf(kept, isAmount, ranges)
  if (share === undefined)
    return {
      bps: 0,
      doubts: [
        (kept.from & FROM_STORAGE) !== 0
          ? power("takes a share of swaps that a stored number without a bound decides")
          : (kept.from & FROM_TIME) !== 0
            ? power("takes a share of swaps that the time or the block decides")
            : unproven("takes a share of swaps that could not be bounded")
      ]
    }
  // A negative number is what the hook gives.
  const isGift = ranges.of(kept).least < 0n
  if (isGift || !isSettled(walked, kept, takings))
    return { bps: bpsOf(share), doubts: [unproven("takes and gives amounts that do not add up")] }
  return { bps: bpsOf(share), doubts: [] }
}
