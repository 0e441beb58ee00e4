import { Ranges } from "../../../../bytecode/exact/ranges.ts"
import type { Expr } from "../../../../bytecode/evm/expression.ts"
import { LATEST, type Since, earliest, isMoment } from "../../../../bytecode/exact/moments.ts"
import type { Leaf } from "../../../../bytecode/exact/tree.ts"
import { type Seen, unseen } from "../../../../bytecode/evm/path.ts"

/** Moments are counted in steps of so many seconds, and of as many blocks, so that an answer serves for a while. */
const STEP = 600n

/** The last step before a block. */
export const sinceAt = (at: { readonly blockTime: bigint; readonly blockNumber: bigint }): Since => ({
  time: at.blockTime - (at.blockTime % STEP),
  block: at.blockNumber - (at.blockNumber % STEP)
})

/** A comparison with a date is short. What is longer is not looked at, however deep its author has made it. */
const MOST_WORDS = 48

/** Whether the time or the block is in a short word. */
const asks = (word: Expr): boolean => {
  const seen = new Set([word])
  let found = false
  for (const one of seen) {
    if (seen.size > MOST_WORDS) return false
    found ||= isMoment(one)
    one.args.forEach((part) => seen.add(part))
  }
  return found
}

/** Whether a date may decide which way these paths go. */
export const asksMoment = (leaves: ReadonlyArray<Leaf>): boolean => {
  const seen: Seen = new Set()
  return leaves.some(({ state }) => [...unseen(state.conditions, seen)].some(({ expr }) => asks(expr)))
}

/** What comparisons with dates come to that have passed: time only goes on. */
export const decidesDates = (since: Since): ((expr: Expr) => boolean | undefined) => {
  const ranges = new Ranges((word) =>
    isMoment(word) ? { least: earliest(word, since), most: LATEST } : undefined
  )
  return (expr) => (asks(expr) ? ranges.truth(expr) : undefined)
}
