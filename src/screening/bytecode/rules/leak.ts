import type { Expr } from "../evm/expression.ts"
import type { ContractModel } from "../contract.ts"
import { stripped } from "../guard.ts"
import { readsOf } from "../location.ts"
import { listed } from "../evm/path.ts"
import type { BalanceChange, PathSummary, TokenModel } from "../summary.ts"

const THIS = 0x30n
const CALLER = 0x33n
const TOKEN_TRANSFERS: ReadonlySet<bigint> = new Set([0xa9059cbbn, 0x23b872ddn])

const isEnv = (e: Expr, opcode: bigint): boolean =>
  e.op === "env" && e.value === opcode && e.args.length === 0

const shrinks = ({ delta, value }: BalanceChange): boolean =>
  delta.minus.length > 0 || (delta.replaced && value.op === "const" && value.value === 0n)

/** The account is the caller by the path's own guards: the stored owner who was just compared with the caller. */
const isGuardedCaller = (path: PathSummary, account: Expr): boolean => {
  const [field] = account.op === "sload" ? readsOf(account) : []
  return (
    field !== undefined &&
    path.guards.some((guard) => guard.kind === "stored" && guard.field.location.base === field.location.base)
  )
}

/** The account allowed it: an allowance is lowered, or asked about (an unlimited one is not lowered). */
const isAllowed = (model: TokenModel, path: PathSummary): boolean =>
  path.allowances.length > 0 ||
  [...listed(path.outcome.conditions)].some(({ expr }) =>
    readsOf(expr).some(({ location }) => model.allowances.has(location.base))
  )

/** A path that takes from an account which is neither the caller nor has allowed it. */
export const seizes = (model: TokenModel, path: PathSummary): boolean =>
  !isAllowed(model, path) &&
  path.balances.some((change) => {
    if (!shrinks(change) || change.account === undefined) return false
    const account = stripped(change.account)
    if (isEnv(account, CALLER) || isEnv(account, THIS) || account.op === "const") return false
    if (account.op === "sload") return false
    return !isGuardedCaller(path, account)
  })

/** A privileged path that hands out what the contract itself holds: its own tokens or others'. */
export const drains = (path: PathSummary): boolean => {
  if (path.guards.length === 0) return false
  if (
    path.balances.some(
      (change) => change.account !== undefined && isEnv(stripped(change.account), THIS) && shrinks(change)
    )
  )
    return true
  return path.calls.some(
    ({ kind, selector }) => kind === "call" && selector !== undefined && selectorValue(selector) !== undefined
  )
}

const selectorValue = (selector: Expr): bigint | undefined =>
  selector.op === "const" && TOKEN_TRANSFERS.has(selector.value) ? selector.value : undefined

const ORDINARY: ReadonlySet<string> = new Set(["0xa9059cbb", "0x23b872dd"])

export const leakPaths = (contract: ContractModel): ReadonlyArray<PathSummary> =>
  [...contract.functions.values()]
    .filter(({ selector }) => !ORDINARY.has(selector))
    .flatMap((f) => f.paths.filter((path) => seizes(contract.model, path) || drains(path)))
