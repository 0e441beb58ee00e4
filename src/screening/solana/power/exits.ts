import type { PoolDepth } from "../pools/reserves.ts"
import { priceAfterSale } from "../pools/reserves.ts"
import type { Parties } from "./parties.ts"

/** Somebody's holding, and what is left of the price once it has been sold. */
export interface Exit {
  /** Share of the supply outside pools and burn addresses, 0 to 1. */
  readonly share: number
  /** Price against now, 0 to 1; null where no pool's depth is known. */
  readonly priceAfter: number | null
}

/** What happens if they leave. */
export interface HolderFacts {
  readonly largest: Exit
  /** The largest party there could be: the largest named one, if everything whose owner is unknown belonged to it. */
  readonly possible: Exit
  readonly topThree: Exit
  readonly topTen: Exit
  readonly listed: Exit
  /** Wallets a third party ties together, or that the token's own accounts name. */
  readonly insiders: Exit
  /** Many listed balances of nearly the same size: one party's supply cut into pieces. Null where there is none. */
  readonly pieces: (Exit & { readonly count: number }) | null
  readonly underPrograms: number
  /** How many of the listed holders cannot move their tokens, because of what their accounts are. */
  readonly frozen: number
}

/** Balances this close to one another, this many of them, look like one balance cut into pieces. */
const PIECE_TOLERANCE = 0.1
const LEAST_PIECES = 10

/** The largest run of nearly equal balances. */
const piecesOf = (balances: ReadonlyArray<number>): ReadonlyArray<number> => {
  let best: ReadonlyArray<number> = []
  for (let start = 0; start < balances.length; start++) {
    const first = balances[start] ?? 0
    const run = balances.slice(start).filter((balance) => balance >= first * (1 - PIECE_TOLERANCE))
    if (run.length > best.length) best = run
  }
  return best.length >= LEAST_PIECES ? best : []
}

const sum = (amounts: ReadonlyArray<number>): number => amounts.reduce((total, amount) => total + amount, 0)

export const exitsOf = (
  parties: Parties,
  supply: number,
  depths: ReadonlyArray<PoolDepth>,
  insiders: number
): HolderFacts => {
  const [first, ...others] = [...parties.byOwner].toSorted(([, a], [, b]) => b - a)
  const balances = [first, ...others].map((entry) => entry?.[1] ?? 0)
  const untold = sum([...parties.untold.values()])
  // However many names stand beside pools nobody trades in, one party may have written them all.
  const inJunk = sum([...parties.inJunk].flatMap(([name, amount]) => (name === first?.[0] ? [] : [amount])))
  const outside = Math.max(supply - parties.outOfReach, sum(balances) + untold)
  const exit = (amount: number): Exit => ({
    share: outside > 0 ? Math.min(1, amount / outside) : 0,
    priceAfter: priceAfterSale(depths, amount)
  })
  const pieces = piecesOf(balances)
  // Pieces down to the end of the list go on behind it.
  const behind = pieces.length > 0 && pieces.at(-1) === balances.at(-1) ? parties.unlisted : 0
  return {
    largest: exit(balances[0] ?? 0),
    possible: exit((balances[0] ?? 0) + untold + inJunk),
    topThree: exit(sum(balances.slice(0, 3))),
    topTen: exit(sum(balances.slice(0, 10))),
    listed: exit(sum(balances)),
    insiders: exit(insiders),
    pieces: pieces.length === 0 ? null : { ...exit(sum(pieces) + behind), count: pieces.length },
    frozen: parties.frozen,
    underPrograms: outside > 0 ? Math.min(1, parties.underPrograms / outside) : 0
  }
}
