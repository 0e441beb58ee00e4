/** The larger of two numbers. `Math.max` takes no bigint. */
export const max = (a: bigint, b: bigint): bigint => (a > b ? a : b)

/** The smaller of two numbers. */
export const min = (a: bigint, b: bigint): bigint => (a < b ? a : b)

/** An amount; zero where it is below. */
export const atLeastZero = (amount: bigint): bigint => max(amount, 0n)

/** All amounts together; zero of none. */
export const sum = (amounts: ReadonlyArray<bigint>): bigint =>
  amounts.reduce((total, amount) => total + amount, 0n)
