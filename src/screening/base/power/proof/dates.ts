import { Ranges } from "../../../../bytecode/exact/ranges.ts"
import { type Expr, isEnv } from "../../../../bytecode/evm/expression.ts"
import type { Leaf } from "../../../../bytecode/exact/tree.ts"
import { type Seen, unseen } from "../../../../bytecode/evm/path.ts"

/** A moment that has passed: whatever is called is called later. */
export interface Since {
  /** Unix seconds. */
  readonly time: bigint
  readonly block: bigint
}

/** Moments are counted in steps of so many seconds, and of as many blocks, so that an answer serves for a while. */
const STEP = 600n

/** The last step before a block. */
export const sinceAt = (at: { readonly blockTime: bigint; readonly blockNumber: bigint }): Since => ({
  time: at.blockTime - (at.blockTime % STEP),
  block: at.blockNumber - (at.blockNumber % STEP)
})

const TIMESTAMP = 0x42n
const NUMBER = 0x43n

/** In forty bits there are more seconds than anybody will count. */
const LATEST = (1n << 40n) - 1n

/** A comparison with a date is short. What is longer is not looked at, however deep its author has made it. */
const MOST_WORDS = 48

const isMoment = (word: Expr): boolean => isEnv(word, TIMESTAMP) || isEnv(word, NUMBER)

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
export const decidesDates = ({ block, time }: Since): ((expr: Expr) => boolean | undefined) => {
  const ranges = new Ranges((word) =>
    isMoment(word) ? { least: isEnv(word, TIMESTAMP) ? time : block, most: LATEST } : undefined
  )
  return (expr) => (asks(expr) ? ranges.truth(expr) : undefined)
}
