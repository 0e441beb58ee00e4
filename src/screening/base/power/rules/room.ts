import type { ContractModel } from "../../../../bytecode/contract.ts"
import { type Expr, FROM_CALLDATA, FROM_TIME, contains } from "../../../../bytecode/evm/expression.ts"
import { type Condition, listed } from "../../../../bytecode/evm/path.ts"
import { type Change, overlaps, readsOf } from "../../../../bytecode/location.ts"
import { SELECTOR } from "../../../../bytecode/selector.ts"
import { substitute } from "../../../../bytecode/substitute.ts"
import { type PathSummary, isAmount } from "../../../../bytecode/summary.ts"
import type { Gate } from "../../../../bytecode/transfer-path.ts"
import { namesParty } from "./policy.ts"
import type { Words } from "./set-up.ts"
import { mayWrap } from "./wrapping.ts"

/** A supply that stands in storage is reckoned with as this: large enough that no share of it is lost to rounding. */
const SUPPLY = 10n ** 36n
const NO_WORDS: Words = new Map()
/** Who may sell a thousandth of all there is at a time may sell. */
export const PARTS = 1000n

/**
 * All there is, where the code says it or the slot was read that holds it.
 * @param unknown what it is taken for elsewhere
 */
export const supplyIn = ({ functions }: ContractModel, words: Words, unknown: bigint): bigint => {
  const [answer, ...others] = functions.get(SELECTOR.totalSupply)?.paths ?? []
  const returned = answer?.outcome.returned
  if (returned === undefined || others.length > 0) return unknown
  if (returned.op === "const") return returned.value
  const [key] = returned.op === "sload" ? returned.args : []
  return (key?.op === "const" ? words.get(key.value) : undefined) ?? unknown
}

const supplyOf = (contract: ContractModel): bigint => supplyIn(contract, NO_WORDS, SUPPLY)

type Known = (word: Expr) => bigint | undefined

/** What a word is once the supply and some of its parts are known. */
const withKnown = ({ arena, model }: ContractModel, word: Expr, known: Known): Expr =>
  substitute(arena, word, (e) => {
    const value = known(e)
    if (value !== undefined) return arena.constant(value)
    const base = e.op === "sload" ? readsOf(e)[0]?.location : undefined
    return base?.slot !== undefined && model.supply.has(base.base) ? arena.constant(SUPPLY) : undefined
  })

interface Bound {
  readonly word: Expr
  readonly limit: Expr
}

/** The condition says that the word is no less than the limit, or no more. */
const boundOf = (
  { arena }: ContractModel,
  { expr, holds }: Condition,
  side: "least" | "most"
): Bound | undefined => {
  const [a, b] = expr.args
  if (expr.op !== "lt" || a === undefined || b === undefined)
    return holds && side === "least" ? { word: expr, limit: arena.one } : undefined
  const [less, more] = holds ? [a, b] : [b, a]
  return side === "least" ? { word: more, limit: less } : { word: less, limit: more }
}

/** The least a path can write, where that is a number; what the caller chooses is no less than what it is compared with. */
const leastWritten = (contract: ContractModel, path: PathSummary, part: Expr): ReadonlyArray<bigint> => {
  const asNumber = (word: Expr, known: Known = () => undefined): ReadonlyArray<bigint> => {
    const { op, value } = withKnown(contract, word, known)
    return op === "const" ? [value] : []
  }
  if ((part.from & FROM_CALLDATA) === 0) return asNumber(part)
  if (mayWrap(contract, path, part, (e) => withKnown(contract, e, () => undefined))) return []
  return [...listed(path.outcome.conditions)].flatMap((condition) => {
    const bound = boundOf(contract, condition, "least")
    if (bound === undefined || !contains(part, bound.word)) return []
    return asNumber(bound.limit).flatMap((least) =>
      asNumber(part, (e) => (e === bound.word ? least : undefined))
    )
  })
}

/** Holdings that may not grow leave no room for a pool, which is exempt where the condition is not asked for all. */
export const isForAll = ({ gates, model }: ContractModel, { expr }: Gate, amount: Expr): boolean =>
  readsOf(amount).length > 0 &&
  !(
    readsOf(amount).every((field) => isAmount(model, field)) &&
    gates.some((other) => namesParty(other.expr) && other.decides.includes(expr))
  )

