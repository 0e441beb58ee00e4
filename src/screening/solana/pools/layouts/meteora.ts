/** Meteora's pools. Offsets as in the IDLs of cp-amm-sdk, dlmm, dynamic-bonding-curve-sdk and dynamic-amm-sdk. */
import type { SolanaAddress } from "../../../../domain/address.ts"
import { program } from "../../addresses.ts"
import type { Bytes } from "../../reads/bytes.ts"
import { bytesOf } from "../../reads/bytes.ts"
import { dlmmBinArray, meteoraVaultLpMint } from "../../reads/pdas.ts"
import type { DecodedPool, FeeSchedule, Trading } from "../decoded-pool.ts"
import type { Decoder, Layout } from "./shared.ts"
import { priceOf, Q64, squared } from "./price.ts"
import { anchorType, twoSided } from "./shared.ts"
import { CLOSED, constantFee, fraction, OPEN, opensAt } from "./terms.ts"

/** Meteora's fee rates are in parts of 1e9. */
const BILLION = 1_000_000_000n
const rate = (numerator: bigint): number => fraction(numerator, BILLION)

const unitOf = (activationType: number): "seconds" | "slots" => (activationType === 1 ? "seconds" : "slots")

/** Modes 0 and 1 of a base fee fall over time, linearly or by a factor; of every other mode the first rate is taken. */
const baseFee = (
  fee: {
    readonly cliff: bigint
    readonly mode: number
    readonly periods: number
    readonly every: bigint
    readonly reduction: bigint
  },
  start: bigint,
  unit: "seconds" | "slots",
  cap: number
): FeeSchedule => {
  const cliff = rate(fee.cliff)
  if (fee.mode > 1 || fee.periods === 0 || fee.every === 0n) return constantFee(Math.min(cap, cliff))
  const isExponential = fee.mode === 1
  const step = isExponential ? fraction(fee.reduction, 10_000n) : rate(fee.reduction)
  return {
    kind: "falling",
    cliff,
    step,
    isExponential,
    periods: fee.periods,
    every: fee.every,
    unit,
    start,
    cap
  }
}

/**
 * What a dynamic fee adds at the most volatility its settings allow, parts of one. Whoever makes a pool chooses them.
 * Source: cp-amm `get_variable_fee_numerator`.
 */
const surgeOf = (
  bytes: Bytes,
  at: { readonly on: number; readonly most: number; readonly control: number; readonly step: number }
): number => {
  if (bytes.u8(at.on) === 0) return 0
  const movement = (bytes.u32(at.most) * bytes.u16(at.step)) ** 2
  return Math.min(1, Math.ceil((movement * bytes.u32(at.control)) / 1e11) / 1e9)
}

/** The program refuses more than this, by the version of its fee rules. */
const dammV2Cap = (feeVersion: number): number => (feeVersion === 0 ? 0.5 : 0.99)

/** Quote within the pool's own price limits. Liquidity is in Q64.64. */
const dammV2Quote = (bytes: Bytes, liquidity: number, tokenIsA: boolean): number => {
  const at = (offset: number): number => Number(bytes.u128(offset)) / Q64
  const [min, max, now] = [at(424), at(440), at(456)]
  const amount = tokenIsA ? liquidity * (now - min) : liquidity * (1 / now - 1 / max)
  return Number.isFinite(amount) ? Math.max(0, amount) : 0
}

const lockedShare = (locked: bigint, liquidity: bigint): number =>
  liquidity === 0n ? 0 : Math.min(1, Number((locked * 1_000_000n) / liquidity) / 1_000_000)

