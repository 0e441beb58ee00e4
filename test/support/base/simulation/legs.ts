import type { TradeLegs } from "../../../../src/screening/base/simulation/findings.ts"

/** A purchase, a transfer and a sale that pass, and cost nothing. */
export const PLAIN_LEGS: TradeLegs = {
  buy: "ok",
  transfer: "ok",
  sell: "ok",
  buyTaxBps: 0,
  transferTaxBps: 0,
  sellTaxBps: 0,
  hookTaxBps: null,
  maxSellPercent: 100
}
