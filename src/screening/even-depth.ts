/** What a seller finds in liquidity that need not lie evenly below the price, on either chain. */

/** Bids below this part of today's price are nothing a holder would sell into, nor are offers as far above it a market. */
export const QUARTER = 4

/** How far the price falls, in turn, where it is looked what sellers find: by a quarter, by half, to a quarter. */
export const FALLS = [4 / 3, 2, QUARTER] as const

/** What a pool of two sides pays until the price has fallen so far, as a part of what it pays down to a quarter of it. */
const paidBy = (fall: number): number => (1 - 1 / Math.sqrt(fall)) / (1 - 1 / Math.sqrt(QUARTER))

/**
 * Quote down to a quarter of the price that counts for no more than a pool of two sides would hold that has as little at
 * the price: bids far below are not what a seller is paid there, and locked ones keep nobody from taking away all that
 * lies above them.
 * @param within quote until the price has fallen so far
 */
export const evenly = (within: (fall: number) => number): number =>
  Math.min(...FALLS.map((fall) => within(fall) / paidBy(fall)))
