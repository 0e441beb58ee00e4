import { BASE_NETWORK, SOLANA_NETWORK } from "../../domain/chain.ts"
import { labelledCounter } from "../../domain/labelled-counter.ts"
import type { Evidence } from "../outcome.ts"

const revenue = labelledCounter(
  "token_risk_revenue_usdc_total",
  "USDC received for calls, by network: each sale once, counted by the process that wrote its transfer down",
  ["network"]
)

/** USDC has six decimals. Counters are floats: exact up to nine billion USDC. */
const USDC = 1e6

/** Counts what a sale has earned. What orders' buyers pay their merchants is no revenue of ours. */
export const countRevenue = ({ amount, network }: Evidence): void =>
  revenue.count({ network }, Number(amount) / USDC)

/** Before the first sale: of a series that begins with one, whoever asks for its rise would not see that one. */
export const beginRevenue = (): void => {
  for (const network of [BASE_NETWORK, SOLANA_NETWORK]) revenue.count({ network }, 0)
}
