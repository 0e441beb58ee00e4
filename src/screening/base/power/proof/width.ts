/** A supply from here on is none that the proof speaks of: no coin of 18 decimals has as many. */
export const MOST_SUPPLY = 1n << 112n
/** No amount that exists is as large, nor a few of them together. */
export const UNREACHABLE = 1n << 128n
const SMALLEST_MASK = MOST_SUPPLY - 1n

/** A mask that leaves every amount that exists as it is. */
export const isWideEnough = (mask: bigint): boolean => (mask & SMALLEST_MASK) === SMALLEST_MASK
