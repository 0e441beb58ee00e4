import { evenly } from "../../even-depth.ts"

/** Liquidity of one size between two prices, as roots of token1 per token0, in smallest units. */
export interface Band {
  readonly liquidity: number
  readonly lower: number
  readonly upper: number
}

/**
 * What sellers meet as a concentrated pool's price falls: bands from the price down. Prices are roots of smallest units of
 * the quote per smallest unit of the token.
 */
export type SaleCurve = ReadonlyArray<{
  readonly liquidity: number
  readonly top: number
  readonly bottom: number
}>

/** Where liquidity begins (or ends, below zero), by its price's root. */
export interface Edge {
  readonly root: number
  readonly net: number
}

/** The bands between edges. */
export const bandsOf = (edges: ReadonlyArray<Edge>): ReadonlyArray<Band> => {
  const sorted = edges.toSorted((a, b) => a.root - b.root)
  let liquidity = 0
  return sorted.flatMap(({ net, root }, index) => {
    liquidity += net
    const next = sorted[index + 1]
    return next === undefined ? [] : [{ liquidity, lower: root, upper: next.root }]
  })
}

/** @param root the pool's price */
export const saleCurve = (bands: ReadonlyArray<Band>, root: number, tokenIs0: boolean): SaleCurve =>
  bands
    .map(({ liquidity, lower, upper }) =>
      tokenIs0
        ? { liquidity, top: Math.min(upper, root), bottom: lower }
        : { liquidity, top: 1 / Math.max(lower, root), bottom: 1 / upper }
    )
    .filter(({ bottom, liquidity, top }) => liquidity > 0 && top > bottom)
    .toSorted((a, b) => b.top - a.top)

/** What was sold, and what was paid for it, in smallest units of the token and of the quote. */
export interface Sold {
  readonly tokens: number
  readonly quote: number
}

/**
 * What must be sold until the root of the price has fallen to a share of what it is, and what is paid for it.
 * @param share 0 to 1
 */
export const soldUntil = (curve: SaleCurve, share: number): Sold => {
  const end = (curve[0]?.top ?? 0) * share
  let [tokens, quote] = [0, 0]
  for (const { bottom, liquidity, top } of curve) {
    if (top <= end) break
    const low = Math.max(bottom, end)
    tokens += liquidity * (1 / low - 1 / top)
    quote += liquidity * (top - low)
  }
  return { tokens, quote }
}

/**
 * What counts of a pool's quote, smallest units: no more than a pool over all prices would hold that has as little at the
 * price. Of such a pool half lies above a quarter of the price.
 */
export const withinReach = (curve: SaleCurve, quote: number): number =>
  Math.min(quote, 2 * evenly((fall) => soldUntil(curve, 1 / Math.sqrt(fall)).quote))
