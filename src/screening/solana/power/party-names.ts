/** Owners that are one party, because one of them may move what the other holds. */
import type { TokenAccount } from "../reads/token-account.ts"

/** The name of the party an owner belongs to. */
export type PartyName = (owner: string) => string

/** `weight`: how much the delegate may move, in one unit for all holdings. */
export interface Holding {
  readonly owner: string
  readonly delegate: string | null
  readonly weight: number
}

export const holdingOf = ({ delegate, delegated, owner }: TokenAccount): Holding => ({
  owner,
  delegate,
  weight: Number(delegated)
})

/** The delegates of each owner with what they may move. A delegate need not have agreed to be named. */
const delegatesOf = (holdings: Iterable<Holding>): ReadonlyMap<string, ReadonlyMap<string, number>> => {
  const delegates = new Map<string, Map<string, number>>()
  for (const { delegate, owner, weight } of holdings) {
    if (delegate === null) continue
    const of = delegates.get(owner) ?? new Map<string, number>()
    delegates.set(owner, of.set(delegate, (of.get(delegate) ?? 0) + weight))
  }
  return delegates
}

/**
 * Owners who let the same delegate move their tokens are one party with it and with one another. An owner with several
 * delegates goes with the one who may move most: so it ties no two delegates together, and naming another one for dust
 * changes nothing.
 */
export const partyNames = (holdings: Iterable<Holding>): PartyName => {
  const follows = new Map<string, string>()
  const nameOf = (owner: string): string => {
    let name = owner
    for (let next = follows.get(name); next !== undefined; next = follows.get(name)) name = next
    return name
  }
  for (const [owner, delegates] of delegatesOf(holdings)) {
    const [[delegate] = []] = [...delegates].toSorted(([, a], [, b]) => b - a)
    if (delegate === undefined) continue
    const [one, other] = [nameOf(owner), nameOf(delegate)]
    if (one !== other) follows.set(one, other)
  }
  return nameOf
}
