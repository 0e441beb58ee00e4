import { type Expr, FROM_STORAGE } from "../../../../bytecode/evm/expression.ts"
import { OPCODE } from "../../../../bytecode/evm/opcode.ts"
import type { CallRecord } from "../../../../bytecode/evm/path.ts"
import type { Leaf } from "../../../../bytecode/exact/tree.ts"
import { fieldOf } from "../../power/proof/field.ts"
import type { Settled } from "../../power/proof/settle.ts"
import { type GivenMachine, MANAGER, type SwapCall, type SwapWords, isManager } from "./given-call.ts"
import { type Range, type Ranges, atMost } from "../../../../bytecode/exact/ranges.ts"

/** One leaf of a callback's tree of paths, with the known ranges of words there. */
export interface Walked {
  readonly call: SwapCall
  readonly words: SwapWords
  readonly machine: GivenMachine
  readonly leaf: Leaf
  readonly ranges: Ranges
}

export const isForeignCode = ({ kind }: CallRecord): boolean => kind === "delegatecall" || kind === "callcode"

/** Whether a call takes money from the PoolManager: paid out (`take`), or kept as a claim (`mint`). */
export const isTaking = ({ selector }: CallRecord): boolean =>
  selector?.op === "const" && (selector.value === MANAGER.take || selector.value === MANAGER.mint)

/** The largest amount the PoolManager can book, so no swap is larger. Source: Uniswap v4-core `BalanceDelta`. */
const LARGEST_AMOUNT = (1n << 127n) - 1n

/** Length of the PoolManager's code: it has some, and nothing more is assumed. */
const CODE: Range = { least: 1n, most: 1n << 32n }

const isManagersCode = ({ args: [account], op, value }: Expr): boolean =>
  op === "env" && value === BigInt(OPCODE.EXTCODESIZE) && account !== undefined && isManager(account)

/** Ranges that hold for every swap: of its own arguments, and of numbers in storage that no function sets beyond a bound. */
export const givenRanges =
  ({ amountSpecified, delta, tickSpacing }: SwapWords, call: SwapCall, { limitOf }: Settled) =>
  (word: Expr): Range | undefined => {
    if (isManagersCode(word)) return CODE
    if (word === tickSpacing) return { least: 1n, most: 32_767n }
    if (word === amountSpecified)
      return call.exactInput ? { least: -LARGEST_AMOUNT, most: -1n } : { least: 1n, most: LARGEST_AMOUNT }
    const side = sideOf(word, delta)
    // The trader owes the input, so its delta is not positive, and gets the output.
    if (side !== undefined)
      return (side === 0) === call.zeroForOne
        ? { least: -LARGEST_AMOUNT, most: 0n }
        : { least: 0n, most: LARGEST_AMOUNT }
    const field = (word.from & FROM_STORAGE) === 0 ? undefined : fieldOf(word)
    const most = field === undefined ? undefined : limitOf(field)
    return most === undefined ? undefined : atMost(most)
  }

/** Which of the two amounts of a swap the word is. */
export const sideOf = ({ op, args: [by, word] }: Expr, delta: Expr): 0 | 1 | undefined => {
  if (word !== delta || by?.op !== "const") return undefined
  if (op === "sar" && by.value === 128n) return 0
  return op === "signextend" && by.value === 15n ? 1 : undefined
}
