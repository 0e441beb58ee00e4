/** Meteora's pools. Offsets as in the IDLs of cp-amm-sdk, dlmm, dynamic-bonding-curve-sdk and dynamic-amm-sdk. */
import type { SolanaAddress } from "../../../../domain/address.ts"
import { program } from "../../addresses.ts"
import type { Bytes } from "../../reads/bytes.ts"
import { dlmmBinArray, meteoraVaultLpMint, meteoraVaultTokens } from "../../reads/pdas.ts"
import type { BinReserves, DecodedPool, TimeUnit, Trading } from "../decoded-pool.ts"
import { decodeDbc } from "./dbc.ts"
import { baseFee, baseFeeAt, feeByPrice, limiter, rate, surgeOf, unitOf } from "./meteora-fees.ts"
import { dlmmFee } from "./movement.ts"
import type { Layout } from "./shared.ts"
import { priceOf, Q64, squared } from "./price.ts"
import { anchorType, twoSided } from "./shared.ts"
import { CLOSED, constantFee, fraction, opensAt } from "./terms.ts"

/** The program refuses more than this, by the version of its fee rules. */
const dammV2Cap = (feeVersion: number): number => (feeVersion === 0 ? 0.5 : 0.99)

/** How a pool collects its fees. In the last mode parts of them become reserves, and there is more of either side than liquidity was put in for. */
const COLLECT_MODE = 484
const COMPOUNDING = 2

/** √(token · quote). Liquidity is in Q64.64. */
const dammV2Liquidity = (bytes: Bytes): number =>
  bytes.u8(COLLECT_MODE) === COMPOUNDING
    ? Math.sqrt(Number(bytes.u64(680)) * Number(bytes.u64(688)))
    : Number(bytes.u128(360)) / Q64

/** What of the first or the second mint trades within the pool's own price limits. */
const dammV2Amount = (bytes: Bytes, liquidity: number, ofFirst: boolean): number => {
  const at = (offset: number): number => Number(bytes.u128(offset)) / Q64
  const [min, max, now] = [at(424), at(440), at(456)]
  const amount = ofFirst ? liquidity * (1 / now - 1 / max) : liquidity * (now - min)
  return Number.isFinite(amount) ? Math.max(0, amount) : 0
}

const lockedShare = (locked: bigint, liquidity: bigint): number =>
  liquidity === 0n ? 0 : Math.min(1, Number((locked * 1_000_000n) / liquidity) / 1_000_000)

/** The base fee's terms, by its mode; every one keeps the same offsets for other meanings. */
const dammV2Fee = (bytes: Bytes, start: bigint, unit: TimeUnit): Pick<DecodedPool, "fee" | "limit"> => {
  const cap = dammV2Cap(bytes.u8(486))
  const fee = baseFeeAt(bytes, { cliff: 8, mode: 16, periods: 22, every: 24, reduction: 32 })
  const byPrice = feeByPrice(fee, bytes, { step: 24, lasts: 28, first: 152, now: 456 }, { cap, start, unit })
  if (byPrice !== null) return byPrice
  const more = Math.min(cap, bytes.u32(28) / 10_000) - rate(fee.cliff)
  return {
    fee: baseFee(fee, start, unit, cap),
    limit: limiter(fee.mode, more, { lasts: BigInt(bytes.u32(24)), start, unit })
  }
}

const dammV2 = twoSided(
  { kind: "meteora-damm-v2", length: 696, type: "Pool" },
  { mintA: 168, mintB: 200, vaultA: 232, vaultB: 264 },
  ({ bytes }, tokenIsA) => {
    const rawPrice = priceOf(squared(bytes.u128(456)), tokenIsA)
    // What a newer mode keeps in the vaults, and what of it trades, nobody here knows.
    if (rawPrice === null || bytes.u8(COLLECT_MODE) > COMPOUNDING) return null
    const liquidity = dammV2Liquidity(bytes)
    const [start, unit] = [bytes.u64(472), unitOf(bytes.u8(480))]
    return {
      reserves: {
        kind: "range",
        rawPrice,
        liquidity,
        owedQuote: 0n,
        ownQuote: dammV2Amount(bytes, liquidity, !tokenIsA),
        ownTokens: dammV2Amount(bytes, liquidity, tokenIsA)
      },
      trading: bytes.u8(481) === 0 ? opensAt(start, unit) : CLOSED,
      ...dammV2Fee(bytes, start, unit),
      surge: surgeOf(bytes, { on: 56, most: 64, control: 68, step: 72 }),
      claim: { kind: "positions", locked: lockedShare(bytes.u128(552), bytes.u128(360)) },
      creator: bytes.address(648)
    }
  }
)

