import type { ContractModel } from "../../../../bytecode/contract.ts"
import { SELECTOR } from "../../../../bytecode/selector.ts"
import { type Expr, FROM_CALL, FROM_CALLDATA, FROM_VALUE } from "../../../../bytecode/evm/expression.ts"
import { type Delta, cancelled, deltaOf } from "../../../../bytecode/amount.ts"
import { type Field, locationOf, overlaps, readsOf } from "../../../../bytecode/location.ts"
import { listed } from "../../../../bytecode/evm/path.ts"
import {
  type BalanceChange,
  type PathSummary,
  effectOf,
  isAmount,
  shrinks
} from "../../../../bytecode/summary.ts"
import { isThaw } from "./aside.ts"
import { ORDINARY, chosenFields, privilegedFields } from "./chosen.ts"
import { creditsLedger, ledgersOf } from "./ledger.ts"
import { withoutMirrored } from "./mirrored.ts"
import { asksTransfer, isBought } from "./paid.ts"
import { type Words, isSetUp } from "./set-up.ts"
import { wrapsBalance } from "./unasked.ts"

const TRANSFERS: ReadonlySet<string> = new Set([SELECTOR.transfer, SELECTOR.transferFrom])

/** Amounts in two tables of one token (reflected and plain) are turned into one another: nothing is created. */
const isConversion = (contract: ContractModel, { key, account, value }: BalanceChange): boolean => {
  const own = locationOf(key).base
  return readsOf(value).some(
    ({ location, mask }) =>
      location.base !== own &&
      ((contract.model.balances.get(location.base) ?? 0n) & mask) !== 0n &&
      account !== undefined &&
      location.keys.includes(account)
  )
}

const isGain = (contract: ContractModel, change: BalanceChange): boolean => {
  const effect = effectOf(change)
  return effect === "grows" || (effect === "set" && !isConversion(contract, change))
}

/** What an account had whose amount is replaced: it loses that. */
const replacedOf = ({ arena }: ContractModel, { delta, key }: BalanceChange): ReadonlyArray<Expr> =>
  delta.replaced ? [arena.node("sload", [key])] : []

/** What one account loses another one gets: holdings that change places, a pair's that go to the owner but for dust. */
const isMoved = (contract: ContractModel, { balances }: PathSummary): boolean =>
  cancelled({
    plus: balances.flatMap(({ delta }) => delta.plus),
    minus: balances.flatMap((change) => [...change.delta.minus, ...replacedOf(contract, change)])
  }).plus.length === 0

const termsOf = (changes: ReadonlyArray<BalanceChange>): Pick<Delta, "plus" | "minus"> =>
  cancelled({
    plus: changes.flatMap(({ delta }) => delta.plus),
    minus: changes.flatMap(({ delta }) => delta.minus)
  })

/**
 * All balances together gain: something is added, and what is taken elsewhere is nothing, or a fixed sum that has
 * nothing to do with it.
 */
const createsBalance = (contract: ContractModel, path: PathSummary): boolean => {
  const balances = withoutMirrored(path.balances)
  const gains = balances.filter((change) => isGain(contract, change))
  if (gains.length === 0 || isMoved(contract, path)) return false
  const losses = balances.filter(shrinks)
  if (losses.length === 0) return true
  if (losses.some(({ delta }) => delta.replaced)) return false
  const { plus, minus } = termsOf(balances)
  return plus.length > 0 && minus.every(({ op }) => op === "const")
}

/** Storage of which somebody privileged decides what it holds, besides the amounts. */
const isHeld = (contract: ContractModel, set: ReadonlyArray<Field>, word: Expr): boolean =>
  readsOf(word).some((field) => !isAmount(contract.model, field) && set.some((one) => overlaps(one, field)))

/** The word is several times the amount, by a number in the code or one that somebody privileged sets. */
const isMultiple = (
  contract: ContractModel,
  set: ReadonlyArray<Field>,
  word: Expr,
  amount: Expr
): boolean => {
  const [a, b] = word.args
  if (word.op === "shl") return b === amount && a?.op === "const" && a.value > 0n
  const times = word.op !== "mul" ? undefined : a === amount ? b : b === amount ? a : undefined
  if (times === undefined) return false
  return times.op === "const" ? times.value > 1n : isHeld(contract, set, times)
}

