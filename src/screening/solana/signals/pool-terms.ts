import type { Judgement } from "../../../domain/signal.ts"
import { critical, fail, minor, pass, unknown } from "../../../domain/signal.ts"
import type { SolanaEvidence } from "../evidence.ts"
import {
  DEAREST_TIER,
  deepestOf,
  HIGH_ROUND_TRIP,
  isFeeUnread,
  PROHIBITIVE,
  roundTrip
} from "../pools/costs.ts"
import type { Obstacle, PoolFact } from "../pools/pool-fact.ts"
import { LEAST_AFTER_SALE } from "../pools/quote-coin.ts"
import { NEGLIGIBLE_USD, THIN_USD } from "../pools/unread.ts"
import type { SolanaSignal } from "./shared.ts"
import { percent, signal } from "./shared.ts"

const NOTICEABLE = 0.04

const WORDS: Readonly<Record<Obstacle, string>> = {
  closed: "are switched off",
  "not-open-yet": "have not opened yet",
  frozen: "have a frozen vault",
  exposed: "have a vault that somebody else may empty",
  guarded: "have a vault that takes or gives no tokens in a swap"
}

/** In these nobody buys either: whoever opens one takes nothing from a market beside it, and gets back what lies there. */
const UNTRADED: ReadonlySet<Obstacle | null> = new Set<Obstacle>(["closed", "not-open-yet"])
const openUsd = (pools: ReadonlyArray<PoolFact>): number =>
  pools.reduce((sum, { liquidityUsd }) => sum + (liquidityUsd ?? 0), 0)

/** Pools by which a market is judged open: all of them, unless others than the untraded are a market by themselves. */
const judgedPools = (pools: ReadonlyArray<PoolFact>): ReadonlyArray<PoolFact> =>
  openUsd(pools) < NEGLIGIBLE_USD ? pools : pools.filter(({ obstacle }) => !UNTRADED.has(obstacle))

/** Whoever buys in a pool that takes no token back sells in the market, while that is neither thin nor next to nothing. */
const withoutOneWay = (pools: ReadonlyArray<PoolFact>): ReadonlyArray<PoolFact> =>
  openUsd(pools) < THIN_USD ? pools : pools.filter(({ obstacle }) => obstacle !== "guarded")

/** What of the liquidity lies in pools that do not trade; 0 where there is none at all. */
const shutShare = (pools: ReadonlyArray<PoolFact>): number => {
  const total = pools.reduce((sum, { nominalUsd }) => sum + nominalUsd, 0)
  const behind = pools.reduce((sum, pool) => (pool.obstacle === null ? sum : sum + pool.nominalUsd), 0)
  return total === 0 ? 0 : behind / total
}

const judgeOpen = (evidence: SolanaEvidence): Judgement => {
  const pools = judgedPools(evidence.pools)
  const shut = pools.filter(({ nominalUsd, obstacle }) => obstacle !== null && nominalUsd > 0)
  const [first] = shut.toSorted((a, b) => b.nominalUsd - a.nominalUsd)
  if (first?.obstacle == null) return pass("Every pool with liquidity trades.")
  const share = shutShare(pools)
  const words = `Pools with ${percent(share)} of the liquidity ${WORDS[first.obstacle]}.`
  if (share >= 0.95) return fail(words, { hard: true, points: 80 })
  return shutShare(withoutOneWay(pools)) >= 0.5 ? fail(words) : pass(words)
}

/** Half of the liquidity behind a switch, or a third of it given away, is none to rely on. */
const MOST = 0.5
const MUCH = 0.33

const judgeQuote = (evidence: SolanaEvidence): Judgement => {
  const total = evidence.pools.reduce((sum, { liquidityUsd }) => sum + (liquidityUsd ?? 0), 0)
  const isMuch = (pools: ReadonlyArray<PoolFact>): boolean =>
    total > 0 && pools.reduce((sum, { liquidityUsd }) => sum + (liquidityUsd ?? 0), 0) >= total * MUCH
  const coins = evidence.pools.filter(({ quoteAfterSale }) => quoteAfterSale !== null)
  if (!isMuch(coins)) return pass("The liquidity is in assets that are no launch coins.")
  const weak = coins.filter(
    ({ quoteAfterSale }) => quoteAfterSale?.known === true && quoteAfterSale.value < LEAST_AFTER_SALE
  )
  if (isMuch(weak)) return fail("One party could halve the worth of the coin that the liquidity is in.")
  return coins.every(({ quoteAfterSale }) => quoteAfterSale?.known === true)
    ? pass("Nobody alone could halve the worth of the coin that the liquidity is in.")
    : unknown("Who could sell the coin that the liquidity is in, or take its own liquidity, is not known.")
}

