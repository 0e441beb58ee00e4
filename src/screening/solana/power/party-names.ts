/** Owners that are one party, because one of them may move what the other holds. */
import type { TokenAccount } from "../reads/token-account.ts"

/** The name of the party an owner belongs to. */
export type PartyName = (owner: string) => string

type Holding = Pick<TokenAccount, "owner" | "delegate">

/** Whom each owner lets move what it holds, whoever that may be: it needs nobody's consent to be named there. */
const delegatesOf = (accounts: Iterable<Holding>): ReadonlyMap<string, ReadonlySet<string>> => {
  const delegates = new Map<string, Set<string>>()
  for (const { delegate, owner } of accounts)
    if (delegate !== null) delegates.set(owner, (delegates.get(owner) ?? new Set()).add(delegate))
  return delegates
}

/**
 * Whoever lets somebody else move their tokens is one party with them, and so is everybody else who does. An owner who
 * names several, each for an account of its own, ties none of them to another.
 */
export const partyNames = (accounts: Iterable<Holding>): PartyName => {
  const follows = new Map<string, string>()
  const nameOf = (owner: string): string => {
    let name = owner
    for (let next = follows.get(name); next !== undefined; next = follows.get(name)) name = next
    return name
  }
  for (const [owner, delegates] of delegatesOf(accounts)) {
    const [delegate] = delegates
    if (delegate === undefined || delegates.size > 1) continue
    const [one, other] = [nameOf(owner), nameOf(delegate)]
    if (one !== other) follows.set(one, other)
  }
  return nameOf
}
