import { type ContractModel, FALLBACK } from "../../../../bytecode/contract.ts"
import { SELECTOR } from "../../../../bytecode/selector.ts"
import {
  type Expr,
  FROM_CALLDATA,
  FROM_STORAGE,
  contains,
  isEnv
} from "../../../../bytecode/evm/expression.ts"
import type { CallRecord } from "../../../../bytecode/evm/path.ts"
import { cancelled } from "../../../../bytecode/amount.ts"
import { type Guard, stripped } from "../../../../bytecode/guard.ts"
import { type Field, type Location, locationOf, overlaps, readsOf } from "../../../../bytecode/location.ts"
import { knownZeros } from "../../../../bytecode/of-nothing.ts"
import { chosenFields, settersOf } from "./chosen.ts"
import {
  type BalanceChange,
  type PathSummary,
  argument,
  effectOf,
  shrinks
} from "../../../../bytecode/summary.ts"
import { PERMIT2 } from "../permit2.ts"
import { isFreeze } from "./aside.ts"
import { isTokenTransfer } from "./paid.ts"
import { seizes, takingsOf, unlocksBurned } from "./taken.ts"

const THIS = 0x30n
const CALLER = 0x33n

/** The account is the one that somebody privileged passed the path by: the gate's own. */
const isGates = ({ guards }: PathSummary, account: Expr): boolean => {
  const named = readsOf(account)
  return guards.some(
    (guard) =>
      guard.kind === "stored" && named.some(({ location }) => location.base === guard.field.location.base)
  )
}

const isStored = ({ account }: BalanceChange): boolean =>
  account !== undefined && stripped(account).op === "sload"

const isCalled = ({ calls }: PathSummary, account: Expr): boolean =>
  calls.some(({ target }) => stripped(target) === stripped(account))

/**
 * A privileged path that takes from an account named in storage which is not the privileged one's own: a pair, told
 * what it has left, or whose tokens are burned. A treasury pays somebody.
 */
const drawsOnStored = (path: PathSummary): boolean =>
  path.guards.length > 0 &&
  path.allowances.length === 0 &&
  path.balances.some((change) => {
    const { account } = change
    if (account === undefined || !isStored(change) || !shrinks(change) || isGates(path, account)) return false
    return isCalled(path, account) || path.balances.length === 1
  })

const isGain = (change: BalanceChange): boolean => ["grows", "set"].includes(effectOf(change))

/** Anybody's path that burns what an account named in storage holds: nobody is paid but whoever else holds the token. */
const burnsStored = (path: PathSummary): boolean =>
  path.guards.length === 0 &&
  path.allowances.length === 0 &&
  path.balances.some((change) => isStored(change) && shrinks(change)) &&
  path.balances.every(
    (change) => !isGain(change) || (change.account !== undefined && stripped(change.account).op === "const")
  )

const sellsOwn = (path: PathSummary): ReadonlyArray<Expr> =>
  path.balances
    .filter(
      (change) => change.account !== undefined && isEnv(stripped(change.account), THIS) && shrinks(change)
    )
    .flatMap(({ delta }) => delta.minus)

const sendsEther = ({ kind, value }: CallRecord): boolean =>
  kind === "selfdestruct" || (kind === "call" && !(value.op === "const" && value.value === 0n))

/** A table, whichever field of its entries is meant. */
const tableOf = ({ base }: Location): string | undefined => base.split("+")[0]

/** The caller has an entry in the table that also says how much is paid out: what was set aside for him, no privilege. */
const isOwnDue = (guard: Guard, paid: ReadonlyArray<Expr>): boolean =>
  guard.kind === "role" &&
  paid.some((amount) =>
    readsOf(amount).some(({ location }) => tableOf(location) === tableOf(guard.field.location))
  )

/** A privileged path that hands out what the contract itself holds: its own tokens or others'. */
const drains = (path: PathSummary): boolean => {
  const own = sellsOwn(path)
  return (
    (own.length > 0 && !path.guards.every((guard) => isOwnDue(guard, own))) ||
    (path.guards.length > 0 && path.calls.some(isTokenTransfer))
  )
}