/** Share of all liquidity that curves hand out to their makers: a deeper pool beside them does not keep it. */
const handedOutOfAll = ({ pools }: SolanaEvidence): number => {
  const total = pools.reduce((sum, { liquidityUsd }) => sum + (liquidityUsd ?? 0), 0)
  const out = pools.reduce((sum, { handedOut, liquidityUsd }) => sum + (liquidityUsd ?? 0) * handedOut, 0)
  return total > 0 ? out / total : 0
}

/** The terms of the pools themselves: they can refuse a sale, or tax it, like a token can. */
export const poolTermSignals: ReadonlyArray<SolanaSignal> = [
  signal("POOLS_CLOSED", critical(45, 0, "pools-open"), {
    reads: "status, opening time, and frozen, delegated or guarded vaults of every pool, by liquidity",
    judge: judgeOpen
  }),
  signal("POOL_SWITCH", critical(36, 0, "pools-open"), {
    reads: "whether whoever made the pools with most of the liquidity can switch them off",
    judge: (evidence) => {
      const pools = judgedPools(evidence.pools)
      const total = pools.reduce((sum, { nominalUsd }) => sum + nominalUsd, 0)
      const behind = pools.reduce(
        (sum, { nominalUsd, switchedBy }) => sum + (switchedBy === null ? 0 : nominalUsd),
        0
      )
      return behind > 0 && behind >= total * MOST
        ? fail(`Whoever made them can switch off the pools with ${percent(behind / total)} of the liquidity.`)
        : pass("Nobody who made a pool can switch off most of the liquidity.")
    }
  }),
  signal("POOL_FEE", minor(60, 15, "pool-fee"), {
    reads: "fee of the deepest pool, now and once its schedule has run out",
    judge: (evidence) => {
      const pool = deepestOf(evidence.pools)
      if (pool === null) return pass("No pool trades.")
      if (isFeeUnread(pool))
        return unknown("The account that names the deepest pool's fee could not be read.")
      if (pool.fee === null) return pass("The deepest pool's fee is one of its program's own tiers.")
      const { lasting, now } = pool.fee
      if (now < NOTICEABLE) return pass(`The deepest pool takes ${percent(now)} of a trade.`)
      const points = Math.min(60, Math.ceil(now * 200))
      return fail(
        `The deepest pool takes ${percent(now)} of a trade now, and ${percent(lasting)} once its schedule has run out or the price has calmed.`,
        { points, hard: lasting >= PROHIBITIVE }
      )
    }
  }),
  signal("HIGH_POOL_FEE", critical(45, 0, "pool-fee"), {
    reads:
      "what buying and selling in the deepest pool costs at its highest fee and the token's own transfer fee",
    judge: (evidence) => {
      const pool = deepestOf(evidence.pools)
      if (pool !== null && isFeeUnread(pool)) return unknown("The deepest pool's highest fee is not known.")
      const fee = (pool?.fee?.now ?? 0) + (pool?.surge ?? 0)
      const cost = roundTrip(fee, evidence)
      if (cost >= HIGH_ROUND_TRIP && fee > 0)
        return fail(`Buying and selling in the deepest pool can cost ${percent(cost)} in fees.`)
      // A token whose own fee takes a tenth has failed by that.
      const mayBeHigh =
        pool?.fee === null &&
        cost < HIGH_ROUND_TRIP &&
        roundTrip(fee + DEAREST_TIER, evidence) >= HIGH_ROUND_TRIP
      return mayBeHigh
        ? unknown("The deepest pool's tier was not read: with the token's own fee it may cost a tenth.")
        : pass("Buying and selling in the deepest pool costs less than a tenth in fees.")
    }
  }),
  signal("QUOTE_COIN", critical(38, 15, "exit"), {
    reads:
      "for liquidity in launch coins: the coin's price after its largest holder, or a circle of nearly all, has sold, and what of its own pool can be withdrawn",
    judge: judgeQuote
  }),
  signal("LAUNCH_LIQUIDITY", critical(36, 15, "exit"), {
    reads:
      "what its makers get of what the deepest launch curve has raised once it has ended, and of all liquidity, by its configuration",
    judge: (evidence) => {
      const share = deepestOf(evidence.pools)?.handedOut ?? 0
      if (share >= MUCH)
        return fail(`After the curve's end its makers can have ${percent(share)} of what it raised.`)
      const ofAll = handedOutOfAll(evidence)
      return ofAll >= MUCH
        ? fail(`After a curve's end its makers can have ${percent(ofAll)} of all liquidity.`)
        : pass("No curve hands much of the liquidity out to its makers.")
    }
  })
]
