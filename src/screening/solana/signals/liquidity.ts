import type { Judgement } from "../../../domain/signal.ts"
import { critical, fail, minor, pass, unknown } from "../../../domain/signal.ts"
import { TRUSTED_QUOTES } from "../addresses.ts"
import type { SolanaEvidence } from "../evidence.ts"
import type { SolanaSignal } from "./shared.ts"
import { unlockedBeside, unnamedIn } from "../pools/lp-facts.ts"
import type { Interval } from "../pools/pool-fact.ts"
import { provenOld } from "../pools/seasoned.ts"
import { isMostlyRead, NEGLIGIBLE_USD, THIN_USD } from "../pools/unread.ts"
import { acceptedOfListed, HOUR, percent, signal, usd } from "./shared.ts"

/** Liquidity of which market data knows less than this was not there a minute ago, or is not there any more. */
const LEAST_KNOWN = 0.5
/** A price this far from another source is not lag: one of them is made up. */
const GROSS_SPREAD = 0.5

/** USD that is certain, and the most that there could be besides, unseen. Only pools read from the chain count. */
const knownLiquidity = ({ market, pools, unreadUsd }: SolanaEvidence) => ({
  total: pools.reduce((sum, { liquidityUsd }) => sum + (liquidityUsd ?? 0), 0),
  unseen:
    market.known && unreadUsd.known && pools.every(({ liquidityUsd }) => liquidityUsd !== null)
      ? unreadUsd.value
      : Infinity
})

/** One party that can take this much of the liquidity ends the market; a third of it shakes it. */
const MOST = 0.5
const MUCH = 0.33
const SOME = 0.2

/** What one party can withdraw for certain, and the most that one could: with what has been there for long it could have. */
const removableOf = ({ lp: { removable }, pools, seasoned }: SolanaEvidence): Interval => ({
  low: removable.low,
  high: Math.max(removable.low, removable.high - unnamedIn(pools, provenOld(pools, seasoned)))
})

/** One party may be able to withdraw a third, and it is not known that anybody can: a pass needs proof that nobody can. */
const isOpen = ({ high, low }: Interval): boolean => low <= SOME && high > MUCH

const oldestPool = ({ fetchedAt, market }: SolanaEvidence): number | null => {
  const times = market.known
    ? market.value.map(({ createdAt }) => createdAt).filter((time) => time !== null)
    : []
  return times.length === 0 ? null : fetchedAt - Math.min(...times)
}

/**
 * Whether one hand behind all the wallets would have more than this: together they have what is not certainly locked.
 * Whoever has left it where it was for so long, though he could have taken it, is no such hand.
 */
const mayHaveTogether = (share: number, { pools, seasoned }: SolanaEvidence): boolean =>
  unlockedBeside(pools, provenOld(pools, seasoned)) > share

const judgeLp = (evidence: SolanaEvidence): Judgement => {
  const { lp, trusted } = evidence
  if (trusted !== null) return acceptedOfListed("The liquidity is many parties', and not locked")
  const removable = removableOf(evidence)
  const { share } = lp
  if (lp.locked === true)
    return pass(`${percent(share.low)} of the liquidity is burned, locked for good, or in a curve.`)
  if (removable.low > SOME) {
    const points = removable.high >= MUCH ? 35 : 20
    return fail(`One party can withdraw ${percent(removable.low)} of the liquidity.`, { points })
  }
  if (isOpen(removable))
    return unknown(
      `${percent(share.low)} of the liquidity is certainly locked; who could withdraw the rest is not known.`
    )
  return mayHaveTogether(SOME, evidence)
    ? unknown(
        "The liquidity is several wallets', which may all be one party's: it has not been shown to have been there for 30 days, or for 180 where it is little."
      )
    : pass(
        `The liquidity is spread: no party that can be named can withdraw more than ${percent(removable.high)} of it.`
      )
}

const judgeLiquidity =
  (least: number, verdict: (total: number) => Judgement) =>
  (evidence: SolanaEvidence): Judgement => {
    const { total, unseen } = knownLiquidity(evidence)
    if (total >= least) return pass(`${usd(total)} of liquidity against trusted quotes.`)
    return total + unseen < least
      ? verdict(total)
      : unknown("Not every pool's liquidity could be read and valued.")
  }

/**
 * What market data says of the quote in the pools that both know, as a share of what the node shows, by USD; at most 1.
 * Null where it says nothing.
 */
const shareKnownToMarket = ({ market, pools }: SolanaEvidence): number | null => {
  const said = new Map(
    (market.known ? market.value : []).map(
      ({ liquidityQuote, pairAddress }) => [pairAddress, liquidityQuote] as const
    )
  )
  let [shown, known] = [0, 0]
  for (const { address, quoteInVault, quoteUsd } of pools) {
    const listed = said.get(address) ?? null
    if (listed === null || quoteInVault === null || quoteUsd === null || quoteInVault <= 0) continue
    shown += quoteUsd
    known += quoteUsd * Math.min(1, listed / quoteInVault)
  }
  return shown > 0 ? known / shown : null
}