const dammV2: Layout = {
  length: 680,
  discriminator: anchorType("Pool"),
  decode: twoSided(
    "meteora-damm-v2",
    { mintA: 168, mintB: 200, vaultA: 232, vaultB: 264 },
    ({ bytes }, tokenIsA) => {
      const rawPrice = priceOf(squared(bytes.u128(456)), tokenIsA)
      if (rawPrice === null) return null
      const liquidity = Number(bytes.u128(360)) / Q64
      const [start, unit] = [bytes.u64(472), unitOf(bytes.u8(480))]
      const fee = {
        cliff: bytes.u64(8),
        mode: bytes.u8(16),
        periods: bytes.u16(22),
        every: bytes.u64(24),
        reduction: bytes.u64(32)
      }
      return {
        reserves: {
          kind: "range",
          rawPrice,
          liquidity,
          owedQuote: 0n,
          ownQuote: dammV2Quote(bytes, liquidity, tokenIsA)
        },
        trading: bytes.u8(481) === 0 ? opensAt(start, unit) : CLOSED,
        fee: baseFee(fee, start, unit, dammV2Cap(bytes.u8(486))),
        surge: surgeOf(bytes, { on: 56, most: 64, control: 68, step: 72 }),
        claim: { kind: "positions", locked: lockedShare(bytes.u128(552), bytes.u128(360)) },
        creator: bytes.address(648)
      }
    }
  )
}

const BINS_PER_ARRAY = 70

/** The two arrays of bins a seller reaches first: downwards for X, upwards for Y. */
const sellerArrays = (
  pair: SolanaAddress,
  activeId: number,
  tokenIsX: boolean
): ReadonlyArray<SolanaAddress> => {
  const index = Math.floor(activeId / BINS_PER_ARRAY)
  return [index, tokenIsX ? index - 1 : index + 1].map((at) => dlmmBinArray(pair, BigInt(at)))
}

/** The array a buyer reaches after the first. */
const buyersArray = (pair: SolanaAddress, activeId: number, tokenIsX: boolean): SolanaAddress =>
  dlmmBinArray(pair, BigInt(Math.floor(activeId / BINS_PER_ARRAY) + (tokenIsX ? 1 : -1)))

const dlmmTrading = (bytes: Bytes): Trading => {
  if (bytes.u8(82) !== 0) return CLOSED
  return bytes.length < 824 ? OPEN : opensAt(bytes.u64(816), unitOf(bytes.u8(86)))
}

const dlmm: Layout = {
  length: 216,
  discriminator: anchorType("LbPair"),
  decode: twoSided(
    "meteora-dlmm",
    { mintA: 88, mintB: 120, vaultA: 152, vaultB: 184 },
    ({ address, bytes }, tokenIsX) => {
      const [activeId, binStep] = [bytes.i32(76), bytes.u16(80)]
      const rawPrice = priceOf((1 + binStep / 10_000) ** activeId, tokenIsX)
      if (rawPrice === null) return null
      const arrays = sellerArrays(address, activeId, tokenIsX)
      return {
        reserves: { kind: "bins", rawPrice, quoteIsX: !tokenIsX, arrays },
        trading: dlmmTrading(bytes),
        fee: constantFee(Math.min(0.1, (bytes.u16(8) * binStep * 10 * 10 ** bytes.u8(34)) / 1e9)),
        claim: { kind: "positions", locked: 0 },
        creator: bytes.length >= 880 ? bytes.optionalAddress(848) : null,
        companions: [...arrays, buyersArray(address, activeId, tokenIsX)]
      }
    }
  )
}

const dammV1: Layout = {
  length: 476,
  discriminator: anchorType("Pool"),
  decode: twoSided(
    "meteora-damm-v1",
    { mintA: 40, mintB: 72, vaultA: 168, vaultB: 200 },
    ({ bytes }, tokenIsA) => {
      const share = (vaultAt: number, lpAt: number) => {
        const vault = bytes.address(vaultAt)
        return { vault, vaultLpMint: meteoraVaultLpMint(vault), poolLp: bytes.address(lpAt) }
      }
      const [a, b] = [share(104, 168), share(136, 200)]
      return {
        reserves: {
          kind: "vault-shares",
          token: tokenIsA ? a : b,
          quote: tokenIsA ? b : a,
          isStable: bytes.length > 874 && bytes.u8(874) !== 0
        },
        trading: bytes.u8(233) === 1 ? opensAt(bytes.u64(403), unitOf(bytes.u8(475))) : CLOSED,
        fee: constantFee(fraction(bytes.u64(330), bytes.u64(338))),
        claim: { kind: "lp-tokens", lpMint: bytes.address(8), issued: null, locked: bytes.u64(395) },
        creator: bytes.optionalAddress(443),
        companions: [a.vault, b.vault, a.vaultLpMint, b.vaultLpMint]
      }
    }
  )
}

