import { type Arena, type Expr, FROM_CALL, WORD_MASK, contains } from "./evm/expression.ts"
import type { Exploration } from "./evm/explore.ts"
import { type CallRecord, type Outcome, listed } from "./evm/path.ts"
import { elementsOf } from "./elements.ts"
import { type Delta, cancelled, fieldDelta } from "./amount.ts"
import { fractionOf } from "./fraction.ts"
import { type Guard, guardsOf } from "./guard.ts"
import { knownZeros } from "./of-nothing.ts"
import { type Change, type Field, changeOf, readsOf } from "./location.ts"

/** Which storage holds what, read from the standard getters' code and from what a transfer moves: bits by table. */
export interface TokenModel {
  readonly balances: ReadonlyMap<string, bigint>
  readonly allowances: ReadonlyMap<string, bigint>
  readonly supply: ReadonlyMap<string, bigint>
}

const within = (roles: ReadonlyMap<string, bigint>, { location, mask }: Field): boolean =>
  ((roles.get(location.base) ?? 0n) & mask) !== 0n

/** Whether bits of storage are part of a balance, an allowance or the supply. */
export const isAmount = (model: TokenModel, field: Field): boolean =>
  within(model.balances, field) || within(model.allowances, field) || within(model.supply, field)

/** One account's balance changed on a path. */
export interface BalanceChange {
  readonly account: Expr | undefined
  readonly key: Expr
  readonly delta: Delta
  readonly value: Expr
}

/** What is left of two products without a factor that they have in common: an amount in another unit is still its share. */
const uncommon = (part: Expr, whole: Expr): readonly [Expr, Expr] => {
  if (part.op !== "mul" || whole.op !== "mul") return [part, whole]
  const common = part.args.find((factor) => whole.args.includes(factor))
  const [mine, its] = [part, whole].map(({ args }) => args.find((factor) => factor !== common))
  return common === undefined || mine === undefined || its === undefined ? [part, whole] : [mine, its]
}

const isShareOf = (lost: Expr, gained: Expr): boolean => {
  const [part, whole] = uncommon(lost, gained)
  return part !== whole && (contains(part, whole) || (part.op === "const" && whole.op !== "const"))
}

/** Fixed sums below this are what is left where everything is taken, whatever the decimals: nobody mints so little. */
const DUST = 1n << 20n

const isDust = (word: Expr): boolean => word.op === "const" && word.value < DUST

/** The new amount is a share of the old one. */
const isPartOfOld = (key: Expr, { plus, minus }: Pick<Delta, "plus" | "minus">): boolean => {
  const [only] = plus
  const share = plus.length === 1 && minus.length === 0 && only !== undefined ? fractionOf(only) : undefined
  return (
    share !== undefined && share.part < share.whole && share.of.op === "sload" && share.of.args[0] === key
  )
}

/**
 * What happens to the account's amount. `set`: the new value does not depend on the old one; `wiped`: dust is left of it
 * at most. A fee taken out of what is added at once, or a fixed sum, leaves a gain.
 */
export const effectOf = ({
  key,
  delta: { replaced, ...terms }
}: BalanceChange): "grows" | "shrinks" | "set" | "wiped" | "same" => {
  if (replaced && isPartOfOld(key, terms)) return "shrinks"
  if (replaced) return terms.plus.every(isDust) ? "wiped" : "set"
  const { plus, minus } = cancelled(terms)
  if (minus.length === 0) return plus.length === 0 ? "same" : "grows"
  return minus.every((lost) => plus.some((gained) => isShareOf(lost, gained))) ? "grows" : "shrinks"
}

/** The account loses something: an amount is taken away, or the whole balance is wiped. */
export const shrinks = (change: BalanceChange): boolean => ["shrinks", "wiped"].includes(effectOf(change))

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

const GROUPS = ["balances", "allowances", "supply"] as const

const summarisePath = (arena: Arena, selector: string, outcome: Outcome, model: TokenModel): PathSummary => {
  const asKnown = knownZeros(arena, outcome)
  const groups = {
    balances: new Array<BalanceChange>(),
    allowances: new Array<BalanceChange>(),
    supply: new Array<BalanceChange>()
  }
  const others: Array<Change> = []
  const seen = new Set<Expr>()
  const last = [...listed(outcome.writes)].filter(({ key }) => !seen.has(key) && seen.add(key))
  for (const { key, value: word } of last.flatMap((write) => elementsOf(arena, outcome.conditions, write))) {
    const value = asKnown(word)
    const change = changeOf(key, value)
    let rest = change.mask
    for (const group of GROUPS) {
      const mask = model[group].get(change.location.base)
      const delta = mask === undefined ? undefined : fieldDelta(change, value, mask)
      if (mask === undefined || delta === undefined) continue
      groups[group].push({ account: change.location.keys[0], key, value, delta })
      rest &= WORD_MASK ^ mask
    }
    if (rest === change.mask) others.push(change)
    else if (rest !== 0n) others.push({ ...change, mask: rest })
  }
  return {
    selector,
    outcome,
    guards: guardsOf(outcome.conditions, (field) => isAmount(model, field)),
    ...groups,
    others,
    calls: [...listed(outcome.calls)]
  }
}

export const summarise = (
  arena: Arena,
  selector: string,
  exploration: Exploration,
  model: TokenModel
): FunctionSummary => ({
  selector,
  exploration,
  paths: exploration.outcomes
    .filter((outcome) => outcome.end === "success")
    .map((outcome) => summarisePath(arena, selector, outcome, model))
})

/** The n-th argument word of a call. */
export const argument = (arena: Arena, n: number): Expr =>
  arena.node("calldata", [arena.constant(BigInt(4 + 32 * n))])

const joined = (fields: Iterable<Field>): ReadonlyMap<string, bigint> => {
  const masks = new Map<string, bigint>()
  for (const { location, mask } of fields) masks.set(location.base, (masks.get(location.base) ?? 0n) | mask)
  return masks
}

/** Everything in storage that a getter's answer is made of. */
export const answeredFields = (exploration: Exploration | undefined): ReadonlyArray<Field> =>
  (exploration?.outcomes ?? []).flatMap(({ returned }) => (returned === undefined ? [] : readsOf(returned)))

/** Tables a getter returns entries of, keyed by the given arguments in any order, with the bits of an entry. */
export const returnedTables = (
  exploration: Exploration | undefined,
  wanted: ReadonlyArray<Expr>
): ReadonlyMap<string, bigint> =>
  joined(
    answeredFields(exploration).filter(({ location }) => wanted.every((key) => location.keys.includes(key)))
  )

/** Plain slots a getter returns, with the bits it uses; none where another contract is asked. */
export const returnedSlots = (exploration: Exploration | undefined): ReadonlyMap<string, bigint> =>
  joined(
    (exploration?.outcomes ?? [])
      .flatMap(({ returned }) =>
        returned === undefined || (returned.from & FROM_CALL) !== 0 ? [] : readsOf(returned)
      )
      .filter(({ location }) => location.slot !== undefined)
  )
