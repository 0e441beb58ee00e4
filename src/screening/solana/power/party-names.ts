/** Owners that are one party, because one of them may move what the other holds. */
import type { TokenAccount } from "../reads/token-account.ts"

/** The name of the party an owner belongs to. */
export type PartyName = (owner: string) => string

/** Whoever lets somebody else move their tokens is one party with them, and so is everybody else who does. */
export const partyNames = (accounts: Iterable<Pick<TokenAccount, "owner" | "delegate">>): PartyName => {
  const follows = new Map<string, string>()
  const nameOf = (owner: string): string => {
    let name = owner
    for (let next = follows.get(name); next !== undefined; next = follows.get(name)) name = next
    return name
  }
  for (const { delegate, owner } of accounts) {
    if (delegate === null) continue
    const [one, other] = [nameOf(owner), nameOf(delegate)]
    if (one !== other) follows.set(one, other)
  }
  return nameOf
}