/**
 * A way through a transfer on which the parties together gain: the sender is debited less than the recipient is
 * credited, by a table or a switch that somebody privileged sets, or for a privileged sender; or a fraction of it.
 */
const enlargesInTransfer = (
  contract: ContractModel,
  path: PathSummary,
  set: ReadonlyArray<Field>
): boolean => {
  if (
    !TRANSFERS.has(path.selector) ||
    path.allowances.some(shrinks) === (path.selector === SELECTOR.transfer)
  )
    return false
  const balances = withoutMirrored(path.balances)
  const { plus, minus } = termsOf(balances)
  if (plus.length === 0 || balances.some(({ delta }) => delta.replaced)) return false
  const lost = minus.filter(({ op }) => op !== "const")
  if (lost.length > 0)
    return lost.every((amount) => plus.some((word) => isMultiple(contract, set, word, amount)))
  return (
    plus.some((word) => isHeld(contract, set, word)) ||
    [...listed(path.outcome.conditions)].some(({ expr }) => isHeld(contract, set, expr))
  )
}

/** A privileged path on which balance is created out of nothing. */
const isMint = (contract: ContractModel, path: PathSummary, chosen: ReadonlyArray<Field>): boolean =>
  createsBalance(contract, path) &&
  !isThaw(contract, path) &&
  (path.guards.length > 0 || asksTransfer(contract, path, chosen))

/** The caller gives up as much of something else that the token keeps account of. */
const isPaidFor = (
  contract: ContractModel,
  { balances, others }: PathSummary,
  chosen: ReadonlyArray<Field>
): boolean => {
  const gained = new Set(balances.flatMap(({ delta }) => delta.plus))
  return others.some((change) => {
    const { key, location, parts } = change
    const [part] = parts
    // What somebody privileged allotted was nobody's before.
    if (chosen.some((field) => overlaps(field, change)) && !isFunded(contract, location.base)) return false
    return part === undefined
      ? [...gained].some((term) =>
          readsOf(term).some(({ location }) => location.base === locationOf(key).base)
        )
      : parts.length === 1 && deltaOf(key, part).minus.some((term) => gained.has(term))
  })
}

/** A path open to anybody that creates as much balance as the caller asks for, unpaid. */
const isOpenMint = (contract: ContractModel, path: PathSummary, chosen: ReadonlyArray<Field>): boolean =>
  path.guards.length === 0 &&
  !path.balances.some(shrinks) &&
  !isPaidFor(contract, path, chosen) &&
  !isBought(contract, path, chosen) &&
  path.balances.some(({ delta }) =>
    delta.plus.some(
      (amount) => (amount.from & FROM_CALLDATA) !== 0 && (amount.from & (FROM_VALUE | FROM_CALL)) === 0
    )
  )

/**
 * Anybody's path that takes a product from somebody which may be longer than a word, and gives as much as one of its factors:
 * of a product that wraps around nearly nothing is taken.
 */
const wrapsWhatIsTaken = ({ arena }: ContractModel, { balances }: PathSummary): boolean => {
  const { minus, plus } = termsOf(balances)
  return minus.some(
    (word) =>
      word.op === "mul" &&
      word.bits === 256 &&
      !arena.checked.has(word) &&
      plus.some((given) => word.args.includes(given) && (given.from & FROM_CALLDATA) !== 0)
  )
}

/** Anybody's path on which new balance comes to whomever the code says, of an amount that it says: an emission, a gift to the caller. */
const emits = (contract: ContractModel, path: PathSummary, chosen: ReadonlyArray<Field>): boolean =>
  path.guards.length === 0 &&
  !TRANSFERS.has(path.selector) &&
  createsBalance(contract, path) &&
  !path.balances.some(shrinks) &&
  !isPaidFor(contract, path, chosen) &&
  !isBought(contract, path, chosen) &&
  !isThaw(contract, path) &&
  path.balances.some(({ delta }) => delta.plus.some(({ from }) => (from & (FROM_VALUE | FROM_CALL)) === 0))

