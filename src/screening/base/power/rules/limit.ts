import type { ContractModel } from "../../../../bytecode/contract.ts"
import { ADDRESS_MASK, type Expr, FROM_CALLDATA } from "../../../../bytecode/evm/expression.ts"
import { type Condition, listed } from "../../../../bytecode/evm/path.ts"
import type { Stored } from "../../../../bytecode/exact/bits.ts"
import { type Change, type Field, changeOf, overlaps, readsOf } from "../../../../bytecode/location.ts"
import { substitute } from "../../../../bytecode/substitute.ts"
import { type PathSummary, isAmount } from "../../../../bytecode/summary.ts"
import { isFreeze } from "./aside.ts"
import { ORDINARY, privilegedPaths } from "./chosen.ts"
import { type Fee, feesOf, isBearable, isBounded, isCapped, transferPaths } from "./fee.ts"
import { FLAG_BITS, isFlag } from "./flag.ts"
import { hidingPaths } from "./hiding.ts"
import { scalesBalances } from "./mint.ts"
import { isJudgedSale, isLastDate, isReservedSale } from "./fixed-limit.ts"
import { type IsPolicy, isAddressTest, ownSaleOf, namedToOthers, namesParty, policyOf } from "./policy.ts"
import { isShortWait, leavesRoom, movesEndOn, roomyIn } from "./room.ts"
import type { Words } from "./set-up.ts"
import { isSparing, tightIn } from "./tight.ts"
import type { Gate } from "../../../../bytecode/transfer-path.ts"

/** Somebody at that address is paid or called on the way of a transfer: it has to be one. */
const isNeeded = (contract: ContractModel, word: Expr): boolean => {
  const named = readsOf(word)
  const names = (used: Expr): boolean =>
    readsOf(used).some((read) => named.some((field) => overlaps(field, read)))
  return transferPaths(contract).some(
    ({ balances, calls }) =>
      balances.some(({ key }) => names(key)) || calls.some(({ target }) => names(target))
  )
}

/** A test of a stored address that is a switch: of a party to the transfer, or whether there is one at all. */
const isAddressSwitch = (contract: ContractModel, { expr, failsWhen, shuts }: Gate): boolean =>
  expr.op === "eq"
    ? (shuts !== undefined || failsWhen === true) && namesParty(expr)
    : shuts !== undefined && (failsWhen === undefined || !isNeeded(contract, expr))

/** One storage field on which the success of transfers depends, with the condition that reads it. */
export interface LimitingField {
  readonly field: Field
  readonly gate: Gate
}

/** No path changes these bits any more. */
const isSettled = (settled: Stored, { location, mask }: Field): boolean =>
  location.slot !== undefined && ((settled.words.get(location.slot)?.mask ?? 0n) & mask) === mask

/** The storage fields whose value can make a transfer fail. */
const limitingFields = (
  contract: ContractModel,
  settled: Stored,
  isPolicy: IsPolicy
): ReadonlyArray<LimitingField> => {
  const found: Array<LimitingField> = []
  const isOwnSale = ownSaleOf(contract)
  for (const gate of contract.gates) {
    if (isAddressTest(gate.expr) && !isAddressSwitch(contract, gate)) continue
    const asked = gate.failsWhen === undefined ? gate.decides.filter(isPolicy) : [gate.expr]
    if (gate.shuts === undefined && asked.length === 0) continue
    // How much is sold, and from how much on, lets nobody through and keeps nobody out.
    const isOfSale = asked.length > 0 && asked.every(isOwnSale)
    const ignored = namedToOthers(gate.expr)
    for (const field of readsOf(gate.expr))
      if (
        !isAmount(contract.model, field) &&
        !isSettled(settled, field) &&
        !ignored.some((one) => overlaps(one, field)) &&
        (!isOfSale || isFlag(field.mask) || field.mask === ADDRESS_MASK)
      )
        found.push({ field, gate })
  }
  return found
}

/** The constant a change writes into its bits; undefined where it is not constant. */
const constantOf = (change: Change): bigint | undefined => {
  let value = 0n
  for (const part of change.parts) {
    if (part.op !== "const") return undefined
    value |= part.value
  }
  return value
}