/** Anybody's path that sends tokens of the caller's choice to an account the contract names. */
const sweepsToProject = (path: PathSummary): boolean =>
  path.calls.some((call) => {
    const [recipient] = call.input
    return (
      isTokenTransfer(call) &&
      (call.target.from & FROM_CALLDATA) !== 0 &&
      recipient !== undefined &&
      stripped(recipient).op === "sload"
    )
  })

/** In a contract that is no token everything held is somebody's deposit: a privileged way out of it is a leak too. */
const drainsDeposits = (path: PathSummary): boolean =>
  path.guards.length > 0 && path.calls.some((call) => sendsEther(call) || ordersPayment(call))

/** A call that tells a vault whom to pay how much, both chosen by the caller. */
const ordersPayment = ({ kind, target, input }: CallRecord): boolean =>
  kind === "call" &&
  (target.from & FROM_STORAGE) !== 0 &&
  input.filter((word) => stripped(word).op === "calldata").length >= 2

/** A call that tells a vault, and no token, whom to pay: an account of the caller's choice, or his own. */
const namesPayee = (call: CallRecord): boolean =>
  call.kind === "call" &&
  !isTokenTransfer(call) &&
  call.input.some((word) => isEnv(stripped(word), CALLER) || stripped(word).op === "calldata")

/** What is taken from an account named in storage on a path open to all, which is not paid for it at once. */
const sellsStored = (path: PathSummary): ReadonlyArray<Expr> =>
  path.guards.length > 0 || path.allowances.length > 0
    ? []
    : path.balances
        .filter(
          (change) =>
            change.account !== undefined &&
            isStored(change) &&
            shrinks(change) &&
            !isCalled(path, change.account)
        )
        .flatMap(({ delta }) => delta.minus)

/** What a path pays out of what the project holds; a contract that is no token has others do it, too. */
const payouts = (path: PathSummary, isToken: boolean): ReadonlyArray<Expr> => [
  ...sellsOwn(path),
  ...sellsStored(path),
  ...path.calls.filter(sendsEther).map(({ value }) => value),
  ...(isToken ? [] : path.calls.filter(namesPayee).flatMap(({ input }) => input))
]

/** Anybody's path on which the contract pays out at a price that somebody privileged sets. */
const paysAtChosenPrice = (amounts: ReadonlyArray<Expr>, chosen: ReadonlyArray<Field>): boolean =>
  amounts.some(
    (amount) =>
      stripped(amount).op !== "sload" &&
      readsOf(amount).some(
        (read) => read.location.slot !== undefined && chosen.some((field) => overlaps(field, read))
      )
  )

/**
 * A call whose target and function the caller chooses: whatever the contract holds or was allowed goes with it. A
 * notice of the caller's own transfer or approval is no such call.
 */
const callsAnything = (path: PathSummary): boolean =>
  path.balances.length === 0 &&
  path.allowances.length === 0 &&
  path.calls.some(
    ({ kind, target, selector }) =>
      kind === "call" &&
      selector !== undefined &&
      (selector.from & FROM_CALLDATA) !== 0 &&
      (target.from & FROM_CALLDATA) !== 0 &&
      (target.from & FROM_STORAGE) === 0
  )

/** Only Permit2 could take this path, which calls nothing of a token but `transferFrom`. */
const isPermit2s = ({ guards, selector }: PathSummary): boolean =>
  selector !== FALLBACK && guards.some((guard) => guard.kind === "constant" && guard.address === PERMIT2)

/** A way of `transferFrom` that asks for no allowance: for the privileged, for one recipient, or for everybody. */
const skipsAllowance = (contract: ContractModel, path: PathSummary): boolean =>
  path.selector === SELECTOR.transferFrom &&
  !isPermit2s(path) &&
  contract.model.allowances.size > 0 &&
  seizes(contract.model, path)

const recipientOf = ({ arena }: ContractModel, { selector }: PathSummary): Expr =>
  argument(arena, selector === SELECTOR.transfer ? 0 : 1)

