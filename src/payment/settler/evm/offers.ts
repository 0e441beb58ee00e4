import { atLeastZero, max, min } from "../../../domain/bigint.ts"

/** What the next block asks for, in wei per gas. */
export interface Market {
  readonly baseFee: bigint
  /** What recent transactions gave the sequencer on top, within our bounds. */
  readonly tip: bigint
}

/** What one signed transaction offers, in wei per gas. */
export interface Offer {
  readonly maxFee: bigint
  readonly tip: bigint
}

/** Base's usual tip; a block with no other transactions asks for less, and less is not worth the wait. */
const MIN_TIP = 1_000_000n
/** A first offer gives no more on top, whatever a node suggests (anvil: 1 gwei); a transaction that waits raises it. */
const MAX_OPENING_TIP = 10_000_000n
/** Beyond any fee Base has seen: a wrong price must not turn into an unbounded offer. */
const MAX_FEE_PER_GAS = 50_000_000_000n

const WEI_PER_ETHER = 10n ** 18n

const least = (first: bigint, ...others: ReadonlyArray<bigint>): bigint => others.reduce(min, first)

/** The tip of a first offer from the median tips of the last blocks. */
export const openingTip = (rewards: ReadonlyArray<bigint>): bigint => {
  const sorted = rewards.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  const median = sorted[Math.floor(sorted.length / 2)] ?? MIN_TIP
  return least(max(median, MIN_TIP), MAX_OPENING_TIP)
}

/** Millionths of a USD that some wei are; rounded up. `price`: millionths of a USD per ether. */
export const weiMicros = (wei: bigint, price: bigint): bigint =>
  (wei * price + WEI_PER_ETHER - 1n) / WEI_PER_ETHER

/** Millionths of a USD that `gas` costs at `perGas` wei; rounded up. */
export const feeMicros = (gas: bigint, perGas: bigint, price: bigint): bigint =>
  weiMicros(gas * perGas, price)

/**
 * The highest fee per gas at which `gas` costs no more than `budget`, millionths of a USD. A `price` of zero says that
 * ether is worth nothing on this chain.
 */
export const boundPerGas = (budget: bigint, gas: bigint, price: bigint): bigint =>
  price === 0n
    ? MAX_FEE_PER_GAS
    : least(MAX_FEE_PER_GAS, (atLeastZero(budget) * WEI_PER_ETHER) / (gas * price))

/** Whether a transaction bound to `bound` wei per gas would be taken now. */
const isAffordable = ({ baseFee, tip }: Market, bound: bigint): boolean => baseFee + tip <= bound

/** The first offer: twice the base fee survives five full blocks in a row. `undefined` above the bound. */
export const openingOffer = (market: Market, bound: bigint): Offer | undefined =>
  isAffordable(market, bound)
    ? { maxFee: least(2n * market.baseFee + market.tip, bound), tip: market.tip }
    : undefined

/** Nodes replace a transaction only for an eighth more of both fees. Source: reth and geth `--txpool.pricebump`. */
const raise = (fee: bigint): bigint => (fee * 9n) / 8n + 1n

/** An offer that replaces `previous` and would be taken now; `undefined` above the bound. */
export const raisedOffer = (previous: Offer, market: Market, bound: bigint): Offer | undefined => {
  const tip = max(raise(previous.tip), market.tip)
  const lowest = max(raise(previous.maxFee), market.baseFee + tip)
  if (lowest > bound) return undefined
  return { maxFee: max(lowest, least(2n * market.baseFee + tip, bound)), tip }
}

/** Whether the next block can take this offer. */
export const isSufficient = (offer: Offer, { baseFee }: Market): boolean => offer.maxFee > baseFee
