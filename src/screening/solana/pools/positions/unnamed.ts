/** Positions that were seen, and whose they are was not told. */
import type { SolanaAddress } from "../../../../domain/address.ts"

/** Why: their owner was not asked for, nobody answered, or it is this address of a program's. */
export type Under = "unasked" | "silence" | SolanaAddress

/** One address with more of a pool is one party of which no wallet's name is known. */
const MOST_OF_ONE = 0.2
/** Where so much of what was asked for was not answered, the answers say nothing of the rest. */
const MOST_SILENT = 0.1

/**
 * What of a pool's liquidity, 0 to 1, may be as many people's as that of named wallets is: behind those who were looked up,
 * or in programs' hands, no large part in any.
 * @param looked the part whose owners were asked for
 */
export const unnamedOf = (open: ReadonlyMap<Under, number>, looked: number): number => {
  if ((open.get("silence") ?? 0) > looked * MOST_SILENT) return 0
  return [...open].reduce(
    (sum, [under, share]) =>
      under === "silence" || (under !== "unasked" && share > MOST_OF_ONE) ? sum : sum + share,
    0
  )
}
