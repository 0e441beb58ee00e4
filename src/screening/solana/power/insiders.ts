import type { RugCheckReport } from "../../../market/market-data.ts"
import type { Parties } from "./parties.ts"

/** What a group could sell together, smallest units: for certain, and if all that nobody could be told of were theirs. */
export interface Insiders {
  readonly told: number
  readonly possible: number
}

/**
 * What creators and the wallets RugCheck ties to one another could sell together: as the chain shows it, or as much as
 * RugCheck says, whichever is more.
 */
export const insiderGroup = (
  report: RugCheckReport | null,
  { byOwner, nameOf, nameless, untold }: Pick<Parties, "byOwner" | "nameOf" | "nameless" | "untold">,
  supply: number,
  alsoInsiders: ReadonlyArray<string>
): Insiders => {
  const held = (owner: string): number => byOwner.get(owner) ?? 0
  const named = [...alsoInsiders, ...(report?.creator == null ? [] : [report.creator])]
  const flagged = (report?.topHolders ?? []).flatMap(({ insider, owner }) =>
    insider && owner !== null ? [owner] : []
  )
  const together = new Set([...named, ...flagged].map(nameOf))
  const seen = [...together].reduce((sum, owner) => sum + held(owner), 0)
  const others = [...nameless].reduce((sum, [name, amount]) => (together.has(name) ? sum : sum + amount), 0)
  const hidden = [...untold.values()].reduce((sum, amount) => sum + amount, others)
  // Where none of them is known to hold any, what nobody could be told of is one party's at most, of which others ask.
  const atMost = (told: number): Insiders => ({
    told: Math.min(supply, told),
    possible: told > 0 ? Math.min(supply, told + hidden) : 0
  })
  if (report === null) return atMost(seen)
  const creatorSeen = report.creator === null ? 0 : held(nameOf(report.creator))
  const creatorMore = Math.max(0, (report.creatorBalance ?? 0) - creatorSeen)
  const networks = report.insiderNetworks.reduce((sum, { tokenAmount }) => sum + (tokenAmount ?? 0), 0)
  const reported = (report.topHolders ?? [])
    .filter(({ insider }) => insider)
    .reduce((sum, { pct }) => sum + (pct / 100) * supply, 0)
  return atMost(Math.max(seen + creatorMore, networks, reported))
}
