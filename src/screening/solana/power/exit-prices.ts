import type { ExitPrices } from "../../../domain/screening.ts"
import type { Fact } from "../../../domain/fact.ts"
import type { SolanaEvidence } from "../evidence.ts"
import { NOTHING_KNOWN } from "../pools/lp-reading.ts"
import type { PoolFact } from "../pools/pool-fact.ts"
import { priceAfterSale } from "../pools/reserves.ts"
import { isMostlyRead } from "../pools/unread.ts"
import type { Exit, HolderFacts } from "./exits.ts"

/** So little that nobody could be told of makes no difference. */
const CRUMBS = 0.05

type Provider = { readonly kind: "party"; readonly name: string } | { readonly kind: "nobody" | "unknown" }

/** What a pool's liquidity is worth, or, where nobody could value it, the most that it could be. */
const atMost = ({ liquidityUsd, mostUsd }: PoolFact): number => liquidityUsd ?? 2 * (mostUsd ?? Infinity)

/** Who can withdraw most of all liquidity, by USD: not known where somebody may have more whom nobody could tell of. */
const largestProvider = (pools: ReadonlyArray<PoolFact>): Provider => {
  const worth = new Map<string, number>()
  let [whole, untold] = [0, 0]
  for (const pool of pools) {
    const usd = atMost(pool)
    const { parties, unseen } = pool.liquidityUsd === null ? NOTHING_KNOWN : pool.lock
    whole += usd
    untold += usd * unseen
    for (const [party, share] of parties) worth.set(party, (worth.get(party) ?? 0) + share * usd)
  }
  const [[name, most] = ["", 0]] = [...worth].toSorted(([, a], [, b]) => b - a)
  if (untold >= whole * CRUMBS && untold > most) return { kind: "unknown" }
  return most > 0 ? { kind: "party", name } : { kind: "nobody" }
}

/** The price after one provider has withdrawn its share of every pool and sold the tokens that came with it. */
const afterWithdrawal = (pools: ReadonlyArray<PoolFact>, provider: string): number | null => {
  let tokens = 0
  const left = pools.flatMap(({ depth, isDear, lock }) => {
    if (depth === null) return []
    const share = Math.min(1, lock.parties.get(provider) ?? 0)
    tokens += depth.token * share
    if (isDear) return []
    const rest = 1 - share
    return [{ token: depth.token * rest, quote: depth.quote * rest, real: depth.real * rest }]
  })
  if (left.length === 0) return null
  // Nothing is left to sell into.
  return priceAfterSale(left, tokens) ?? 0
}

const rounded = (part: number | null): number | null =>
  part === null ? null : Math.round(Math.min(1, Math.max(0, part)) * 10_000) / 10_000

/** Not known where more may lie in pools that were not read: somebody may have all of that. */
const afterProvider = ({ pools, unreadUsd }: Pick<SolanaEvidence, "pools" | "unreadUsd">): number | null => {
  if (!pools.some(({ depth }) => depth !== null) || !isMostlyRead(pools, unreadUsd)) return null
  const provider = largestProvider(pools)
  switch (provider.kind) {
    case "party":
      return afterWithdrawal(pools, provider.name)
    case "nobody":
      return 1
    case "unknown":
      return null
  }
}

/** Not known where what nobody could tell the owner of may be more than what is told. */
const afterSale = (told: Exit, possible: Exit): number | null =>
  possible.share - told.share > Math.max(told.share, CRUMBS) ? null : told.priceAfter

const saleOf = (whose: "largest" | "insiders", holders: Fact<HolderFacts>): number | null =>
  holders.known ? afterSale(holders.value[whose], holders.value.possible[whose]) : null

type Left = Pick<SolanaEvidence, "holders" | "pools" | "unreadUsd">

/** What would be left of the price, by what is known of holders and of liquidity. */
export const exitPrices = (left: Left): ExitPrices => ({
  largestHolderSells: rounded(saleOf("largest", left.holders)),
  largestGroupSells: rounded(saleOf("insiders", left.holders)),
  largestProviderLeaves: rounded(afterProvider(left))
})
