import type { BaseEvidence } from "../evidence.ts"

/**
 * A token younger than this must prove that it was born with nothing hidden in its storage. Later, with the liquidity
 * open to a sale all the while, what remains is a doubt that is named and weighed.
 */
const PROVEN_UNTIL_SECONDS = 30n * 86_400n

export const isYoung = ({ age, established }: Pick<BaseEvidence, "age" | "established">): boolean =>
  !established && (age === null || age < PROVEN_UNTIL_SECONDS)
