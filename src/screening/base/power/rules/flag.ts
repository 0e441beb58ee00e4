/** Wider fields hold numbers. */
export const FLAG_BITS = 8n

/** The bits are so few that they say yes or no, or one of some cases. */
export const isFlag = (mask: bigint): boolean => {
  let bits = 0n
  for (let left = mask; left > 0n; left >>= 1n) bits += left & 1n
  return bits <= FLAG_BITS
}
