import { type Expr, FROM_CALLDATA, FROM_STORAGE, isEnv } from "../../../../bytecode/evm/expression.ts"
import { listed } from "../../../../bytecode/evm/path.ts"
import { isRecoveredSigner, stripped } from "../../../../bytecode/guard.ts"
import type { ContractModel } from "../../../../bytecode/contract.ts"
import { locationOf, readsOf } from "../../../../bytecode/location.ts"
import { SELECTOR } from "../../../../bytecode/selector.ts"
import {
  type BalanceChange,
  type PathSummary,
  type TokenModel,
  argument,
  effectOf,
  shrinks
} from "../../../../bytecode/summary.ts"

const THIS = 0x30n
const CALLER = 0x33n

/** The account allowed it: its allowance is asked about. One that is lowered unasked wraps around. */
const isAllowed = (model: TokenModel, path: PathSummary): boolean =>
  [...listed(path.outcome.conditions)].some(({ expr }) =>
    readsOf(expr).some(({ location }) => model.allowances.has(location.base))
  )

/** Somebody privileged gives the balance a value of their choice. */
const isChosen = (path: PathSummary, change: BalanceChange): boolean =>
  path.guards.length > 0 &&
  effectOf(change) === "set" &&
  change.delta.plus.every(({ from }) => (from & FROM_CALLDATA) !== 0 && (from & FROM_STORAGE) === 0)

const isRequired = (path: PathSummary, test: (expr: Expr, holds: boolean) => boolean): boolean =>
  [...listed(path.outcome.conditions)].some(({ expr, holds }) => test(expr, holds))

const isCallersAccount = (path: PathSummary, account: Expr): boolean =>
  isRequired(path, (expr, holds) => {
    const sides = holds && expr.op === "eq" ? expr.args.map(stripped) : []
    return sides.includes(account) && sides.some((side) => isEnv(side, CALLER))
  })

const isSignersAccount = (path: PathSummary, account: Expr): boolean =>
  isRequired(path, (expr, holds) => {
    const sides = holds && expr.op === "eq" ? expr.args.map(stripped) : []
    return sides.includes(account) && sides.some(isRecoveredSigner)
  })

/** Accounts fixed in code or storage are the project's own; the caller's and the contract's are judged elsewhere. */
const isHoldersAccount = (account: Expr): boolean =>
  !isEnv(account, CALLER) && !isEnv(account, THIS) && account.op !== "const" && account.op !== "sload"

/** Accounts of others that a path takes from without their allowance. */
const takenFrom = (model: TokenModel, path: PathSummary): ReadonlyArray<Expr> =>
  isAllowed(model, path)
    ? []
    : path.balances
        .filter((change) => shrinks(change) || isChosen(path, change))
        .flatMap(({ account }) => (account === undefined ? [] : [stripped(account)]))
        .filter((account) => isHoldersAccount(account) && !isCallersAccount(path, account))

/** A path that takes from an account which is not the caller's, has not allowed it and has not signed for it. */
export const seizes = (model: TokenModel, path: PathSummary): boolean =>
  takenFrom(model, path).some((account) => !isSignersAccount(path, account))

const isNonZeroTest = (word: Expr, account: Expr): boolean =>
  word === account || (word.op === "ret" && isRecoveredSigner(word))

/**
 * A path open to a signature that is never compared with zero: `ecrecover` answers zero to any invalid signature, and
 * what was burned to the zero address can be taken out again by anybody.
 */
export const unlocksBurned = (model: TokenModel, path: PathSummary): boolean =>
  takenFrom(model, path).some(
    (account) =>
      isSignersAccount(path, account) &&
      !isRequired(path, (expr, holds) => holds && isNonZeroTest(stripped(expr), account))
  )

/**
 * Where an allowance's holder stands among what its place is found by, as `approve` finds it by the caller, and
 * `transferFrom` by whom it takes from: code may keep other allowances beside those that are approved.
 */
const holderPlaces = ({ arena, functions }: ContractModel): ReadonlyMap<string, number> => {
  const placesIn = (selector: string, isHolder: (key: Expr) => boolean) =>
    (functions.get(selector)?.paths ?? []).flatMap(({ allowances }) =>
      allowances.map(({ key }) => {
        const { base, keys } = locationOf(key)
        return [base, keys.map(stripped).findIndex(isHolder)] as const
      })
    )
  const from = argument(arena, 0)
  return new Map([
    ...placesIn(SELECTOR.transferFrom, (key) => key === from),
    ...placesIn(SELECTOR.approve, (key) => isEnv(key, CALLER))
  ])
}

/**
 * A privileged path, by the caller or by somebody's signature, on which others' holdings are allowed to somebody without
 * their signature.
 */
const allowsOfOthers = (contract: ContractModel): ((path: PathSummary) => boolean) => {
  const places = holderPlaces(contract)
  return (path) =>
    path.guards.length > 0 &&
    path.allowances.some((change) => {
      const { base, keys } = locationOf(change.key)
      const holder = keys[places.get(base) ?? -1]
      const account = holder === undefined ? undefined : stripped(holder)
      return (
        account !== undefined &&
        ["grows", "set"].includes(effectOf(change)) &&
        isHoldersAccount(account) &&
        !isCallersAccount(path, account) &&
        !isSignersAccount(path, account)
      )
    })
}

/** Paths by which others' holdings are taken, or allowed to somebody, without their consent. */
export const takingsOf = (contract: ContractModel): ((path: PathSummary) => boolean) => {
  const allows = allowsOfOthers(contract)
  return (path) => seizes(contract.model, path) || allows(path)
}
