import { counted } from "../../../domain/counted.ts"
import type { Judgement, Signal } from "../../../domain/signal.ts"
import { critical, fail, minor, pass, signalFrom, unknown } from "../../../domain/signal.ts"
import { quoteToken } from "../addresses.ts"
import type { BaseEvidence } from "../evidence.ts"
import { isYoung } from "../holders/age.ts"

/** Less than this many USD is no market. */
const LEAST_USD = 100
/** USD on the quote side below which trading is hard, risky, or thin. */
const THIN_USD: ReadonlyArray<readonly [limit: number, points: number]> = [
  [LEAST_USD, 34],
  [1_000, 20],
  [10_000, 8]
]
/** Market data that claims this many times what trusted quotes hold counts something worthless. */
const SPOOF_FACTOR = 10
const SPOOF_MIN_USD = 10_000
/** A reserve that moved by half within minutes is somebody's, not the market's (just-in-time liquidity). */
const JUMP_FACTOR = 1.5
const MINUTE = 60
const HOUR = 3600

const usd = (amount: number): string => `${Math.round(amount)} USD`

const trusted = ({ pools }: BaseEvidence) => pools.filter(({ quoteUsd }) => quoteUsd > 0)
/** USD that stand against the token at trusted prices, over all pools. */
export const quoteSideUsd = (evidence: BaseEvidence): number =>
  trusted(evidence).reduce((sum, { quoteUsd }) => sum + quoteUsd, 0)

/** USD where market data sees a pool, of an exchange that we cannot read; any number where that is not known. */
const mostElsewhere = ({ elsewhereUsd }: BaseEvidence): number => elsewhereUsd ?? Infinity

/** So much may be a market. */
const isElsewhere = (evidence: BaseEvidence): boolean => mostElsewhere(evidence) >= LEAST_USD

/** Money that counts at other times stands against the token, and nobody can say now what it is worth. */
const isUnpriced = ({ pools }: BaseEvidence): boolean =>
  pools.some(({ quote, quoteReserve, quoteUsd }) => {
    const pricing = quoteToken(quote)?.pricing
    return quoteUsd === 0 && quoteReserve > 0n && (pricing === "own-weth-pool" || pricing === "btc-feed")
  })

const judgeTrusted = (evidence: BaseEvidence): Judgement => {
  if (trusted(evidence).length > 0)
    return pass(`${counted(trusted(evidence).length, "pool")} against trusted quotes.`)
  if (isUnread(evidence) || isElsewhere(evidence))
    return unknown("The token trades in an exchange that we cannot read.")
  const unpriced = evidence.pools.some(({ quoteReserve }) => quoteReserve > 0n)
  if (unpriced && !evidence.ethUsd.known) return unknown(`Liquidity has no price: ${evidence.ethUsd.why}.`)
  if (isUnpriced(evidence)) return unknown("What stands against the token has no price now.")
  return fail("No pool holds anything of value against the token.")
}

const judgeThin = (evidence: BaseEvidence): Judgement => {
  const side = quoteSideUsd(evidence)
  if (side === 0 && (!evidence.ethUsd.known || isUnpriced(evidence)))
    return unknown("Liquidity has no price.")
  if (side === 0 && isElsewhere(evidence))
    return unknown("What stands against the token in an exchange that we cannot read is not counted.")
  const tier = THIN_USD.find(([limit]) => side < limit)
  if (tier === undefined) return pass(`${usd(side)} stand against the token.`)
  return evidence.unread === null
    ? unknown("What a pool that did not answer holds is not counted.")
    : fail(`Only ${usd(side)} stand against the token.`, { points: tier[1] })
}

const days = (seconds: bigint): number => Math.floor(Number(seconds) / 86_400)

const unlockText = ({ pools, blockTime }: BaseEvidence): string => {
  const date = pools[0]?.lp?.earliestUnlock ?? null
  return date === null ? "" : ` The first lock ends in ${counted(days(date - blockTime), "day")}.`
}

const judgeLp = (evidence: BaseEvidence): Judgement => {
  const { lp, pools, established, launchpad } = evidence
  const percent = Math.floor(lp.share * 100)
  if (lp.locked === true) {
    return launchpad === null
      ? pass(`${percent} % of the liquidity is burned or locked for at least 30 days.${unlockText(evidence)}`)
      : pass("The launchpad that made the token holds its liquidity where nobody can take it.")
  }
  if (established) return pass("Not judged: an established token, admitted by exact address.")
  if (lp.locked === null) return unknown("Whether somebody can take the liquidity away is not known.")
  const controlled = Math.max(0, ...pools.map((pool) => pool.lp?.controlled ?? 0))
  const who =
    controlled >= 0.5 ? `The owner itself holds ${Math.floor(controlled * 100)} % of a pool's LP.` : ""
  return fail(`Only ${percent} % of the liquidity is burned or locked for at least 30 days. ${who}`.trim())
}

const judgePrice = ({ price }: BaseEvidence): Judgement => {
  const spread = price.spread === null ? null : Math.round(price.spread * 1000) / 10
  if (price.price.known) {
    return spread === null
      ? pass("One source prices the token.")
      : pass(`Sources of the price differ by ${spread} %.`)
  }
  return spread !== null && spread > 10
    ? fail(`Sources of the price differ by ${spread} %.`)
    : unknown(`The price is not known: ${price.price.why}.`)
}

