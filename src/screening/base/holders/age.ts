import type { BaseEvidence } from "../evidence.ts"

/**
 * A token younger than this must prove that it was born with nothing hidden in its storage. Of an
 * older one, whose liquidity anybody could have sold into all that time, the remaining doubt is named and adds points.
 */
export const PROVEN_UNTIL_SECONDS = 30n * 86_400n

/** Whether too little stood in its pools all the while for anybody to have sold: `hadMoney` says no only where it was read. */
export const isYoung = ({
  age,
  established,
  hadMoney
}: Pick<BaseEvidence, "age" | "established" | "hadMoney">): boolean =>
  !established && (age === null || age < PROVEN_UNTIL_SECONDS || hadMoney === false)

/** Share of today's money that a token's pools must have held by then: less is a pool opened for its date. */
const LEAST_SHARE = 0.1

/** A pool's money now, and its quote reserve now and then. */
interface Pool {
  readonly quoteUsd: number
  readonly now: bigint
  readonly before: bigint
}

/** Whether pools held a relevant share of today's money then; null where there is none to compare. */
export const hadMoneyBefore = (pools: ReadonlyArray<Pool>): boolean | null => {
  const today = pools.reduce((sum, { quoteUsd }) => sum + quoteUsd, 0)
  if (!(today > 0)) return null
  const earlier = pools.reduce(
    (sum, { now, quoteUsd, before }) => (now === 0n ? sum : sum + (quoteUsd * Number(before)) / Number(now)),
    0
  )
  return earlier >= today * LEAST_SHARE
}
