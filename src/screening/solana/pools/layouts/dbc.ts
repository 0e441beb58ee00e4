/**
 * Meteora's launch curve and what its configuration gives to its makers. Offsets as in dynamic-bonding-curve-sdk's IDL.
 */
import type { SolanaAccount } from "../../../../chain/chain-rpc.ts"
import type { SolanaAddress } from "../../../../domain/address.ts"
import { FALLS } from "../../../even-depth.ts"
import { program } from "../../addresses.ts"
import { LEAST_LOCK_SECONDS } from "../../power/least-lock.ts"
import type { Bytes } from "../../reads/bytes.ts"
import { bytesUnder } from "../../reads/bytes.ts"
import type { DecodedPool, FeeSchedule, TimeUnit } from "../decoded-pool.ts"
import type { Decoder } from "./shared.ts"
import { baseFee, baseFeeAt, limiter, rate, surgeOf, unitOf } from "./meteora-fees.ts"
import { priceOf, Q64, squared } from "./price.ts"
import { CLOSED, opensAt } from "./terms.ts"

/** Part of a curve, between two roots of the price. */
interface Segment {
  readonly from: number
  readonly to: number
  readonly liquidity: number
}

/** Where a curve's first segment begins, and its 20 entries of upper root and liquidity. */
const [START, SEGMENTS] = [392, 408] as const

const segmentsOf = (config: Bytes): ReadonlyArray<Segment> => {
  const root = (offset: number): number => Number(config.u128(offset)) / Q64
  return Array.from({ length: 20 }, (_, index) => {
    const offset = SEGMENTS + index * 32
    return { from: root(index === 0 ? START : offset - 32), to: root(offset), liquidity: root(offset + 16) }
  })
}

/**
 * Liquidity of the segment that holds the current price; or what a seller finds on average until the price has fallen so
 * far, or to the curve's start, where that is less: much within a narrow segment ends a step below.
 */
const liquidityAt = (config: Bytes, sqrtPrice: bigint): number => {
  const [segments, now] = [segmentsOf(config), Number(sqrtPrice) / Q64]
  const start = segments[0]?.from ?? 0
  const onAverage = (fall: number): number => {
    const low = Math.max(start, now / Math.sqrt(fall))
    const paid = segments.reduce(
      (sum, { from, liquidity, to }) =>
        sum + liquidity * Math.max(0, Math.min(now, to) - Math.max(low, from)),
      0
    )
    return low < now ? paid / (now - low) : Infinity
  }
  const here = segments.find(({ to }) => now < to)?.liquidity ?? 0
  return Math.min(here, ...FALLS.map(onAverage))
}

/**
 * Supply that is neither sold, nor moved to the next pool, nor burned: it goes to the receiver the configuration
 * names. Source: dynamic-bonding-curve `PoolConfig` and its migration.
 */
const leftOver = (config: Bytes): number => {
  const isFixed = config.u8(244) === 1
  if (!isFixed) return 0
  const [before, after] = [Number(config.u64(344)), Number(config.u64(352))]
  const excess = before - Number(config.u64(256)) - Number(config.u64(272)) - vested(config)
  return Math.max(0, excess - Math.max(0, before - after))
}

/** What a schedule that starts with the curve's end gives out within the least time a lock must last. */
const dueSoon = (
  whole: number,
  { cliff, every, periods, perPeriod }: Readonly<Record<"cliff" | "every" | "periods" | "perPeriod", number>>
): number => {
  const sinceCliff = LEAST_LOCK_SECONDS - cliff
  if (sinceCliff < 0) return 0
  const passed = every > 0 ? Math.min(periods, Math.floor(sinceCliff / every)) : periods
  return Math.max(0, whole - (periods - passed) * perPeriod)
}

/** Supply that the creator gets after the curve's end, by a schedule. */
const vested = (config: Bytes): number =>
  Number(config.u64(296)) * Number(config.u64(320)) + Number(config.u64(328))

/** How much of it comes so soon that it counts as the creator's already. */
const vestedSoon = (config: Bytes): number =>
  dueSoon(vested(config), {
    cliff: Number(config.u64(304)),
    every: Number(config.u64(312)),
    periods: Number(config.u64(320)),
    perPeriod: Number(config.u64(296))
  })

/** What a launch keeps for its makers, who count as one. */
const promisedBy = (config: Bytes, creator: SolanaAddress): DecodedPool["promised"] => {
  const amount = leftOver(config) + vestedSoon(config)
  return amount > 0 ? { party: creator, amount } : null
}