/** Above this a limit never binds: no supply reaches it. */
const UNREACHABLE = 1n << 120n

/** The side a condition takes once the field holds a constant, as far as that decides it. */
const sideOf = (contract: ContractModel, gate: Gate, field: Field, value: bigint): boolean | undefined => {
  const { arena } = contract
  const result = substitute(arena, gate.expr, (e) => {
    const [key] = e.args
    if (e.op !== "sload" || key === undefined) return undefined
    return readsOf(e)[0]?.location.base === field.location.base ? arena.constant(value) : undefined
  })
  if (result.op === "const") return result.value !== 0n
  const [a, b] = result.args
  if (result.op === "lt" && a?.op === "const" && a.value >= UNREACHABLE) return false
  if (result.op === "lt" && b?.op === "const" && b.value >= UNREACHABLE) return true
  return undefined
}

/** Whether taking this side of a condition can make a transfer fail. */
const isHarmfulSide = (isPolicy: IsPolicy, gate: Gate, side: boolean): boolean => {
  if (gate.failsWhen !== undefined) return gate.failsWhen === side
  if (gate.shuts === side) return true
  const onHold = new Set(gate.onHoldDecides)
  const decided = gate.decides.filter((expr) => onHold.has(expr) === side)
  return decided.some(isPolicy)
}

/** A number, or a bit of the word that also holds a balance, which every transfer writes with it. */
const isKept = ({ model }: ContractModel, { location, mask }: Field): boolean =>
  !isFlag(mask) || (model.balances.has(location.base) && mask >> FLAG_BITS !== 0n)

/**
 * Amounts and times that transfers keep themselves (votes, dividends, cooldowns): bookkeeping, no policy. What stands
 * beside them in a word is none, nor what transfers only clear.
 */
const bookkeeping = (contract: ContractModel): ReadonlyArray<Change> =>
  transferPaths(contract)
    .flatMap(({ others }) => others)
    .filter(
      (change) => change.location.keys.length > 0 && change.parts.length > 0 && isKept(contract, change)
    )

/** Another word is put into the slot on the way: a mutex, taken and released. */
const isReleased = ({ outcome }: PathSummary, { key, parts }: Change): boolean =>
  [...listed(outcome.writes)].some(
    (write) => write.key === key && !changeOf(key, write.value).parts.every((part) => parts.includes(part))
  )

const requiresField = ({ outcome }: PathSummary, field: Field): boolean =>
  [...listed(outcome.conditions)].some(({ expr }) => readsOf(expr).some((read) => overlaps(read, field)))

/**
 * Trading that starts shut, for all but the privileged, until one of these opens it: once opened it stays open, but
 * who buys before cannot know. The slot that settles it is read from the chain.
 */
const opensWhatIsShut = (
  contract: ContractModel,
  path: PathSummary,
  change: Change,
  { field, gate }: LimitingField,
  side: boolean
): boolean => {
  if (gate.shuts === undefined || gate.shuts === side || isReleased(path, change)) return false
  if (sideOf(contract, gate, field, 0n) === gate.shuts) return true
  return sideOf(contract, gate, field, field.mask) === gate.shuts && !requiresField(path, field)
}

/** Whether this write can turn the condition against the holders. */
const isHarmful = (
  contract: ContractModel,
  path: PathSummary,
  change: Change,
  { field, gate }: LimitingField,
  fees: ReadonlyArray<Fee>,
  isPolicy: IsPolicy
): boolean => {
  if (movesEndOn(change, gate)) return false
  if (leavesRoom(contract, path, change, gate) || isShortWait(contract, path, change, gate)) return false
  const constant = constantOf(change)
  const taken = fees.filter((fee) => overlaps(fee, field))
  if (constant !== undefined) {
    const side = sideOf(contract, gate, field, constant)
    if (side === undefined && isBearable(contract, path, change, taken)) return false
    if (side === undefined || isHarmfulSide(isPolicy, gate, side)) return true
    return opensWhatIsShut(contract, path, change, { field, gate }, side)
  }
  return taken.length === 0 || !isBounded(contract, path, change, taken)
}

