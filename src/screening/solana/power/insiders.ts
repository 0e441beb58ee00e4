import type { RugCheckReport } from "../../../market/market-data.ts"
import type { Parties } from "./parties.ts"

/**
 * What creators and the wallets RugCheck ties to one another could sell together, smallest units: as the chain shows it,
 * or as much as RugCheck says, whichever is more.
 */
export const insiderGroup = (
  report: RugCheckReport | null,
  { byOwner, nameOf }: Pick<Parties, "byOwner" | "nameOf">,
  supply: number,
  alsoInsiders: ReadonlyArray<string>
): number => {
  const held = (owner: string): number => byOwner.get(owner) ?? 0
  const named = [...alsoInsiders, ...(report?.creator == null ? [] : [report.creator])]
  const flagged = (report?.topHolders ?? []).flatMap(({ insider, owner }) =>
    insider && owner !== null ? [owner] : []
  )
  const together = new Set([...named, ...flagged].map(nameOf))
  const seen = [...together].reduce((sum, owner) => sum + held(owner), 0)
  if (report === null) return Math.min(supply, seen)
  const creatorSeen = report.creator === null ? 0 : held(nameOf(report.creator))
  const creatorMore = Math.max(0, (report.creatorBalance ?? 0) - creatorSeen)
  const networks = report.insiderNetworks.reduce((sum, { tokenAmount }) => sum + (tokenAmount ?? 0), 0)
  const reported = (report.topHolders ?? [])
    .filter(({ insider }) => insider)
    .reduce((sum, { pct }) => sum + (pct / 100) * supply, 0)
  return Math.min(supply, Math.max(seen + creatorMore, networks, reported))
}
