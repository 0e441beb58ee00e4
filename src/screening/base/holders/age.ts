import { MUCH_USD } from "../../patience.ts"
import type { BaseEvidence } from "../evidence.ts"

/**
 * A token younger than this must prove that it was born with nothing hidden in its storage. Of an
 * older one, whose liquidity anybody could have sold into all that time, the remaining doubt is named and adds points.
 */
export const PROVEN_UNTIL_SECONDS = 30n * 86_400n
/** The same where its pools hold little. */
export const HALF_YEAR_SECONDS = 180n * 86_400n

/** Young by the market's date, or not shown to have had money in its pools all the while, into which anybody could have sold. */
export const isYoung = ({
  age,
  established,
  hadMoney
}: Pick<BaseEvidence, "age" | "established" | "hadMoney">): boolean =>
  !established && (age === null || age < PROVEN_UNTIL_SECONDS || !hadMoney)

/** Share of today's money that a token's pools must have held by then: less is a pool opened for its date. */
const LEAST_SHARE = 0.5

/** A pool's money now, and its quote reserve now and then. */
interface Pool {
  readonly quoteUsd: number
  readonly now: bigint
  readonly before: bigint
}

/** What pools held then, in USD of today. */
const heldBefore = (pools: ReadonlyArray<Pool>): number =>
  pools.reduce(
    (sum, { now, quoteUsd, before }) => (now === 0n ? sum : sum + (quoteUsd * Number(before)) / Number(now)),
    0
  )

/** Whether pools held a relevant share of today's money then. */
export const hadMoneyBefore = (pools: ReadonlyArray<Pool>): boolean => {
  const today = pools.reduce((sum, { quoteUsd }) => sum + quoteUsd, 0)
  return today > 0 && heldBefore(pools) >= today * LEAST_SHARE
}

/** Whether it is much that pools held then. */
export const hadMuchBefore = (pools: ReadonlyArray<Pool>): boolean => heldBefore(pools) >= MUCH_USD