/** The conditions on which a loop goes on or ends: as compilers place them, or asked at one place with either answer. */
const turnTestsIn = (
  { program }: ContractModel,
  conditions: ReadonlyArray<Condition>
): ((condition: Condition) => boolean) => {
  const placeOf = ({ context, pc }: Condition): string => `${pc}|${context}`
  const [on, off] = [true, false].map(
    (side) => new Set(conditions.filter(({ holds }) => holds === side).map(placeOf))
  )
  return (condition) => {
    const place = placeOf(condition)
    return program.loopTests.has(condition.pc) || (on?.has(place) === true && off?.has(place) === true)
  }
}

/** Privileged paths that say how often a loop on the way of a transfer turns: with too many turns no gas suffices. */
const turnPaths = (contract: ContractModel): ReadonlyArray<PathSummary> => {
  const counts = [...ORDINARY]
    .flatMap((selector) => contract.functions.get(selector)?.paths ?? [])
    .flatMap(({ outcome }) => {
      const conditions = [...listed(outcome.conditions)]
      const isTest = turnTestsIn(contract, conditions)
      return conditions.flatMap((condition) => (isTest(condition) ? readsOf(condition.expr) : []))
    })
    .filter((field) => field.location.slot !== undefined && !isAmount(contract.model, field))
  return privilegedPaths(
    contract,
    (path, change) =>
      counts.some((count) => overlaps(count, change)) &&
      change.parts.some((part) => (part.from & FROM_CALLDATA) !== 0 && !isCapped(contract, path, part))
  )
}

export interface LimitPaths {
  readonly all: ReadonlyArray<PathSummary>
  /** Writers of tables keyed by an account of the transfer. */
  readonly blacklist: ReadonlyArray<PathSummary>
  /** Writers of plain switches. */
  readonly pause: ReadonlyArray<PathSummary>
  /** Writers of a fee that do not refuse high values. */
  readonly fee: ReadonlyArray<PathSummary>
}

/** The paths by which somebody privileged can make transfers fail, or take a share of them. */
export const limitPaths = (contract: ContractModel, words: Words, settled: Stored): LimitPaths => {
  const own = bookkeeping(contract)
  const fees = feesOf(contract)
  const isOther = policyOf(contract, fees)
  const roomy = roomyIn(contract)
  const tight = tightIn(contract, words)
  const isPolicy: IsPolicy = (expr) => (isOther(expr) && !roomy.has(expr)) || tight.has(expr)
  const fields = limitingFields(contract, settled, isPolicy)
  const writers = (limiting: ReadonlyArray<LimitingField>): ReadonlyArray<PathSummary> =>
    privilegedPaths(
      contract,
      (path, change) =>
        !(isKept(contract, change) && own.some((kept) => overlaps(kept, change))) &&
        limiting.some(
          (one) => overlaps(one.field, change) && isHarmful(contract, path, change, one, fees, isPolicy)
        )
    )
  const fee = privilegedPaths(
    contract,
    (path, change) =>
      change.parts.some(({ op }) => op !== "const") &&
      fees.some((one) => overlaps(one, change) && !isBounded(contract, path, change, [one]))
  )
  const all = [...contract.functions.values()].flatMap(({ paths }) => paths)
  return {
    all: [
      ...writers(fields),
      ...(contract.gates.some(
        (gate) =>
          isReservedSale(contract, gate) ||
          isJudgedSale(contract, gate) ||
          isLastDate(gate) ||
          isSparing(contract, tight, gate)
      )
        ? transferPaths(contract)
        : []),
      ...hidingPaths(contract),
      ...all.filter(
        (path) =>
          isFreeze(contract, path) ||
          contract.strangers.includes(path.selector) ||
          contract.reserved.includes(path.selector)
      ),
      ...scalesBalances(contract),
      ...turnPaths(contract),
      ...fee
    ],
    blacklist: writers(fields.filter(({ field }) => field.location.keys.length > 0)),
    pause: writers(fields.filter(({ field }) => field.location.keys.length === 0 && isFlag(field.mask))),
    fee
  }
}
