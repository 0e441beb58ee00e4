/** The larger of two amounts. */
export const bigger = (a: bigint, b: bigint): bigint => (a > b ? a : b)

/** The smaller of two amounts. */
export const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b)
