import type { ContractModel } from "../../../../bytecode/contract.ts"
import { type Expr, FROM_CALLDATA, FROM_STORAGE, contains } from "../../../../bytecode/evm/expression.ts"
import { listed } from "../../../../bytecode/evm/path.ts"
import { stripped } from "../../../../bytecode/guard.ts"
import { type Change, type Field, overlaps, readsOf } from "../../../../bytecode/location.ts"
import { SELECTOR } from "../../../../bytecode/selector.ts"
import { type PathSummary, argument, isAmount } from "../../../../bytecode/summary.ts"
import { growsWith, isCutIn } from "./wrapping.ts"

const TRANSFERS: ReadonlyArray<string> = [SELECTOR.transfer, SELECTOR.transferFrom]

export const transferPaths = (contract: ContractModel): ReadonlyArray<PathSummary> =>
  TRANSFERS.flatMap((selector) => contract.functions.get(selector)?.paths ?? [])

/**
 * A number by which amounts are multiplied, divided or shifted on the way through a transfer. `whole`: what the recipient's loss
 * is divided by after it was multiplied with the number, where the code fixes that.
 */
export interface Fee extends Field {
  readonly kind: "factor" | "divisor" | "shift"
  readonly whole: bigint | undefined
  /** Whatever its bits hold takes no more than half. */
  readonly isNarrow: boolean
}

type Found = Omit<Fee, "isNarrow">

const isDivided = (expr: Expr): bigint | undefined => {
  const [shift, whole] = expr.args
  if (expr.op === "shr" && shift?.op === "const") return 1n << shift.value
  return expr.op === "div" && whole?.op === "const" && whole.value > 0n ? whole.value : undefined
}

/** The recipient's own entry on a path of a transfer. */
const isRecipients = ({ arena }: ContractModel, { selector }: PathSummary, key: Expr): boolean =>
  contains(key, argument(arena, selector === SELECTOR.transfer ? 0 : 1))

/** What the recipient gets is an amount divided or shifted: more than half arrives up to a divisor of two, or a shift by one. */
const keptBy = (word: Expr): { readonly by: Expr; readonly whole: bigint } | undefined => {
  const { args, op } = stripped(word)
  const [a, b] = args
  if (a === undefined || b === undefined) return undefined
  if (op === "shr") return { by: a, whole: 2n }
  return op === "div" && a.op !== "mul" ? { by: b, whole: 4n } : undefined
}

const HALF = 2n

/** A fee by such a factor takes no more than half. */
const isHalf = (factor: bigint, whole: bigint | undefined): boolean =>
  whole === undefined || factor * HALF <= whole

/** The largest number that bits of a word can be. */
const largestIn = (mask: bigint): bigint => (mask === 0n ? 0n : mask / (mask & -mask))

/** The code says what the number is a part of, and its bits hold no more than half of that, wherever it is asked. */
const isNarrowIn = (fees: ReadonlyArray<Found>, fee: Found): boolean => {
  const same = fees.filter((other) => overlaps(fee, other))
  return (
    same.every(({ kind, mask, whole }) => kind === "factor" && isHalf(largestIn(mask), whole)) &&
    same.some(({ whole }) => whole !== undefined)
  )
}

