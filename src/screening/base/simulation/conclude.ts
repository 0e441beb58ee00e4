import type { Fact } from "../../../domain/fact.ts"
import { known, missing } from "../../../domain/fact.ts"
import type { SimulationFact, SimulationFindings, TradeLegs, TradeVariant } from "./findings.ts"

// Two ways of trading the same token in the same block differ by rounding, not by two percent.
const toleratedDifferenceBps = 200

const bought = ({ legs }: TradeVariant): boolean => legs.buy === "ok"
// A buyer who got nothing has nothing to sell; that is a tax of 100 %, which stands in the taxes.
const holdsTokens = ({ legs }: TradeVariant): boolean => legs.buy === "ok" && legs.sell !== "not-tried"
const cannotSell = ({ legs }: TradeVariant): boolean => legs.sell === "reverted"

const highest = (values: ReadonlyArray<number | null>): number | null => {
  const measured = values.filter((value) => value !== null)
  return measured.length === 0 ? null : Math.max(...measured)
}

/** The variants of the best pool that anybody can buy in at all; what other pools allow does not excuse this one. */
const atBestPool = (variants: ReadonlyArray<TradeVariant>): ReadonlyArray<TradeVariant> => {
  const best = variants.find(bought)?.pool
  return variants.filter(({ pool }) => pool === best)
}

const isTrap = (variants: ReadonlyArray<TradeVariant>): boolean => {
  const holding = atBestPool(variants).filter(holdsTokens)
  return holding.length > 0 && holding.every(cannotSell)
}

const differ = (a: number | null, b: number | null): boolean =>
  a !== null && b !== null && Math.abs(a - b) > toleratedDifferenceBps

const disagree = (a: TradeLegs, b: TradeLegs): boolean =>
  a.buy !== b.buy ||
  a.sell !== b.sell ||
  a.transfer !== b.transfer ||
  differ(a.buyTaxBps, b.buyTaxBps) ||
  differ(a.sellTaxBps, b.sellTaxBps) ||
  differ(a.transferTaxBps, b.transferTaxBps)

/** Same pool, size and time, other sender: a token that treats them differently looks at who is asking. */
const isInconsistent = (variants: ReadonlyArray<TradeVariant>): boolean =>
  variants.some((one) =>
    variants.some(
      (other) =>
        one.pool === other.pool &&
        one.size === other.size &&
        one.at === other.at &&
        one.sender !== other.sender &&
        disagree(one.legs, other.legs)
    )
  )

const fullSell = (now: ReadonlyArray<TradeVariant>): Fact<boolean> => {
  const shares = now.map(({ legs }) => legs.maxSellPercent).filter((share) => share !== null)
  return shares.length === 0
    ? missing("nothing could be bought")
    : known(shares.every((share) => share === 100))
}

/** At some later time a holder is stuck: sells fail, or buys that pass now fail and nothing more can be measured. */
const isLaterTrap = (now: ReadonlyArray<TradeVariant>, later: ReadonlyArray<TradeVariant>): boolean => {
  const best = now.find(bought)?.pool
  return ([3600, 604800] as const).some((at) => {
    const then = later.filter((variant) => variant.at === at && variant.pool === best)
    return then.length > 0 && (isTrap(then) || then.every(({ legs }) => legs.buy === "reverted"))
  })
}

/**
 * Weighs all variants. Evidence against the token counts even when some variants could not be run; a clean result
 * counts only when both senders were tried now and at both later times.
 */
export const conclude = (
  variants: ReadonlyArray<TradeVariant>,
  holders: SimulationFindings["holders"]
): SimulationFact => {
  const now = variants.filter(({ at }) => at === 0)
  const later = variants.filter(({ at }) => at !== 0)
  if (now.length === 0) return missing("no trade could be simulated")
  const best = atBestPool(now)
  const findings: SimulationFindings = {
    variants,
    tradingBlocked: !now.some(bought),
    honeypot: isTrap(now),
    buyTaxBps: highest(now.map(({ legs }) => legs.buyTaxBps)),
    sellTaxBps: highest(now.map(({ legs }) => legs.sellTaxBps)),
    transferTaxBps: highest(now.map(({ legs }) => legs.transferTaxBps)),
    laterSellTaxBps: highest(later.map(({ legs }) => legs.sellTaxBps)),
    laterHoneypot: isLaterTrap(now, later),
    inconsistent: isInconsistent(variants),
    fullSell: fullSell(best),
    holders
  }
  if (findings.tradingBlocked || findings.honeypot || findings.inconsistent || isComplete(variants)) {
    return known(findings)
  }
  return missing("node ran only a part of the simulation")
}

const isComplete = (variants: ReadonlyArray<TradeVariant>): boolean =>
  ([0, 3600, 604800] as const).every((at) =>
    (["fresh-contract", "fresh-origin"] as const).every((sender) =>
      variants.some((variant) => variant.at === at && variant.sender === sender)
    )
  )
