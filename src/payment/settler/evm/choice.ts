import { dataFeeOf } from "./data-fee.ts"
import type { Job } from "./job.ts"
import { type Offer, boundPerGas, openingOffer, weiMicros } from "./offers.ts"
import type { Entry } from "./journal.ts"
import type { MarketView } from "./node.ts"

/** Payments in one transaction: about 1.3 million gas, far below a block's share. */
export const MAX_BATCH = 20

/** What sending costs now. */
export interface Terms {
  readonly market: MarketView
  /** Millionths of a USD per ether. */
  readonly price: bigint
  /** Payments in one transaction at most; `MAX_BATCH` where nothing is said. */
  readonly mostTogether?: number
}

/** Payments for one transaction, and what it may offer. */
export interface Choice {
  readonly entries: readonly [Entry, ...ReadonlyArray<Entry>]
  readonly offer: Offer
  /** Wei per gas. */
  readonly bound: bigint
  readonly terms: Terms
}

/**
 * The most that a transaction of these payments may cost, millionths of a USD; publishing a batch costs no more than
 * its parts.
 */
export const mostFeeOf = (
  jobs: ReadonlyArray<Pick<Job, "data">>,
  gas: bigint,
  { maxFee }: Pick<Offer, "maxFee">,
  { market, price }: Terms
): bigint => {
  const dataFee = jobs.reduce((sum, { data }) => sum + dataFeeOf(market.dataFee, data), 0n)
  return weiMicros(gas * maxFee + dataFee, price)
}

/** The highest fee per gas at which a payment's gas and its publication together cost no more than `budget`. */
export const boundFor = (
  { data, gas }: Pick<Job, "data" | "gas">,
  { market, price }: Terms,
  budget: bigint
): bigint => boundPerGas(budget - weiMicros(dataFeeOf(market.dataFee, data), price), gas, price)

const sharesNone = ({ job: { alone, apart = false } }: Entry): boolean => alone || apart

/**
 * Which of the waiting payments one transaction may carry: the oldest whose fee is in proportion now, together with
 * those that came after it; alone where nothing else waits, its payer is a contract, or it failed before. Each pays its own
 * gas, so the smallest bound holds for all.
 */
export const choose = (
  waiting: Iterable<Entry>,
  { market, mostTogether = MAX_BATCH, price }: Terms,
  budget: (amount: bigint) => bigint
): Choice | undefined => {
  const payable = [...waiting]
    .map((entry) => ({ entry, bound: boundFor(entry.job, { market, price }, budget(entry.job.amount)) }))
    .filter(({ bound }) => openingOffer(market, bound) !== undefined)
  const [first] = payable
  if (first === undefined) return undefined
  const others = sharesNone(first.entry)
    ? []
    : payable
        .slice(1)
        .filter(({ entry }) => !sharesNone(entry))
        .slice(0, mostTogether - 1)
  const bound = others.reduce((least, one) => (one.bound < least ? one.bound : least), first.bound)
  const offer = openingOffer(market, bound)
  return (
    offer && {
      entries: [first.entry, ...others.map(({ entry }) => entry)],
      offer,
      bound,
      terms: { market, price }
    }
  )
}
