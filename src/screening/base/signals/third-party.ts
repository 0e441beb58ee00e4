import type { Signal } from "../../../domain/signal.ts"
import { unknown } from "../../../domain/signal.ts"
import type { BaseEvidence } from "../evidence.ts"

/** There is no rug-check source for Base: what it would have said stays unknown, and shows in the score. */
const uncovered = (
  id: string,
  reads: string,
  points: number,
  unknownPoints: number
): Signal<BaseEvidence> => ({
  id,
  source: "rugcheck",
  reads: `${reads} (no source covers Base)`,
  group: id.toLowerCase(),
  hard: false,
  critical: false,
  points,
  unknownPoints,
  judge: () => unknown("No rug-check source covers Base.")
})

/** Small enough together that a clean token with burned liquidity and no owner stays clearly below `caution`. */
export const thirdPartySignals: ReadonlyArray<Signal<BaseEvidence>> = [
  uncovered("CREATOR_HISTORY", "earlier tokens of the creator", 20, 4)
]
