/** What trading in a pool costs, and which pools nobody would sell in for it. */
import type { Fact } from "../../../domain/fact.ts"
import { ratesAt } from "../power/extensions.ts"
import type { MintReading } from "../power/mint.ts"
import type { TrustedMint } from "../power/trusted-mints.ts"
import type { DecodedPool, PoolKind } from "./decoded-pool.ts"
import type { PoolFact } from "./pool-fact.ts"
import { MIN_PRICED_USD } from "./price.ts"
import type { ChainTime } from "./terms.ts"
import { extraAt, feeAt } from "./terms.ts"
import { NEGLIGIBLE_USD } from "./unread.ts"

/** A round trip that costs a tenth is a reason to stay out. */
export const HIGH_ROUND_TRIP = 0.1

/** Kinds of pools whose fee tiers only the program's own administrators can make, and the dearest tier that they offer. */
const TIERED: ReadonlySet<PoolKind> = new Set(["raydium-cpmm", "raydium-clmm"])
export const DEAREST_TIER = 0.04

/** Whoever makes such a pool chooses its fee, which nobody has read. */
export const isFeeUnread = ({ fee, kind }: Pick<PoolFact, "fee" | "kind">): boolean =>
  fee === null && !TIERED.has(kind)

/** A token, and the epoch that decides which of its fees is in force. */
export interface Taxed {
  readonly reading: MintReading
  readonly epoch: Fact<bigint>
  readonly trusted: TrustedMint | null
}

/** The dearer of the token's transfer fees in force and scheduled, parts of one; an accepted issuer's does not count. */
const transferRate = ({ epoch, reading, trusted }: Taxed): number => {
  const fee = reading.kind === "mint" ? reading.mint.walk.extensions.transferFee : undefined
  return fee === undefined || trusted !== null ? 0 : ratesAt(fee, epoch).worst / 10_000
}

/** What buying and selling cost together where a pool takes this of each, parts of one. */
export const roundTrip = (fee: number, taxed: Taxed): number =>
  1 - ((1 - Math.min(1, fee)) * (1 - transferRate(taxed))) ** 2

type Priced = Pick<PoolFact, "fee" | "kind" | "surge" | "depth" | "nominalUsd" | "isTwoSided" | "isDear">

const isMarket = ({ isTwoSided, nominalUsd }: Priced): boolean => isTwoSided && nominalUsd >= MIN_PRICED_USD

/**
 * The deepest pool anybody can trade in, both ways where there is one: bids alone, however deep, are no market, and who
 * buys in another pays what that takes.
 */
export const deepestOf = <A extends Priced>(pools: ReadonlyArray<A>): A | null =>
  pools
    .filter(({ depth, isDear: isLeftOut }) => depth !== null && !isLeftOut)
    .toSorted((a, b) => Number(isMarket(b)) - Number(isMarket(a)) || b.nominalUsd - a.nominalUsd)[0] ?? null

type Cost = Pick<PoolFact, "fee" | "kind" | "surge">

/** A round trip costs so much that nobody makes it where there is a cheaper way. */
export const isDear = (pool: Cost, taxed: Taxed): boolean =>
  isFeeUnread(pool) || roundTrip((pool.fee?.now ?? DEAREST_TIER) + pool.surge, taxed) >= HIGH_ROUND_TRIP

/** A fee that halves what is traded, for good. */
export const PROHIBITIVE = 0.5

/** Whether nobody will ever trade there while anything else is open, however much its maker has put in and can take out again. */
export const isHopeless = ({ fee }: Cost): boolean =>
  fee !== null && Math.min(fee.now, fee.lasting) >= PROHIBITIVE

/** The pools without those that are hopeless, where the others are a market by themselves. */
const withoutHopeless = (pools: ReadonlyArray<PoolFact>): ReadonlyArray<PoolFact> => {
  const others = pools.filter((pool) => isMarket(pool) && !isHopeless(pool))
  const usd = others.reduce((sum, { liquidityUsd }) => sum + (liquidityUsd ?? 0), 0)
  return usd < NEGLIGIBLE_USD ? pools : pools.filter((pool) => !isHopeless(pool))
}

/**
 * Pools in which a round trip costs too much count nothing beside a deeper one in which it does not, and hopeless ones beside
 * any market: whoever sells goes there while it lasts, and liquidity that is locked behind such a fee is its maker's to take,
 * who is paid the fee. Where the deepest is dear itself, all of them count, and it is judged by its fee.
 */
export const withoutDear = (pools: ReadonlyArray<PoolFact>, taxed: Taxed): ReadonlyArray<PoolFact> => {
  const traded = new Set(withoutHopeless(pools))
  const deepest = deepestOf([...traded])
  const isLeftOut = (pool: PoolFact): boolean =>
    !traded.has(pool) || (deepest !== null && !isDear(deepest, taxed) && isDear(pool, taxed))
  return pools.map((pool) =>
    pool.depth !== null && isLeftOut(pool)
      ? { ...pool, isDear: true, quoteUsd: 0, liquidityUsd: 0, nominalUsd: 0, priceUsd: null }
      : pool
  )
}

/** What a trade in a pool costs now and at last, and what it may cost besides: parts of one. */
export const costAt = (
  pool: Pick<DecodedPool, "fee" | "limit" | "surge" | "peakFee">,
  time: ChainTime
): Pick<PoolFact, "fee" | "surge"> => {
  const fee = feeAt(pool.fee, time)
  // Whoever buys in calm times may have to sell in others.
  return { fee, surge: Math.max(extraAt(pool, time), pool.peakFee - (fee?.now ?? 0)) }
}

/** How the pools answer a sale, of those that anybody would sell in. */
export const depthsOf = (pools: ReadonlyArray<Pick<PoolFact, "depth" | "isDear">>) =>
  pools.flatMap(({ depth, isDear: isLeftOut }) => (depth === null || isLeftOut ? [] : [depth]))