/**
 * Anybody's path on which supply is created for payment other than one for one: a sale or a bonding curve in the token
 * itself. A wrapper gives out exactly what it takes in, and is none.
 */
const sellsFromCurve = (path: PathSummary): boolean =>
  path.supply.some(({ delta }) => delta.plus.length > 0 || delta.replaced) &&
  path.balances.some(({ delta }) =>
    delta.plus.some((amount) => (amount.from & FROM_VALUE) !== 0 && amount.op !== "env")
  )

/** Anybody's path on which balance is created for payment, at a price that somebody privileged sets. */
const sellsNewSupply = (path: PathSummary, chosen: ReadonlyArray<Field>): boolean =>
  !path.balances.some(shrinks) &&
  path.balances.some(({ delta }) =>
    delta.plus.some(
      (amount) =>
        (amount.from & FROM_VALUE) !== 0 &&
        readsOf(amount).some(
          (read) => read.location.slot !== undefined && chosen.some((field) => overlaps(field, read))
        )
    )
  )

/** Whatever is added to the table is taken from balances, whosever they are: it holds nothing that was not somebody's. */
const isFunded = ({ functions }: ContractModel, base: string): boolean =>
  [...functions.values()].every(({ paths }) =>
    paths.every(({ balances, others }) =>
      others.every(({ key, location, parts }) => {
        const [part] = parts
        if (location.base !== base || part === undefined) return true
        const { minus, plus, replaced } = deltaOf(key, part)
        return (
          !replaced && cancelled({ plus, minus: [...minus, ...termsOf(balances).minus] }).plus.length === 0
        )
      })
    )
  )

/**
 * Anybody's path on which balance is created of an amount that somebody privileged sets, without taking it from anybody:
 * what is allotted and claimed.
 */
const createsChosen = (contract: ContractModel, path: PathSummary, chosen: ReadonlyArray<Field>): boolean =>
  path.guards.length === 0 &&
  createsBalance(contract, path) &&
  path.balances.some(({ delta }) =>
    delta.plus.some((amount) =>
      readsOf(amount).some(
        (read) =>
          !isAmount(contract.model, read) &&
          chosen.some((field) => overlaps(field, read)) &&
          !isFunded(contract, read.location.base)
      )
    )
  )

/**
 * Somebody privileged chooses a number that every balance is worked out with: a factor, a divisor, another contract
 * that is asked. Where the same path takes the amount from an account it is bookkeeping.
 */
export const scalesBalances = (contract: ContractModel): ReadonlyArray<PathSummary> => {
  const { factors } = contract
  return [...contract.functions.values()]
    .filter(({ selector }) => !ORDINARY.has(selector))
    .flatMap(({ paths }) =>
      paths.filter(
        (path) =>
          path.guards.length > 0 &&
          !path.balances.some(shrinks) &&
          path.others.some(
            (change) =>
              factors.some((factor) => overlaps(factor, change)) &&
              change.parts.some((part) => (part.from & FROM_CALLDATA) !== 0)
          )
      )
    )
}

/** @param words what slots hold, where that is known */
export const mintPaths = (contract: ContractModel, words: Words): ReadonlyArray<PathSummary> => {
  const chosen = chosenFields(contract)
  const ledgers = ledgersOf(contract)
  const isToken = contract.functions.has(SELECTOR.transfer)
  const scaled = scalesBalances(contract)
  const set = privilegedFields(contract)
  return [...contract.functions.values()].flatMap(({ paths }) =>
    paths.filter(
      (path) =>
        !isSetUp(contract, path, words) &&
        (isMint(contract, path, chosen) ||
          isOpenMint(contract, path, chosen) ||
          wrapsWhatIsTaken(contract, path) ||
          wrapsBalance(contract, path) ||
          emits(contract, path, chosen) ||
          enlargesInTransfer(contract, path, set) ||
          sellsNewSupply(path, chosen) ||
          createsChosen(contract, path, chosen) ||
          sellsFromCurve(path) ||
          scaled.includes(path) ||
          (!isToken && creditsLedger(path, ledgers)))
    )
  )
}
