/**
 * Quote reserve in USD from which a month of standing liquidity counts as proof of an honest market; below it, half a year
 * does. Whoever holds the rest of the supply gets the reserve back by selling, so a scam risks nothing but the time its money
 * is bound, and few bind this much for a month.
 */
export const MUCH_USD = 250_000
