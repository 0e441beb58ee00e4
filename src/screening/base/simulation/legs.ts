import type { Pool } from "../pools/pool.ts"
import type { TradeLegs } from "./findings.ts"
import type { ProbeResult } from "./probe-words.ts"

// Below this many units, integer division alone looks like a tax.
const meaningfulUnits = 100n

/** Basis points of `whole` that did not become `part`; one unit of rounding is not a tax. */
export const taxBps = (whole: bigint, part: bigint): number | null => {
  if (whole < meaningfulUnits) return null
  const lost = whole - part - 1n
  if (lost <= 0n) return 0
  return Math.min(10_000, Number((lost * 10_000n + whole / 2n) / whole))
}

const outcome = (code: bigint): "ok" | "reverted" | "not-tried" =>
  code === 1n ? "ok" : code === 2n ? "reverted" : "not-tried"

const isConcentrated = (pool: Pool): boolean => pool.kind !== "v2" && pool.kind !== "aerodrome-v2"

/** Two losses in a row, as one. */
const compound = (first: number | null, second: number | null): number | null =>
  first === null
    ? null
    : second === null
      ? first
      : 10_000 - Math.round(((10_000 - first) * (10_000 - second)) / 10_000)

const sellTax = (result: ProbeResult): number | null => {
  if (result.sellSent === 0n) return null
  const kept = taxBps(result.sellSent, result.sellArrived)
  const byRouter = result.routerSell === 1n ? taxBps(result.sellReceived, result.routerReceived) : null
  return compound(kept, byRouter)
}

/** What the pool's hook kept of either swap: the pool's affair, not the token's. */
const hookTax = (result: ProbeResult): number | null => {
  const taken = [
    result.buyQuoted === 0n ? null : taxBps(result.buyQuoted, result.expected),
    result.sellQuoted === 0n ? null : taxBps(result.sellQuoted, result.sellExpected)
  ].filter((bps) => bps !== null)
  return taken.length === 0 ? null : Math.max(...taken)
}

/**
 * A sell that passes directly and fails through the usual router is a trap, since routers are how wallets sell. Not so
 * for a taxed token in a concentrated pool: the usual routers of those can sell no taxed token at all.
 */
const isRefusedByRouter = (pool: Pool, result: ProbeResult): boolean =>
  result.sell === 1n &&
  result.routerSell === 2n &&
  !(isConcentrated(pool) && result.sellArrived < result.sellSent)

/** One plan's legs, and whether only the usual router was refused. */
export interface Measured {
  readonly legs: TradeLegs
  readonly routerRefused: boolean
}

/** What one plan measured; `null` when it could not be run, which says nothing about the token. */
export const measure = (pool: Pool, result: ProbeResult): Measured | null => {
  if (result.ran === 0n || result.funded === 0n) return null
  if (result.buy !== 1n) return { legs: refusedBuy, routerRefused: false }
  if (result.expected === 0n) return null
  const routerRefused = isRefusedByRouter(pool, result)
  const sell = routerRefused ? "reverted" : outcome(result.sell)
  const legs: TradeLegs = {
    buy: "ok",
    transfer: outcome(result.transfer),
    sell,
    buyTaxBps: taxBps(result.expected, result.bought),
    transferTaxBps: result.transfer === 1n ? taxBps(result.transferSent, result.transferReceived) : null,
    sellTaxBps: sellTax(result),
    hookTaxBps: hookTax(result),
    maxSellPercent: sell === "not-tried" ? null : sell === "ok" ? Number(result.sellShare) : 0
  }
  return { legs, routerRefused }
}

const refusedBuy: TradeLegs = {
  buy: "reverted",
  transfer: "not-tried",
  sell: "not-tried",
  buyTaxBps: null,
  transferTaxBps: null,
  sellTaxBps: null,
  hookTaxBps: null,
  maxSellPercent: null
}
