import {
  type Expr,
  FROM_CALL,
  FROM_CALLDATA,
  FROM_STORAGE,
  FROM_TIME,
  isEnv
} from "../../../../bytecode/evm/expression.ts"
import { listed } from "../../../../bytecode/evm/path.ts"
import type { Leaf } from "../../../../bytecode/exact/tree.ts"
import { type Doubt, power, unproven } from "./findings.ts"
import { isForeignCode } from "./walked.ts"

const THIS = 0x30n
/** Larger questions are not looked through. */
const MOST_ASKED = 400

const TIMESTAMP = 0x42n
const EXTCODESIZE = 0x3bn
const LARGEST_TIME = 1n << 40n

/** Opcodes by which a word looks at the block, the transaction or other accounts. */
const seenBy = ({ args, op, value }: Expr): ReadonlyArray<bigint> => [
  ...(op === "env" && value !== THIS ? [value] : []),
  ...args.flatMap(seenBy)
]

/** The date before which alone a path can be taken: the code compares the time with a number of its own. */
const endOf = ({ state }: Leaf): number | undefined => {
  for (const { expr, holds } of listed(state.conditions)) {
    const [a, b] = expr.op === "lt" ? expr.args : []
    const [time, date] = holds ? [a, b] : [b, a]
    if (time === undefined || date === undefined || !isTime(time)) continue
    const [from, less] = date.op === "add" ? date.args : []
    // `time < time - date`, the compiler's test for a borrow, is `time < date`.
    const end =
      date.op === "const"
        ? date.value
        : holds && from === time && less?.op === "const"
          ? BigInt.asUintN(256, -less.value)
          : undefined
    // `time < date` is past with the date, `time <= date` a second later.
    if (end !== undefined && end < LARGEST_TIME) return Number(end) + (holds ? 0 : 1)
  }
  return undefined
}

const isTime = (word: Expr): boolean => isEnv(word, TIMESTAMP)

/** Who or what decides, by the last thing that was asked before a swap is refused. */
export const refusalOf = (leaf: Leaf): Doubt => {
  const { calls, conditions } = leaf.state
  const asked = conditions?.expr
  if ([...listed(calls)].some(isForeignCode)) return power("runs code that can be replaced")
  if (asked === undefined) return power("refuses every swap in one direction")
  const seen = new Set(asked.size > MOST_ASKED ? [] : seenBy(asked))
  if ((asked.from & FROM_STORAGE) !== 0) return power("can stop swaps by a stored switch, number or list")
  if ((asked.from & FROM_TIME) !== 0) {
    const until = endOf(leaf)
    const doubt = power("stops swaps by the time or the block")
    return until === undefined ? doubt : { ...doubt, until }
  }
  if ((asked.from & FROM_CALL) !== 0 || seen.has(EXTCODESIZE))
    return unproven("asks another contract before it lets a swap through")
  if (seen.size > 0) return power("refuses swaps by who pays for them, how, or where they run")
  if ((asked.from & FROM_CALLDATA) !== 0) return power("refuses swaps by who makes them or by their size")
  return unproven("may refuse swaps, which could not be followed")
}
