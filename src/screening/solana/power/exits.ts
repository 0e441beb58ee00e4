import type { PoolDepth } from "../pools/reserves.ts"
import { priceAfterSale } from "../pools/reserves.ts"
import type { Insiders } from "./insiders.ts"
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
  readonly topTen: Exit
  readonly listed: Exit
  /** Wallets a third party ties together, or that the token's own accounts name. */
  readonly insiders: Exit
  /** The same, and the three largest, if everything whose owner is unknown belonged to them. */
  readonly possible: {
    readonly largest: Exit
    readonly topThree: Exit
    readonly topTen: Exit
    readonly listed: Exit
    readonly insiders: Exit
  }
  /** Many listed balances of nearly the same size: one party's supply cut into pieces. Null where there is none. */
  readonly pieces: (Exit & { readonly count: number }) | null
  readonly underPrograms: number
  /** How many of the listed holders cannot move their tokens, because of what their accounts are. */
  readonly frozen: number
  /** How many of the listed accounts the node does not show. */
  readonly unshown: number
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
  insiders: Insiders
): HolderFacts => {
  const owners = [...parties.byOwner].toSorted(([, a], [, b]) => b - a)
  const balances = owners.map(([, amount]) => amount)
  const untold = sum([...parties.untold.values()])
  const outside = Math.max(supply - parties.outOfReach, sum(balances) + untold)
  const exit = (amount: number): Exit => ({
    share: outside > 0 ? Math.min(1, amount / outside) : 0,
    priceAfter: priceAfterSale(depths, amount)
  })
  const held = (count: number): number => sum(balances.slice(0, count))
  // However many names stand beside pools nobody trades in, or are programs' addresses, one party may have made them all.
  const namelessBehind = (count: number): number =>
    sum(owners.slice(count).map(([name]) => parties.nameless.get(name) ?? 0))
  const possible = (count: number): Exit => exit(held(count) + untold + namelessBehind(count))
  const pieces = piecesOf(balances)
  // Pieces down to the end of the list go on behind it.
  const behind = pieces.length > 0 && pieces.at(-1) === balances.at(-1) ? parties.unlisted : 0
  return {
    largest: exit(held(1)),
    topTen: exit(held(10)),
    listed: exit(held(balances.length)),
    insiders: exit(insiders.told),
    possible: {
      largest: possible(1),
      topThree: possible(3),
      topTen: possible(10),
      listed: possible(balances.length),
      insiders: exit(insiders.possible)
    },
    pieces: pieces.length === 0 ? null : { ...exit(sum(pieces) + behind), count: pieces.length },
    frozen: parties.frozen,
    unshown: parties.unshown,
    underPrograms: outside > 0 ? Math.min(1, parties.underPrograms / outside) : 0
  }
}