/** Liquidity of the segment of a curve that holds the current price: 20 entries of upper price and liquidity. */
const segmentLiquidity = (config: Bytes, sqrtPrice: bigint): bigint => {
  for (let index = 0; index < 20; index++) {
    const offset = 408 + index * 32
    if (sqrtPrice < config.u128(offset)) return config.u128(offset + 16)
  }
  return 0n
}

/**
 * What a launch keeps for its makers: supply that is neither sold, nor moved to the next pool, nor burned, goes to the
 * receiver the configuration names. Source: dynamic-bonding-curve `PoolConfig` and its migration.
 */
const leftOver = (config: Bytes): DecodedPool["promised"] => {
  const isFixed = config.u8(244) === 1
  if (!isFixed) return null
  const [before, after] = [Number(config.u64(344)), Number(config.u64(352))]
  const vested = Number(config.u64(296)) * Number(config.u64(320)) + Number(config.u64(328))
  const excess = before - Number(config.u64(256)) - Number(config.u64(272)) - vested
  const amount = excess - Math.max(0, before - after)
  return amount > 0 ? { party: config.address(72), amount } : null
}

/** A launch curve. Its quote mint, fees and goal stand in its configuration, which is read later than the pool. */
const decodeDbc: Decoder = ({ book, bytes, token }) => {
  const hasMigrated = bytes.u8(305) !== 0
  const rawPrice = priceOf(squared(bytes.u128(280)), true)
  if (hasMigrated || bytes.address(136) !== token || rawPrice === null) return null
  const address = bytes.address(72)
  const account = book.get(address)
  const isConfig = account?.owner === program.meteoraDbc && account.data.length >= 1048
  const config = isConfig ? bytesOf(account.data) : null
  const quoteReserve = bytes.u64(240)
  const goal = config?.u64(264) ?? null
  const [start, unit] = [bytes.u64(296), unitOf(config?.u8(234) ?? 0)]
  const fee =
    config === null
      ? null
      : {
          cliff: config.u64(104),
          every: config.u64(112),
          reduction: config.u64(120),
          periods: config.u16(128),
          mode: config.u8(130)
        }
  return {
    kind: "meteora-dbc",
    quoteMint: config?.address(8) ?? null,
    tokenVault: bytes.address(168),
    quoteVault: bytes.address(200),
    reserves: {
      kind: "range",
      rawPrice,
      liquidity: config === null ? 0 : Number(segmentLiquidity(config, bytes.u128(280))) / Q64,
      owedQuote: 0n,
      ownQuote: Number(quoteReserve)
    },
    // A curve that has reached its goal waits for its migration and trades no more.
    trading: goal !== null && quoteReserve >= goal ? CLOSED : opensAt(start, unit),
    fee: fee === null ? { kind: "unread" } : baseFee(fee, start, unit, 0.99),
    claim: { kind: "curve" },
    surge: config === null ? 0 : surgeOf(config, { on: 136, most: 144, control: 148, step: 152 }),
    promised: config === null ? null : leftOver(config),
    creator: bytes.address(104),
    companions: [address]
  }
}

export const meteoraLayouts: ReadonlyArray<readonly [string, Layout]> = [
  [program.meteoraDammV1, dammV1],
  [program.meteoraDammV2, dammV2],
  [program.meteoraDlmm, dlmm],
  [program.meteoraDbc, { length: 424, discriminator: anchorType("VirtualPool"), decode: decodeDbc }]
]
