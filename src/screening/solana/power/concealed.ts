/** Supply that lies in no balance a node lists. */
import type { Mint } from "./mint.ts"

/** The node lists no more accounts than this. */
export const LIST_LENGTH = 20
/** A full list that names fewer parties than this tells of the accounts it was filled with, not of the holders. */
const LEAST_NAMED = 10
/** No mint has so many accounts, each of which costs its rent. */
const MOST_ACCOUNTS = 100_000_000
/** A shorter list leaves no more of the supply than the time between two reads explains. */
const CRUMBS = 0.001
/** Where so few accounts outside the list could hold the rest, they may be one party's. */
const FEW = 25

export interface List {
  /** Listed balances, smallest units, in the node's order. */
  readonly balances: ReadonlyArray<number>
  /** How many parties they are of, all burned ones being one. */
  readonly named: number
}

/**
 * Whether what a list leaves, in smallest units, may lie in accounts behind it, each smaller than the smallest of a full list.
 * Behind a list of fewer there are none, and behind one that ends in next to nothing never enough of them.
 */
export const goesOn = (balances: ReadonlyArray<number>, unlisted: number): boolean => {
  const least = balances.toSorted((a, b) => b - a)[LIST_LENGTH - 1]
  return least !== undefined && unlisted <= MOST_ACCOUNTS * least
}

/**
 * Whether accounts are missing from a list that should be whole: a short one leaves supply that lies in no pool's vault, in no
 * encrypted balance, and is no fee that was withheld. One without a single account is none, whatever else there may be.
 */
export const isUnfinished = (
  { supply, walk: { extensions } }: Mint,
  { balances }: Pick<List, "balances">,
  unlisted: number
): boolean => {
  const mayBeElsewhere = extensions.confidentialTransfer !== undefined || extensions.transferFee !== undefined
  const isShort = balances.length === 0 || (!goesOn(balances, unlisted) && !mayBeElsewhere)
  return isShort && unlisted > Number(supply) * CRUMBS
}

/**
 * Whether the supply outside of the list may be one party's. A balance can be hidden by encryption; fees that were
 * withheld stand beside balances; and the list can be filled with accounts that belong to nobody. A list that does
 * not go on should be complete: what it leaves of the supply is in no balance at all, or in one that the node has not
 * seen yet.
 */
export const isConcealed = ({ supply, walk }: Mint, { balances, named }: List, unlisted: number): boolean => {
  const { confidentialTransfer, transferFee } = walk.extensions
  if (confidentialTransfer !== undefined) return true
  // However many small holders there seem to be: what was withheld may lie in one account whose balance is nothing.
  if (transferFee !== undefined && transferFee.withdrawAuthority !== null) return true
  if (!goesOn(balances, unlisted)) return unlisted > Number(supply) * CRUMBS
  return named < LEAST_NAMED || unlisted <= FEW * Math.min(...balances)
}
