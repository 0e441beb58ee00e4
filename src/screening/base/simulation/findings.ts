import type { Hex } from "viem"
import type { Fact } from "../../../domain/fact.ts"

/** One buy, transfer and sell by a fresh address. Taxes are measured against reserves read in the same call. */
export interface TradeLegs {
  readonly buy: "ok" | "reverted"
  readonly transfer: "ok" | "reverted" | "not-tried"
  readonly sell: "ok" | "reverted" | "not-tried"
  /** Basis points kept by the token; price impact and pool fees are not in them. Null where the leg did not run. */
  readonly buyTaxBps: number | null
  readonly transferTaxBps: number | null
  readonly sellTaxBps: number | null
  /**
   * Basis points of a swap that the pool's hook kept; not part of the token's taxes. Null without a hook, and where
   * nothing says what the pool itself would have paid.
   */
  readonly hookTaxBps: number | null
  /** Largest share of what was bought that can be sold at once, in percent; null where not measured. */
  readonly maxSellPercent: number | null
}

/** Where one round of legs was run: the variants a token could tell apart. */
export interface TradeVariant {
  /** The pool's contract; in V4 its id. */
  readonly pool: Hex
  readonly size: "small" | "large"
  /**
   * `fresh-contract`: a contract called by another account. `fresh-origin`: a contract that is itself the sender of the
   * transaction. `fresh-wallet`: an account without code, as real traders are, where its allowance could be replaced.
   */
  readonly sender: "fresh-contract" | "fresh-origin" | "fresh-wallet"
  /** Seconds after the block the evidence was read at. */
  readonly at: 0 | 3600 | 604800
  readonly legs: TradeLegs
}

/** What the simulation concluded over all variants. */
export interface SimulationFindings {
  readonly variants: ReadonlyArray<TradeVariant>
  /** Nobody new can buy now. */
  readonly tradingBlocked: boolean
  /** A fresh buyer can buy and then cannot sell, in any size and as any kind of sender that traders are. */
  readonly honeypot: boolean
  /** Highest taxes over the variants at time 0, and over the later ones. */
  readonly buyTaxBps: number | null
  readonly sellTaxBps: number | null
  readonly transferTaxBps: number | null
  readonly laterSellTaxBps: number | null
  readonly laterHoneypot: boolean
  /** One kind of sender fares worse than another in the same trade: the token looks at who is asking. */
  readonly inconsistent: boolean
  /** Everything bought can be sold at once. */
  readonly fullSell: Fact<boolean>
  /** Real holders whose transfers to a fresh address and to the best pool were tried; how many failed in either. */
  readonly holders: Fact<{ readonly tried: number; readonly failed: number }>
}

/** Unknown when the node refuses overrides, when there is no pool, or when the call ran out of time. */
export type SimulationFact = Fact<SimulationFindings>