/** Liquidity and price: what the chain shows against quotes worth something. */
export const liquiditySignals: ReadonlyArray<SolanaSignal> = [
  signal("NEGLIGIBLE_LIQUIDITY", critical(40, 20, "liquidity"), {
    reads: "USD of all pools read from the chain against trusted quotes",
    judge: judgeLiquidity(NEGLIGIBLE_USD, (total) =>
      fail(`Only ${usd(total)} of liquidity against trusted quotes: there is nobody to sell to.`)
    )
  }),
  signal("LOW_LIQUIDITY", minor(15, 10, "liquidity"), {
    reads: "USD of all pools read from the chain against trusted quotes",
    judge: judgeLiquidity(THIN_USD, (total) =>
      fail(`Only ${usd(total)} of liquidity against trusted quotes.`)
    )
  }),
  signal("LP_UNLOCKED", minor(35, 15, "exit"), {
    reads:
      "LP tokens and positions by who can withdraw them, over all trusted pools by the USD sellers reach; since when it is there; RugCheck as second opinion",
    critical: (evidence) => {
      const { lp, trusted } = evidence
      const removable = removableOf(evidence)
      return (
        trusted === null &&
        lp.locked !== true &&
        (removable.high > MOST || isOpen(removable) || mayHaveTogether(MUCH, evidence))
      )
    },
    judge: judgeLp
  }),
  signal("PRICE_DISPUTED", critical(25, 15), {
    source: "dexscreener",
    reads: "price of the deepest trusted pool against the other pools and market data",
    judge: ({ market, price }) => {
      if (price.spread !== null && price.spread > GROSS_SPREAD) {
        return fail(`Sources of the price differ by ${percent(price.spread)}.`)
      }
      if (!price.usd.known) return unknown(`No certain price: ${price.usd.why}.`)
      return pass(
        price.spread === null || !market.known
          ? "One source prices the token; no other contradicts it."
          : `Sources of the price agree within ${percent(price.spread)}.`
      )
    }
  }),
  // The two are a minute apart at most, unless the node is behind: a price that doubles moves the quote by two fifths.
  signal("LIQUIDITY_DISPUTED", critical(25, 15), {
    source: "dexscreener",
    reads: "the quote in the pools' vaults against market data's figure for the same pools",
    judge: (evidence) => {
      const share = shareKnownToMarket(evidence)
      return share !== null && share < LEAST_KNOWN
        ? unknown(
            `Market data knows of ${percent(share)} of the liquidity that the node shows: it was put in just now, or is gone already.`
          )
        : pass("Market data does not contradict the liquidity that the node shows.")
    }
  }),
  signal("UNREAD_VENUE", critical(25, 15, "liquidity"), {
    source: "dexscreener",
    reads:
      "trusted quotes that market data names in pools that were not read, RugCheck's figures where that is silent, and what their vaults' tokens are worth, against those of the pools that were",
    judge: ({ pools, trusted, unreadUsd }) => {
      if (trusted !== null) return acceptedOfListed("Some pools were not read")
      if (!unreadUsd.known)
        return unknown(`What lies in pools that were not read has no certain worth: ${unreadUsd.why}.`)
      return isMostlyRead(pools, unreadUsd)
        ? pass("Nobody names more liquidity in other pools than in those that were read.")
        : unknown(
            `About ${usd(unreadUsd.value)} lie in pools that could not be read, more than in those that could: whose that is is not known.`
          )
    }
  }),
  signal("WORTHLESS_QUOTES", minor(10, 2), {
    source: "dexscreener",
    reads: "market data's liquidity in pools that hold no quote worth anything",
    judge: (evidence) => {
      if (!evidence.market.known) return unknown("Market data did not answer.")
      const valued = new Set<string>(
        evidence.pools.filter(({ quoteUsd }) => quoteUsd !== 0).map(({ address }) => address)
      )
      const known = new Set<string>(evidence.pools.map(({ address }) => address))
      // What lies against a trusted quote in a pool that was not read is not known to be nothing.
      const claimed = evidence.market.value.filter(
        ({ pairAddress, quoteAddress }) =>
          !valued.has(pairAddress) && (known.has(pairAddress) || !TRUSTED_QUOTES.has(quoteAddress ?? ""))
      )
      const fake = claimed.reduce((sum, { liquidityUsd }) => sum + (liquidityUsd ?? 0), 0)
      const { total } = knownLiquidity(evidence)
      return fake > total && fake >= 1000
        ? fail(
            `${usd(fake)} of claimed liquidity is in pools without an asset we value, or in which no seller would trade.`
          )
        : pass("Most of the claimed liquidity is against trusted quotes.")
    }
  }),
  // Flash liquidity is always young.
  signal("NEW_POOL", minor(10, 3), {
    source: "dexscreener",
    reads: "age of the oldest listed pool",
    judge: (evidence) => {
      const age = oldestPool(evidence)
      if (age === null) return unknown("No listed pool has an age.")
      if (age < HOUR) return fail("The oldest pool is less than an hour old.")
      return age < 24 * HOUR
        ? fail("The oldest pool is less than a day old.", { points: 5 })
        : pass("The oldest pool is more than a day old.")
    }
  })
]