/** Liquidity of the next pool that vests to one of the launch's makers, in parts of a hundred. */
const vestingSoon = (config: Bytes, offset: number): number => {
  const whole = config.u8(offset) === 0 ? 0 : config.u8(offset + 1)
  const periods = config.u16(offset + 6)
  return dueSoon(whole, {
    cliff: config.u32(offset + 12),
    every: config.u32(offset + 8),
    periods,
    perPeriod: (whole * config.u16(offset + 4)) / 10_000
  })
}

/**
 * What of the raised quote does not stay in the next pool: the makers' fee on the migration, and the partner's and the
 * creator's parts of its liquidity that are theirs to withdraw. Source: `PoolConfig`.
 */
const handedOut = (config: Bytes): number => {
  const free = config.u8(240) + config.u8(242) + vestingSoon(config, 184) + vestingSoon(config, 200)
  const [ofPool, ofMigration] = [Math.min(1, free / 100), Math.min(1, config.u8(247) / 100)]
  return 1 - (1 - ofPool) * (1 - ofMigration)
}

/** The last choice of each kind that is known here: how the fee is charged, where a curve moves on to, and what is charged there. */
const LAST_CHOICES = [
  [130, 2],
  [233, 1],
  [243, 6]
] as const

/** A curve's configuration; none where it makes a choice that is newer than this code: what the rest means then nobody here knows. */
const configIn = (account: SolanaAccount | null | undefined): Bytes | null => {
  const config = bytesUnder(program.meteoraDbc, account, 1048)
  return config !== null && LAST_CHOICES.every(([at, last]) => config.u8(at) <= last) ? config : null
}

/** The next pool's fee by the program's own tiers, in basis points; the last one is the makers' own choice. */
const NEXT_TIERS = [25, 30, 100, 200, 400, 600] as const

const nextFee = (config: Bytes): number => (NEXT_TIERS[config.u8(243)] ?? config.u16(362)) / 10_000

/** The program refuses a higher fee. */
const MOST_FEE = 0.99

const feeOf = (config: Bytes, start: bigint, unit: TimeUnit): FeeSchedule => {
  const fee = baseFeeAt(config, { cliff: 104, every: 112, reduction: 120, periods: 128, mode: 130 })
  return baseFee(fee, start, unit, MOST_FEE)
}

const limitOf = (config: Bytes, start: bigint, unit: TimeUnit): DecodedPool["limit"] =>
  limiter(config.u8(130), MOST_FEE - rate(config.u64(104)), { lasts: config.u64(112), start, unit })

/** A launch curve. Its quote mint, fees and goal stand in its configuration, which is read later than the pool. */
export const decodeDbc: Decoder = ({ book, bytes, token }) => {
  const hasMigrated = bytes.u8(305) !== 0
  const rawPrice = priceOf(squared(bytes.u128(280)), true)
  if (hasMigrated || bytes.address(136) !== token || rawPrice === null) return null
  const address = bytes.address(72)
  const config = configIn(book.get(address))
  const quoteReserve = bytes.u64(240)
  const goal = config?.u64(264) ?? null
  const [start, unit] = [bytes.u64(296), unitOf(config?.u8(234) ?? 0)]
  return {
    kind: "meteora-dbc",
    quoteMint: config?.address(8) ?? null,
    tokenVault: bytes.address(168),
    quoteVault: bytes.address(200),
    reserves: {
      kind: "range",
      rawPrice,
      liquidity: config === null ? 0 : liquidityAt(config, bytes.u128(280)),
      owedQuote: 0n,
      ownQuote: Number(quoteReserve),
      ownTokens: Number(bytes.u64(232))
    },
    // A curve that has reached its goal waits for its migration and trades no more.
    trading: goal !== null && quoteReserve >= goal ? CLOSED : opensAt(start, unit),
    fee: config === null ? { kind: "unread" } : feeOf(config, start, unit),
    claim: { kind: "curve" },
    surge: config === null ? 0 : surgeOf(config, { on: 136, most: 144, control: 148, step: 152 }),
    limit: config === null ? null : limitOf(config, start, unit),
    promised: config === null ? null : promisedBy(config, bytes.address(104)),
    handedOut: config === null ? 0 : handedOut(config),
    hasSwitch: false,
    peakFee: config === null ? 0 : nextFee(config),
    creator: bytes.address(104),
    companions: [address]
  }
}
