/** Uniswap's Permit2 moves tokens only on their owner's signature; some libraries trust it without an allowance. */
export const PERMIT2 = 0x000000000022d473030f116ddee9f6b43ac78ba3n