/** Nothing was to be transferred: the recipient is owed nothing. */
const isOfNothing = ({ arena }: ContractModel, { outcome, selector }: PathSummary): boolean =>
  knownZeros(arena, outcome)(argument(arena, selector === SELECTOR.transfer ? 1 : 2)).op === "const"

/** Something is added, whatever is taken off it: a fixed fee, as stored. How high a fee may be is judged elsewhere. */
const isCredited = ({ delta }: BalanceChange): boolean => !delta.replaced && cancelled(delta).plus.length > 0

/** Ways through a transfer on which somebody else gets what the recipient should. */
const divertedPaths = (contract: ContractModel): ReadonlyArray<PathSummary> => {
  const paths = [...ORDINARY].flatMap((selector) => contract.functions.get(selector)?.paths ?? [])
  const isAt = (path: PathSummary, key: Expr): boolean =>
    contains(key, recipientOf(contract, path)) ||
    path.others.some(
      ({ location, parts: [place] }) =>
        location.keys.includes(recipientOf(contract, path)) && place !== undefined && contains(key, place)
    )
  const gets = (path: PathSummary, change: BalanceChange): boolean =>
    (isGain(change) || isCredited(change)) && isAt(path, change.key)
  return paths.filter(
    (path) =>
      !isOfNothing(contract, path) &&
      path.balances.some(shrinks) &&
      path.balances.some(isGain) &&
      !path.balances.some((change) => gets(path, change)) &&
      paths.some(
        (other) => other.selector === path.selector && other.balances.some((change) => gets(other, change))
      )
  )
}

const ORDINARY: ReadonlySet<string> = new Set([SELECTOR.transfer, SELECTOR.transferFrom])

/**
 * A transfer on which somebody is allowed something of what others hold: the holder's own allowances come of approvals,
 * each of which allows whom it names. What the contract allows of its own is its business.
 */
const allowsUnasked = ({ arena }: ContractModel, path: PathSummary): boolean => {
  const named = path.selector === SELECTOR.approve ? [argument(arena, 0)] : []
  return (
    (named.length > 0 || ORDINARY.has(path.selector)) &&
    path.allowances.some((change) => {
      const keys = locationOf(change.key).keys.map(stripped)
      return isGain(change) && !keys.some((one) => isEnv(one, THIS) || named.includes(one))
    })
  )
}

export interface LeakPaths {
  readonly paths: ReadonlyArray<PathSummary>
  /** Those of them that take what others hold. */
  readonly seizures: ReadonlyArray<PathSummary>
  /** The paths whose gates hold the power: for a chosen price those that set it, else `paths` themselves. */
  readonly held: ReadonlyArray<PathSummary>
}

/** The paths by which whoever holds a privilege can move tokens or ether out. */
export const leakPaths = (contract: ContractModel): LeakPaths => {
  const chosen = chosenFields(contract)
  const isToken = contract.functions.has(SELECTOR.transfer)
  const all = [...contract.functions.values()].flatMap(({ paths }) => paths)
  const candidates = all.filter(
    (path) => !ORDINARY.has(path.selector) && !isFreeze(contract, path) && !isPermit2s(path)
  )
  const takes = takingsOf(contract)
  const direct = candidates.filter(
    (path) =>
      takes(path) ||
      drawsOnStored(path) ||
      burnsStored(path) ||
      callsAnything(path) ||
      unlocksBurned(contract.model, path) ||
      drains(path) ||
      sweepsToProject(path) ||
      (!isToken && drainsDeposits(path))
  )
  const skipping = all.filter((path) => skipsAllowance(contract, path) || allowsUnasked(contract, path))
  const paid = (path: PathSummary): ReadonlyArray<Expr> => payouts(path, isToken)
  const priced = candidates.filter((path) => !direct.includes(path) && paysAtChosenPrice(paid(path), chosen))
  const paths = [...direct, ...priced, ...skipping, ...divertedPaths(contract)]
  return {
    paths,
    seizures: paths.filter(takes),
    held: [...direct, ...skipping, ...settersOf(contract, priced.flatMap(paid).flatMap(readsOf))]
  }
}
