import type { Arena, Expr } from "./evm/expression.ts"
import type { Exploration } from "./evm/explore.ts"
import { type CallRecord, type Outcome, listed } from "./evm/path.ts"
import { type Delta, deltaOf } from "./amount.ts"
import { type Guard, guardsOf } from "./guard.ts"
import { type Change, changeOf, locationOf, readsOf } from "./location.ts"

/** Which storage holds what, read from the standard getters' code. */
export interface TokenModel {
  readonly balances: ReadonlySet<string>
  readonly allowances: ReadonlySet<string>
  readonly supply: ReadonlySet<string>
}

export const isAmount = (model: TokenModel, base: string): boolean =>
  model.balances.has(base) || model.allowances.has(base) || model.supply.has(base)

/** One account's balance changed on a path. */
export interface BalanceChange {
  readonly account: Expr | undefined
  readonly key: Expr
  readonly delta: Delta
  readonly value: Expr
}

/** The account loses something: an amount is taken away, or the whole balance is wiped. */
export const shrinks = ({ delta, value }: BalanceChange): boolean =>
  delta.replaced ? value.op === "const" && value.value === 0n : delta.minus.length > 0

/** What one successful path of one function does. */
export interface PathSummary {
  readonly selector: string
  readonly outcome: Outcome
  readonly guards: ReadonlyArray<Guard>
  readonly balances: ReadonlyArray<BalanceChange>
  readonly allowances: ReadonlyArray<BalanceChange>
  readonly supply: ReadonlyArray<BalanceChange>
  readonly others: ReadonlyArray<Change>
  readonly calls: ReadonlyArray<CallRecord>
}

export interface FunctionSummary {
  readonly selector: string
  readonly exploration: Exploration
  readonly paths: ReadonlyArray<PathSummary>
}

const summarisePath = (selector: string, outcome: Outcome, model: TokenModel): PathSummary => {
  const balances: Array<BalanceChange> = []
  const allowances: Array<BalanceChange> = []
  const supply: Array<BalanceChange> = []
  const others: Array<Change> = []
  const seen = new Set<Expr>()
  for (const { key, value } of listed(outcome.writes)) {
    if (seen.has(key)) continue
    seen.add(key)
    const { base, keys } = locationOf(key)
    const group = model.balances.has(base)
      ? balances
      : model.allowances.has(base)
        ? allowances
        : model.supply.has(base)
          ? supply
          : undefined
    if (group === undefined) others.push(changeOf(key, value))
    else group.push({ account: keys[0], key, value, delta: deltaOf(key, value) })
  }
  return {
    selector,
    outcome,
    guards: guardsOf(outcome.conditions, (base) => isAmount(model, base)),
    balances,
    allowances,
    supply,
    others,
    calls: [...listed(outcome.calls)]
  }
}

export const summarise = (
  selector: string,
  exploration: Exploration,
  model: TokenModel
): FunctionSummary => ({
  selector,
  exploration,
  paths: exploration.outcomes
    .filter((outcome) => outcome.end === "success")
    .map((outcome) => summarisePath(selector, outcome, model))
})

/** The n-th argument word of a call. */
export const argument = (arena: Arena, n: number): Expr =>
  arena.node("calldata", [arena.constant(BigInt(4 + 32 * n))])

/** Bases of the tables a getter returns entries of, keyed by the given arguments in any order. */
export const returnedTables = (
  exploration: Exploration | undefined,
  wanted: ReadonlyArray<Expr>
): ReadonlySet<string> => {
  const bases = new Set<string>()
  for (const { returned } of exploration?.outcomes ?? [])
    for (const { location } of returned === undefined ? [] : readsOf(returned))
      if (wanted.every((key) => location.keys.includes(key))) bases.add(location.base)
  return bases
}

/** Plain slots a getter returns. */
export const returnedSlots = (exploration: Exploration | undefined): ReadonlySet<string> => {
  const bases = new Set<string>()
  for (const { returned } of exploration?.outcomes ?? [])
    for (const { location } of returned === undefined ? [] : readsOf(returned))
      if (location.slot !== undefined) bases.add(location.base)
  return bases
}