const judgeMarket = (evidence: BaseEvidence): Judgement => {
  if (!evidence.market.known)
    return unknown("Market data did not answer; pools we cannot list ourselves may be missing.")
  const claimed = evidence.market.value.reduce((sum, { liquidityUsd }) => sum + (liquidityUsd ?? 0), 0)
  const real = quoteSideUsd(evidence) * 2
  if (claimed > SPOOF_MIN_USD && claimed > real * SPOOF_FACTOR) {
    // What a pool that did not answer holds may be all of it.
    if (evidence.unread === null || claimed <= (real + mostElsewhere(evidence) * 2) * SPOOF_FACTOR)
      return unknown(`Market data shows ${usd(claimed)} of liquidity, most of it where we cannot read.`)
    return evidence.ethUsd.known
      ? fail(`Market data shows ${usd(claimed)} of liquidity; trusted quotes hold ${usd(real)}.`)
      : unknown(`Market data shows ${usd(claimed)} of liquidity, and ether has no price to compare it by.`)
  }
  return pass("Market data and the chain agree about liquidity.")
}

const judgeAge = ({ market, blockTime }: BaseEvidence): Judgement => {
  if (!market.known) return unknown("The age of the pools is not known.")
  const created = market.value.flatMap(({ createdAt }) => (createdAt === null ? [] : [createdAt]))
  if (created.length === 0) return unknown("The age of the pools is not known.")
  const seconds = Number(blockTime) - Math.min(...created) / 1000
  if (seconds < 5 * MINUTE)
    return fail("The first pool is less than five minutes old: a launch window.", { points: 20 })
  if (seconds < HOUR) return fail("The first pool is less than an hour old.", { points: 15 })
  if (seconds < 24 * HOUR) return fail("The first pool is less than a day old.", { points: 6 })
  return pass(`The first pool is ${counted(Math.floor(seconds / 86_400), "day")} old.`)
}

const judgeMoved = (evidence: BaseEvidence): Judgement => {
  const primary = trusted(evidence)[0]
  if (primary === undefined || primary.earlierQuoteReserve === null || primary.earlierQuoteReserve === 0n) {
    return unknown("Earlier liquidity could not be compared.")
  }
  const factor = Number(primary.quoteReserve) / Number(primary.earlierQuoteReserve)
  if (factor > JUMP_FACTOR)
    return fail(`Liquidity grew by ${Math.round((factor - 1) * 100)} % within minutes.`)
  if (factor < 1 / JUMP_FACTOR)
    return fail(`Liquidity fell by ${Math.round((1 - factor) * 100)} % within minutes.`)
  return pass("Liquidity did not jump within the last minutes.")
}

/** Tokens beyond this share of the supply in places that we cannot read are a market that we do not see. */
const UNREAD_SHARE = 0.05

const unreadShare = ({ shape: { supply }, unread }: BaseEvidence): number => {
  if (unread === null) return 1
  return supply === null || supply === 0n ? 0 : Math.min(1, Number((unread * 10_000n) / supply) / 10_000)
}

const isUnread = (evidence: BaseEvidence): boolean =>
  !evidence.established && unreadShare(evidence) > UNREAD_SHARE

const judgeUnread = (evidence: BaseEvidence): Judgement =>
  isUnread(evidence)
    ? unknown(
        evidence.unread === null
          ? "Not every place where the token may trade could be read."
          : `${Math.round(unreadShare(evidence) * 100)} % of the supply stands in exchanges' accounts that no pool we read explains.`
      )
    : pass("Pools that were read account for what exchanges hold of the token.")

/**
 * Critical where one party could remove most of it: one is seen, or the token is so young that all who put something in
 * may be one. Many wallets cost nothing; a market that anybody could have left for a month is many people's.
 */
const isOneSided = (evidence: BaseEvidence): boolean =>
  !evidence.established && (!evidence.lp.spread || isYoung(evidence))

const signal = signalFrom<BaseEvidence>("base-rpc")

/** Whether there is something to trade against, and whether it stays. */
export const liquiditySignals: ReadonlyArray<Signal<BaseEvidence>> = [
  signal("NO_TRUSTED_LIQUIDITY", critical(45, 10, "liquidity"), {
    reads: "pools over every factory against trusted quotes",
    judge: judgeTrusted
  }),
  signal("THIN_LIQUIDITY", minor(34, 8, "liquidity"), {
    reads: "USD of trusted quotes in those pools",
    judge: judgeThin
  }),
  signal("LP_UNLOCKED", minor(22, 14, "lp"), {
    reads: "LP supply at burn addresses and lockers, unlock dates, launchpads' own records, the token's age",
    critical: isOneSided,
    judge: judgeLp
  }),
  signal("PRICE_DISPUTED", critical(20, 8, "price"), {
    reads: "the two deepest pools and market data",
    judge: judgePrice
  }),
  signal("MARKET_DATA", critical(25, 8, "market"), {
    source: "dexscreener",
    reads: "market data's pools and liquidity against the chain's",
    judge: judgeMarket
  }),
  signal("NEW_POOL", minor(20, 3, "age"), {
    source: "dexscreener",
    reads: "creation time of the oldest pool",
    judge: judgeAge
  }),
  signal("LIQUIDITY_MOVED", minor(36, 2, "moved"), {
    reads: "the deepest pool's quote reserve 120 blocks earlier",
    judge: judgeMoved
  }),
  signal("UNREAD_VENUE", minor(14, 14, "lp"), {
    reads:
      "balanceOf the V4 PoolManager and other common vaults against the pools that were read; whether factories answer, and the pools they name",
    critical: isUnread,
    judge: judgeUnread
  })
]
