import { type Arena, type Expr, isEnv } from "./evm/expression.ts"
import type { Exploration } from "./evm/explore.ts"
import { type Outcome, listed } from "./evm/path.ts"
import { type Delta, fieldDelta } from "./amount.ts"
import { fractionOf } from "./fraction.ts"
import { stripped } from "./guard.ts"
import { changeOf, locationOf, readsOf } from "./location.ts"
import { knownZeros, trifleArgument } from "./of-nothing.ts"
import { type OpenTables, isOpenTo } from "./roles.ts"
import { SELECTOR } from "./selector.ts"
import { type TokenModel, argument, effectOf, isAmount } from "./summary.ts"
import type { Admits } from "./transfer-path.ts"

const THIS = 0x30n
const CALLER = 0x33
const ORIGIN = 0x32

export const moves =
  (model: TokenModel) =>
  (outcome: Outcome): boolean => {
    for (const { key } of listed(outcome.writes)) if (model.balances.has(locationOf(key).base)) return true
    return false
  }

/** The word is the account, cut to an address or not. */
const isAccount = (word: Expr, account: Expr): boolean => word === account || stripped(word) === account

const HALF = 2n

const isMost = (part: bigint, whole: bigint): boolean => part * HALF > whole

/**
 * How much of the amount is kept back, as far as the code fixes it, in however many shares: when more than half is kept,
 * nothing counts as delivered.
 */
const keepsMost = ({ plus, minus }: Delta): boolean => {
  const fixed = (word: Expr): ReturnType<typeof fractionOf> => fractionOf(stripped(word))
  let [part, whole] = [0n, 1n]
  for (const share of minus.map(fixed))
    if (share !== undefined && plus.includes(share.of))
      [part, whole] = [part * share.whole + share.part * whole, whole * share.whole]
  if (part > 0n) return isMost(part, whole)
  const [only] = plus
  const given = plus.length === 1 && minus.length === 0 && only !== undefined ? fixed(only) : undefined
  return given !== undefined && given.of.op === "calldata" && isMost(given.whole - given.part, given.whole)
}

const credits =
  (model: TokenModel, arena: Arena, to: Expr) =>
  (outcome: Outcome): boolean => {
    const asKnown = knownZeros(arena, outcome, trifleArgument)
    return [...listed(outcome.writes)].some(({ key, value: written }) => {
      const value = asKnown(written)
      const change = changeOf(key, value)
      const mask = model.balances.get(change.location.base)
      if (mask === undefined || !change.location.keys.some((one) => isAccount(one, to))) return false
      const delta = fieldDelta(change, value, mask)
      if (delta === undefined || keepsMost(delta)) return false
      return ["grows", "set"].includes(effectOf({ account: to, key, value, delta }))
    })
  }

/**
 * When a transfer counts as having done its work: the recipient got something; where no path shows that, balances were
 * written at all.
 */
export const delivers = (
  model: TokenModel,
  arena: Arena,
  selector: string,
  { outcomes }: Exploration
): ((outcome: Outcome) => boolean) => {
  const arrives = credits(model, arena, argument(arena, selector === SELECTOR.transfer ? 0 : 1))
  return outcomes.some((outcome) => outcome.end === "success" && arrives(outcome)) ? arrives : moves(model)
}

/** When an approval counts as having done its work: the spender was allowed something. */
export const grants = (model: TokenModel, arena: Arena): ((outcome: Outcome) => boolean) => {
  const parties = [arena.env(CALLER), argument(arena, 0)]
  return ({ writes }) =>
    [...listed(writes)].some(({ key, value }) => {
      const { keys, base } = locationOf(key)
      const isEntry = parties.every((party) => keys.some((one) => isAccount(one, party)))
      return isEntry && model.allowances.has(base) && !(value.op === "const" && value.value === 0n)
    })
}

/** The accounts that a function names or is called by. */
export const partiesIn = (arena: Arena, selector: string): ReadonlySet<Expr> =>
  new Set([
    arena.env(CALLER),
    arena.env(ORIGIN),
    argument(arena, 0),
    ...(selector === SELECTOR.transferFrom ? [argument(arena, 1)] : [])
  ])

/**
 * Whether a side of a condition is open to some senders only: one fixed or stored account, the contract itself, or the
 * members of a table.
 * @param open tables that anybody gets an entry in
 */
export const admitsIn = (model: TokenModel, arena: Arena, selector: string, open: OpenTables): Admits => {
  const senders = [
    arena.env(CALLER),
    arena.env(ORIGIN),
    ...(selector === SELECTOR.transferFrom ? [argument(arena, 0)] : [])
  ]
  const isSender = (word: Expr): boolean => senders.some((sender) => isAccount(word, sender))
  const isNamed = (word: Expr): boolean =>
    stripped(word).op === "sload" || isEnv(word, THIS) || (word.op === "const" && word.value !== 0n)
  return (expr, holds) => {
    if (!holds) return false
    const [a, b] = expr.args
    if (expr.op === "eq" && a !== undefined && b !== undefined)
      return (isSender(a) && isNamed(b)) || (isSender(b) && isNamed(a))
    if (stripped(expr).op !== "sload") return false
    return readsOf(expr).some(
      (field) => field.location.keys.some(isSender) && !isAmount(model, field) && !isOpenTo(open, field)
    )
  }
}
