/** In millionths of a dollar. */
export const PING_PRICE = 5_000n
export const DEEP_PRICE = 40_000n
