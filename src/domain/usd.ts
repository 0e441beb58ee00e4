/** USDC has six decimals on both chains; every amount in the service is a `bigint` of its smallest unit. */
export const USDC_DECIMALS = 6
export const USDC_UNIT = 1_000_000n

const DECIMAL = /^(?:0|[1-9][0-9]{0,11})(?:\.[0-9]{1,6})?$/

/**
 * Smallest units of a decimal USD text: ASCII digits, no sign, no exponent, no leading zeros, at most 6 decimals and
 * 12 digits before the point. `undefined` for any other text. Exact integer arithmetic.
 */
export const parseUsd = (text: string): bigint | undefined => {
  if (!DECIMAL.test(text)) return undefined
  const [whole = "0", fraction = ""] = text.split(".")
  return BigInt(whole) * USDC_UNIT + BigInt(fraction.padEnd(USDC_DECIMALS, "0"))
}

/** Shortest decimal text of an amount; `parseUsd(formatUsd(x)) === x` for every x ≥ 0 below 10^18. */
export const formatUsd = (amount: bigint): string => {
  const fraction = (amount % USDC_UNIT).toString().padStart(USDC_DECIMALS, "0").replace(/0+$/, "")
  const whole = (amount / USDC_UNIT).toString()
  return fraction === "" ? whole : `${whole}.${fraction}`
}
