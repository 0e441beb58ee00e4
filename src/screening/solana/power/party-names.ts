/** Owners that are one party, because one of them may move what the other holds. */
import type { TokenAccount } from "../reads/token-account.ts"

/** The name of the party an owner belongs to. */
export type PartyName = (owner: string) => string

/** `weight`: how much the delegate may move, in any unit that is the same for all of them. */
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

/** Whom each owner lets move how much, whoever that may be: it needs nobody's consent to be named there. */
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
 * Whoever lets somebody else move their tokens is one party with them, and so is everybody else who does. An owner who
 * names several goes with the one who may move most: so it ties none of them to another, and dust unties nobody.
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
