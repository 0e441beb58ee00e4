import type { ContractModel } from "../../../../bytecode/contract.ts"
import { type Expr, FROM_CALLDATA, WORD_MASK, contains } from "../../../../bytecode/evm/expression.ts"
import { type Condition, listed } from "../../../../bytecode/evm/path.ts"
import { stripped } from "../../../../bytecode/guard.ts"
import type { PathSummary } from "../../../../bytecode/summary.ts"

const HALF = 1n << 255n

/** The most that a condition lets a word be, where that is a number. */
const mostBy = ({ expr, holds }: Condition, word: Expr): bigint | undefined => {
  const [a, b] = expr.op === "lt" ? expr.args : []
  const [less, more] = holds ? [a, b] : [b, a]
  return less === word && more?.op === "const" ? more.value : undefined
}

/** The path keeps the word so small that nothing is lost when the number is added to it, or it is multiplied with it. */
const isSmall = ({ outcome }: PathSummary, word: Expr, { op, value }: Expr, by: "add" | "mul"): boolean =>
  op === "const" &&
  [...listed(outcome.conditions)].some((condition) => {
    const most = mostBy(condition, word)
    return most !== undefined && (by === "add" ? most + value : most * value) <= WORD_MASK
  })

/** What a word is as a number, as far as that is known. */
type AsKnown = (word: Expr) => Expr

const asItIs: AsKnown = (word) => word

/** The sum, product or shift by itself may be longer than a word, of which the rest is any number. */
const isLong = ({ arena }: ContractModel, path: PathSummary, e: Expr, asKnown: AsKnown = asItIs): boolean => {
  const [a, b] = e.args
  if (e.bits < 256 || a === undefined || b === undefined || arena.checked.has(e)) return false
  if (e.op === "shl") return true
  if (e.op === "mul") return !isSmall(path, b, asKnown(a), "mul")
  // What is taken away is kept as an addition: below zero lie large numbers.
  return e.op === "add" && !(b.op === "const" && b.value >= HALF) && !isSmall(path, a, b, "add")
}

/** Whether something that the word is worked out from may be longer than a word, and nothing asks. */
export const mayWrap = (contract: ContractModel, path: PathSummary, word: Expr, asKnown: AsKnown): boolean =>
  isLong(contract, path, word, asKnown) || word.args.some((arg) => mayWrap(contract, path, arg, asKnown))

/** The number is the code's own, or stands in storage: nobody chooses it to hide what it is multiplied with or divided by. */
const isGiven = (e: Expr): boolean => (e.from & FROM_CALLDATA) === 0

/** Bits of a word up to the highest one that is set. */
const lengthOf = (mask: bigint): number => mask.toString(2).length

/** Bits that the value has on the path, which may have asked that it has no more. */
const bitsOn = ({ outcome }: PathSummary, value: Expr): number =>
  Math.min(
    value.bits,
    ...[...listed(outcome.conditions)].flatMap(({ expr, holds }) => {
      const cut = holds && expr.op === "eq" && expr.args.includes(value) ? expr.args : []
      return cut.flatMap(({ args: [mask, of], op }) =>
        op === "and" && mask?.op === "const" && of === value ? [lengthOf(mask.value)] : []
      )
    })
  )

/** Some of the value's bits are left out of the word: it may be small where the value is large. */
export const isCutIn = (path: PathSummary, word: Expr, value: Expr, written: number): boolean => {
  const bits = Math.min(bitsOn(path, value), written)
  const isCut = (e: Expr): boolean => {
    const [mask, of] = e.args
    if (e.op === "and" && mask?.op === "const" && of === value)
      return (mask.value & ((1n << BigInt(bits)) - 1n)) !== (1n << BigInt(bits)) - 1n
    return e.args.some(isCut)
  }
  return isCut(word)
}

/** The word is large where the value is: a sum, a product, a share, of which nothing is lost. */
export const growsWith = (contract: ContractModel, path: PathSummary, word: Expr, value: Expr): boolean => {
  const e = stripped(word)
  const [a, b] = e.args
  if (e === value) return true
  if (a === undefined || b === undefined || isLong(contract, path, e)) return false
  const grows = (part: Expr): boolean => growsWith(contract, path, part, value)
  if (e.op === "add") return grows(a) || grows(b)
  if (e.op === "mul") return (grows(a) && isGiven(b)) || (grows(b) && isGiven(a))
  return e.op === "div" && grows(a) && isGiven(b)
}

/** The word is worked out with the value by something that may be longer than a word: it can be small where the value is large. */
export const isLostIn = (contract: ContractModel, path: PathSummary, word: Expr, value: Expr): boolean =>
  word !== value &&
  contains(word, value) &&
  (isLong(contract, path, word) || word.args.some((arg) => isLostIn(contract, path, arg, value)))