const BINS_PER_ARRAY = 70

/** The pair's own bitmap of arrays that hold something: so many on either side of bin 0. */
const [BITMAP, SIDE] = [584, 512] as const

/** Whether an array may hold something. Those beyond stand in another account, which is not read. */
const isFilled = (bytes: Bytes, index: number): boolean => {
  const bit = index + SIDE
  return bit < 0 || bit >= 2 * SIDE || ((bytes.u8(BITMAP + (bit >> 3)) >> (bit & 7)) & 1) === 1
}

/** The two arrays of bins a seller reaches first, downwards for X and upwards for Y, and the one a buyer reaches next. */
const arraysOf = (
  pair: SolanaAddress,
  bytes: Bytes,
  tokenIsX: boolean
): Pick<BinReserves, "arrays" | "beyond" | "filled"> => {
  const index = Math.floor(bytes.i32(76) / BINS_PER_ARRAY)
  const onwards = tokenIsX ? -1 : 1
  const at = (step: number): SolanaAddress => dlmmBinArray(pair, BigInt(index + step * onwards))
  const filled = [0, 1, -1].filter((step) => isFilled(bytes, index + step * onwards)).map(at)
  return { arrays: [at(0), at(1)], beyond: at(-1), filled: new Set(filled) }
}

const dlmmTrading = (bytes: Bytes): Trading =>
  bytes.u8(82) === 0 ? opensAt(bytes.u64(816), unitOf(bytes.u8(86))) : CLOSED

const dlmm = twoSided(
  { kind: "meteora-dlmm", length: 880, type: "LbPair" },
  { mintA: 88, mintB: 120, vaultA: 152, vaultB: 184 },
  ({ address, bytes }, tokenIsX) => {
    const [activeId, binStep] = [bytes.i32(76), bytes.u16(80)]
    const rawPrice = priceOf((1 + binStep / 10_000) ** activeId, tokenIsX)
    if (rawPrice === null) return null
    const found = arraysOf(address, bytes, tokenIsX)
    return {
      reserves: { kind: "bins", rawPrice, quoteIsX: !tokenIsX, ...found },
      trading: dlmmTrading(bytes),
      ...dlmmFee(bytes),
      hasSwitch: bytes.u8(87) !== 0,
      claim: { kind: "positions", locked: 0 },
      creator: bytes.optionalAddress(848),
      companions: [...found.arrays, found.beyond]
    }
  }
)

const dammV1 = twoSided(
  { kind: "meteora-damm-v1", length: 875, type: "Pool" },
  { mintA: 40, mintB: 72, vaultA: 168, vaultB: 200 },
  ({ bytes }, tokenIsA) => {
    const share = (vaultAt: number, lpAt: number) => {
      const vault = bytes.address(vaultAt)
      return {
        vault,
        vaultTokens: meteoraVaultTokens(vault),
        vaultLpMint: meteoraVaultLpMint(vault),
        poolLp: bytes.address(lpAt)
      }
    }
    const [a, b] = [share(104, 168), share(136, 200)]
    return {
      reserves: {
        kind: "vault-shares",
        token: tokenIsA ? a : b,
        quote: tokenIsA ? b : a,
        isStable: bytes.u8(874) !== 0
      },
      trading: bytes.u8(233) === 1 ? opensAt(bytes.u64(403), unitOf(bytes.u8(475))) : CLOSED,
      fee: constantFee(fraction(bytes.u64(330), bytes.u64(338))),
      claim: { kind: "lp-tokens", lpMint: bytes.address(8), issued: null, locked: bytes.u64(395) },
      creator: bytes.optionalAddress(443),
      companions: [a, b].flatMap(({ vault, vaultLpMint, vaultTokens }) => [vault, vaultLpMint, vaultTokens])
    }
  }
)

export const meteoraLayouts: ReadonlyArray<readonly [string, Layout]> = [
  [program.meteoraDammV1, dammV1],
  [program.meteoraDammV2, dammV2],
  [program.meteoraDlmm, dlmm],
  [program.meteoraDbc, { length: 424, discriminator: anchorType("VirtualPool"), decode: decodeDbc }]
]
