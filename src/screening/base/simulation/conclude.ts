import type { Fact } from "../../../domain/fact.ts"
import { known, mapFact, missing } from "../../../domain/fact.ts"
import type { SimulationFact, SimulationFindings, TradeVariant } from "./findings.ts"
import type { HolderTrial } from "./holders.ts"
import { countHolders } from "./holders.ts"

/** A variant together with what only the conclusion needs to know about it. */
export interface MeasuredVariant extends TradeVariant {
  /** The direct sell passed and the sell through the pool's usual router failed. */
  readonly routerRefused: boolean
}
type Variants = ReadonlyArray<MeasuredVariant>

// Two ways of trading the same token in the same block differ by rounding, not by two percent.
const toleratedDifferenceBps = 200
const laterTimes = [3600, 604800] as const

const bought = ({ legs }: TradeVariant): boolean => legs.buy === "ok"
const holdsTokens = ({ legs }: TradeVariant): boolean => legs.buy === "ok" && legs.sell !== "not-tried"
const cannotSell = ({ legs }: TradeVariant): boolean => legs.sell === "reverted"
const isWallet = ({ sender }: TradeVariant): boolean => sender === "fresh-wallet"

// A wallet can only have tried to sell where the place of its allowance was found.
const isSellingWallet = (variant: TradeVariant): boolean => isWallet(variant) && holdsTokens(variant)

/** Wallets are what people trade with: where they ran, a token that refuses contracts is judged by them alone. */
const decisive = (variants: Variants): Variants =>
  variants.some(isWallet) ? variants.filter(isWallet) : variants

const highest = (values: ReadonlyArray<number | null>): number | null => {
  const measured = values.filter((value) => value !== null)
  return measured.length === 0 ? null : Math.max(...measured)
}

/** The first pool anybody can buy in; what a lesser pool allows does not excuse it. */
const bestPool = (variants: Variants) =>
  [...new Set(variants.map(({ pool }) => pool))].find((pool) =>
    variants.some((variant) => variant.pool === pool && bought(variant))
  )

const cannotBuy = (variants: Variants): boolean => !decisive(variants).some(bought)

const isTrap = (variants: Variants): boolean => {
  const holding = decisive(variants.filter(holdsTokens))
  return (
    variants.some(({ routerRefused }) => routerRefused) || (holding.length > 0 && holding.every(cannotSell))
  )
}

const exceeds = (a: number | null, b: number | null): boolean =>
  a !== null && b !== null && a - b > toleratedDifferenceBps

const isWorse = ({ legs: a }: TradeVariant, { legs: b }: TradeVariant): boolean =>
  (a.buy === "reverted" && b.buy === "ok") ||
  (a.sell === "reverted" && b.sell === "ok") ||
  (a.transfer === "reverted" && b.transfer === "ok") ||
  exceeds(a.buyTaxBps, b.buyTaxBps) ||
  exceeds(a.sellTaxBps, b.sellTaxBps) ||
  exceeds(a.transferTaxBps, b.transferTaxBps)

/**
 * Same pool, size and time, other sender, other outcome: the token looks at who is asking. A wallet that fares better
 * than a contract is no sign of it, since tokens that keep contracts out are common and traders are not harmed.
 */
const isInconsistent = (variants: Variants): boolean => {
  const suspects = decisive(variants)
  return suspects.some((one) =>
    variants.some(
      (other) =>
        one.pool === other.pool &&
        one.size === other.size &&
        one.at === other.at &&
        one.sender !== other.sender &&
        isWorse(one, other)
    )
  )
}

const fullSell = (now: Variants): Fact<boolean> => {
  if (isTrap(now)) return known(false)
  const shares = decisive(now.filter(holdsTokens)).map(({ legs }) => legs.maxSellPercent)
  return shares.length === 0
    ? missing("no sell could be tried")
    : known(shares.every((share) => share === 100))
}

const at = (variants: Variants, time: MeasuredVariant["at"]): Variants =>
  variants.filter((variant) => variant.at === time)

/** At some later time a holder is stuck: sells fail, or buys that pass now fail and nothing more can be measured. */
const isLaterTrap = (best: Variants): boolean =>
  !cannotBuy(at(best, 0)) &&
  laterTimes.some((time) => {
    const then = at(best, time)
    return then.length > 0 && (isTrap(then) || cannotBuy(then))
  })

// Nothing is left to sell after a tax of 100 %, so that the missing sell is no gap.
const isTested = (variant: TradeVariant): boolean => holdsTokens(variant) || variant.legs.buyTaxBps === 10_000

/**
 * Both calls were answered now and at both later times, where those count: that of the contract which sends its own
 * transaction, and that of the others; and in each somebody tried to sell.
 */
const isComplete = (best: Variants, withLater: boolean): boolean =>
  ([0, ...(withLater ? laterTimes : [])] as const).every((time) => {
    const then = at(best, time)
    const senders = new Set(then.map(({ sender }) => sender))
    return senders.has("fresh-origin") && senders.size > 1 && then.some(isTested)
  })

/**
 * Weighs all variants. Evidence against the token counts even when some variants could not be run; a clean result
 * counts only when it is complete.
 * @param withLater false where later times were left to wallets in simulated blocks
 */
export const conclude = (
  variants: Variants,
  trials: Fact<ReadonlyArray<HolderTrial>>,
  withLater = true
): SimulationFact => {
  const now = at(variants, 0)
  const later = variants.filter((variant) => variant.at !== 0)
  if (now.length === 0) return missing("no trade could be simulated")
  const where = bestPool(now)
  const best = variants.filter(({ pool }) => pool === where)
  const findings: SimulationFindings = {
    variants: variants.map(({ pool, size, sender, at, legs }) => ({ pool, size, sender, at, legs })),
    tradingBlocked: cannotBuy(now),
    honeypot: isTrap(at(best, 0)),
    buyTaxBps: highest(now.map(({ legs }) => legs.buyTaxBps)),
    sellTaxBps: highest(now.map(({ legs }) => legs.sellTaxBps)),
    transferTaxBps: highest(now.map(({ legs }) => legs.transferTaxBps)),
    laterSellTaxBps: highest(later.map(({ legs }) => legs.sellTaxBps)),
    laterHoneypot: isLaterTrap(best),
    inconsistent: isInconsistent(variants),
    fullSell: fullSell(at(best, 0)),
    holders: mapFact(trials, (tried) => countHolders(tried, variants.some(isSellingWallet)))
  }
  const isBad =
    findings.tradingBlocked || findings.honeypot || findings.laterHoneypot || findings.inconsistent
  return isBad || isComplete(best, withLater)
    ? known(findings)
    : missing("node ran only a part of the simulation")
}
