/** The larger of two amounts. */
export const bigger = (a: bigint, b: bigint): bigint => (a > b ? a : b)

/** The smaller of two amounts. */
export const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b)

/** An amount; zero where it is below. */
export const atLeastZero = (amount: bigint): bigint => bigger(amount, 0n)
