/** Prices as pools keep them. */

export const Q64 = 2 ** 64

/** The price a square root in Q64.64 stands for, B per A. */
export const squared = (sqrtPrice: bigint): number => (Number(sqrtPrice) / Q64) ** 2

/** Prices of the B side in A, turned to the token's side. Zero, infinite or broken prices are no price. */
export const priceOf = (bPerA: number, tokenIsA: boolean): number | null => {
  const price = tokenIsA ? bPerA : 1 / bPerA
  return Number.isFinite(price) && price > 0 ? price : null
}

/**
 * A price that falls evenly, to nothing once so many tokens are sold, is reckoned with as a constant product of this part
 * of them: it has the same price today, falls no less until a quarter of it is left, and to that when the other does.
 */
export const LINEAR_PART = 0.75