/** The numbers an amount is multiplied with on the way through a transfer. */
export const feesOf = (contract: ContractModel): ReadonlyArray<Fee> => {
  const fees: Array<Found> = []
  const collector = (isLoss: boolean): ((expr: Expr, whole?: bigint) => void) => {
    const seen = new Set<Expr>()
    const put = (kind: Fee["kind"], word: Expr, whole: bigint | undefined): void => {
      for (const field of readsOf(word))
        if (!isAmount(contract.model, field)) fees.push({ ...field, kind, whole: isLoss ? whole : undefined })
    }
    const visit = (expr: Expr, whole?: bigint): void => {
      if ((expr.from & FROM_STORAGE) === 0 || seen.has(expr)) return
      seen.add(expr)
      const [product, divisor] = expr.args
      if (expr.op === "mul") put("factor", expr, whole)
      if (
        isLoss &&
        expr.op === "div" &&
        product !== undefined &&
        product.op !== "mul" &&
        divisor !== undefined
      )
        put("divisor", divisor, undefined)
      if (isLoss && expr.op === "shr" && product !== undefined) put("shift", product, undefined)
      for (const arg of expr.args) visit(arg, isDivided(expr))
    }
    return visit
  }
  const [any, lost] = [collector(false), collector(true)]
  for (const path of transferPaths(contract))
    for (const { delta, key } of path.balances)
      if (isRecipients(contract, path, key)) {
        delta.minus.forEach((word) => lost(word))
        for (const { by, whole } of delta.plus.map(keptBy).filter((kept) => kept !== undefined))
          for (const field of readsOf(by))
            if (!isAmount(contract.model, field)) fees.push({ ...field, kind: "factor", whole })
      }
  for (const { expr } of contract.gates) any(expr)
  for (const path of transferPaths(contract))
    for (const { delta } of path.balances) [...delta.plus, ...delta.minus].forEach((word) => any(word))
  return fees.map((fee) => ({ ...fee, isNarrow: isNarrowIn(fees, fee) }))
}

/** The word itself, or a sum of which it is a part. */
const isSumWith = (word: Expr, value: Expr): boolean => {
  const e = stripped(word)
  return e === value || (e.op === "add" && e.args.some((part) => isSumWith(part, value)))
}

interface Limit {
  readonly word: Expr
  readonly limit: Expr
}

/** The comparisons a path has passed that say how much, or how little, something is that is worked out with the value. */
const limitsOf = (path: PathSummary, value: Expr, side: "above" | "below"): ReadonlyArray<Limit> =>
  [...listed(path.outcome.conditions)].flatMap(({ expr, holds }) => {
    const [a, b] = expr.args
    if (expr.op !== "lt" || a === undefined || b === undefined) return []
    const [less, more] = holds ? [a, b] : [b, a]
    const [word, limit] = side === "above" ? [less, more] : [more, less]
    return contains(word, value) && !contains(limit, value) ? [{ word, limit }] : []
  })

/** How many bits of the value are written, wherever they are put. */
const widthOf = ({ args: [shift, moved], bits, op }: Expr): number =>
  op === "shl" && shift?.op === "const" && moved !== undefined ? widthOf(moved) : bits

/** Those of them that keep what is written of a value from being higher. */
const mostsOf = (contract: ContractModel, path: PathSummary, part: Expr): ReadonlyArray<Limit> => {
  const value = stripped(part)
  return limitsOf(path, value, "above").filter(
    ({ word }) => growsWith(contract, path, word, value) && !isCutIn(path, word, value, widthOf(part))
  )
}

/** The path refuses to write more than some number in the code. */
export const isCapped = (contract: ContractModel, path: PathSummary, part: Expr): boolean =>
  mostsOf(contract, path, part).some(({ limit }) => limit.op === "const")

/** What is asked of a limit that is no number. */
type IsBound = (limit: Expr, whole: bigint | undefined) => boolean

/** Whether the path refuses such values of a factor as would take most of an amount; all of it is no bound. */
const refusesHigh = (
  contract: ContractModel,
  path: PathSummary,
  part: Expr,
  whole: bigint | undefined,
  isBound: IsBound
): boolean => {
  const value = stripped(part)
  const limits = mostsOf(contract, path, part)
  if (limits.length === 0)
    return whole !== undefined && value.bits < 256 && isHalf((1n << BigInt(value.bits)) - 1n, whole)
  return limits.some(({ word, limit }) =>
    limit.op === "const" ? !isSumWith(word, value) || isHalf(limit.value, whole) : isBound(limit, whole)
  )
}