const HALF = 1n << 255n

/** The end of a list that grows: what stood before it still does. */
export const movesEndOn = ({ key, parts }: Change, { expr, failsWhen }: Gate): boolean => {
  const [of, end] = expr.args
  const [part] = parts
  const [old, step] = part?.op === "add" ? part.args : []
  return (
    expr.op === "lt" &&
    failsWhen === false &&
    end?.op === "sload" &&
    end === old &&
    end.args[0] === key &&
    of !== undefined &&
    !contains(of, end) &&
    step?.op === "const" &&
    step.value < HALF
  )
}

/** No wait of an hour keeps anybody from selling. */
const HOUR = 3600n

/** The condition asks for a while to have passed since something, and the path refuses a longer one than an hour. */
export const isShortWait = (
  contract: ContractModel,
  { outcome }: PathSummary,
  { key, parts }: Change,
  { expr }: Gate
): boolean => {
  const [part] = parts
  const sum =
    expr.op === "lt" && (expr.from & FROM_TIME) !== 0 ? expr.args.find(({ op }) => op === "add") : undefined
  if (part === undefined || !sum?.args.some(({ args, op }) => op === "sload" && args[0] === key)) return false
  return [...listed(outcome.conditions)].some((condition) => {
    const bound = boundOf(contract, condition, "most")
    return bound?.word === part && bound.limit.op === "const" && bound.limit.value <= HOUR
  })
}

/** The path is taken where there is no supply: old multiplications ask, and go a way of their own. */
const isOfNothing = (contract: ContractModel, { outcome }: PathSummary): boolean =>
  [...listed(outcome.conditions)].some(
    ({ expr, holds }) =>
      !holds && expr.op === "sload" && withKnown(contract, expr, () => undefined).value === SUPPLY
  )

/** The most that may be sold at once is a share of the supply which lets holders sell, whatever the path writes. */
export const leavesRoom = (
  contract: ContractModel,
  path: PathSummary,
  { location, parts }: Change,
  gate: Gate
): boolean => {
  const [part] = parts
  // Where the limit is not asked of some, who sells more has to be one of them.
  const stops = gate.failsWhen ?? gate.shuts
  if (parts.length > 1 || stops === undefined || gate.expr.op !== "lt") return false
  if (part === undefined) return isOfNothing(contract, path)
  return leastWritten(contract, path, part).some((least) => {
    const reads = (e: Expr): boolean => e.op === "sload" && readsOf(e)[0]?.location.base === location.base
    const { args, op } = withKnown(contract, gate.expr, (e) => (reads(e) ? least : undefined))
    const [most, amount] = stops ? args : args.toReversed()
    if (op !== "lt" || most?.op !== "const" || amount === undefined) return false
    if ((amount.from & FROM_CALLDATA) === 0 || (amount.from & FROM_TIME) !== 0) return false
    const [times] = amount.op === "mul" ? amount.args : []
    const unit = times?.op === "const" ? times.value : 1n
    return most.value * PARTS >= supplyOf(contract) * unit && !isForAll(contract, gate, amount)
  })
}

/** Conditions that ask for no more than a most which leaves holders room, whoever writes it: nobody is kept in who has to pass them. */
export const roomyIn = (contract: ContractModel): ReadonlySet<Expr> => {
  const written = [...contract.functions.values()]
    .flatMap(({ paths }) => paths)
    .flatMap((path) => path.others.map((change) => ({ path, change })))
  const isRoomy = (gate: Gate): boolean => {
    const mosts = readsOf(gate.expr).filter((field) => !isAmount(contract.model, field))
    // What stands there since the contract's birth the code does not tell, and a number of its own is not looked at here.
    const leaves = mosts.map((most) => {
      const changes = written.filter(({ change }) => overlaps(change, most))
      return (
        changes.length > 0 && changes.every(({ path, change }) => leavesRoom(contract, path, change, gate))
      )
    })
    return leaves.length > 0 && leaves.every(Boolean)
  }
  return new Set(
    contract.gates.filter((gate) => gate.expr.op === "lt" && isRoomy(gate)).map(({ expr }) => expr)
  )
}