/**
 * Whatever is written to these fields is a number, or below one, or what stood in one of them: fees are put aside and back.
 * @param seen fields of which that is asked already
 */
const isKeptLow = (
  contract: ContractModel,
  fields: ReadonlyArray<Field>,
  whole: bigint | undefined,
  seen: ReadonlyArray<Field> = []
): boolean => {
  const all = [...seen, ...fields]
  const isLow = (path: PathSummary, part: Expr): boolean => {
    const value = stripped(part)
    if (value.op === "const") return isHalf(value.value, whole)
    if (value.op !== "sload") return refusesHigh(contract, path, part, whole, () => false)
    const others = readsOf(value).filter((read) => !all.some((field) => overlaps(field, read)))
    return others.length === 0 || isKeptLow(contract, others, whole, all)
  }
  const written = [...contract.functions.values()].flatMap(({ paths }) =>
    paths.flatMap((path) =>
      path.others
        .filter((change) => fields.some((field) => overlaps(field, change)))
        .map(({ parts }) => parts.every((part) => isLow(path, part)))
    )
  )
  // What stands there since the contract's birth the code does not tell.
  return written.length > 0 && written.every((isNumber) => isNumber)
}

/** A limit that stands in storage is one where that is kept low; any other is the caller's. */
const isStoredBound =
  (contract: ContractModel): IsBound =>
  (limit, whole) => {
    const fields = readsOf(limit)
    return fields.length > 0 && (limit.from & FROM_CALLDATA) === 0 && isKeptLow(contract, fields, whole)
  }

/** A divisor of one takes everything, and of less than two most of it; a shift by nothing takes everything. */
const LEAST = { divisor: HALF, shift: 1n } as const

/** Whether the path refuses lower values than that. */
const refusesLow = (path: PathSummary, value: Expr, least: bigint): boolean =>
  (least === 1n && [...listed(path.outcome.conditions)].some(({ expr, holds }) => holds && expr === value)) ||
  limitsOf(path, value, "below").some(({ limit }) => limit.op === "const" && limit.value >= least)

/** Whether whatever the path writes takes no more than half of an amount. */
export const isBounded = (
  contract: ContractModel,
  path: PathSummary,
  change: Change,
  fees: ReadonlyArray<Fee>
): boolean =>
  change.parts.every((part) =>
    fees.every((fee) => {
      const { isNarrow, kind, whole } = fee
      const value = stripped(part)
      if (isNarrow) return true
      if (kind !== "factor")
        return value.op === "const" ? value.value >= LEAST[kind] : refusesLow(path, value, LEAST[kind])
      if (value.op === "sload") return isKeptLow(contract, readsOf(value), whole, [fee])
      return value.op === "const"
        ? isHalf(value.value, whole)
        : refusesHigh(contract, path, part, whole, isStoredBound(contract))
    })
  )

/** The same of a constant, where the code also says what it is a part of. */
export const isBearable = (
  contract: ContractModel,
  path: PathSummary,
  change: Change,
  fees: ReadonlyArray<Fee>
): boolean =>
  fees.some(({ kind, whole }) => kind !== "factor" || whole !== undefined) &&
  isBounded(contract, path, change, fees)

/** Fees that are written somewhere, and wherever they are, it is to no more than half. */
export const bearableFees = (contract: ContractModel, fees: ReadonlyArray<Fee>): ReadonlyArray<Fee> => {
  const written = [...contract.functions.values()]
    .flatMap(({ paths }) => paths)
    .flatMap((path) => path.others.map((change) => ({ path, change })))
  return fees.filter((fee) => {
    const changes = written.filter(({ change }) => overlaps(change, fee))
    return (
      changes.length > 0 &&
      changes.every(({ path, change }) =>
        constantParts(change)
          ? isBearable(contract, path, change, [fee])
          : isBounded(contract, path, change, [fee])
      )
    )
  })
}

const constantParts = ({ parts }: Change): boolean => parts.every(({ op }) => op === "const")
