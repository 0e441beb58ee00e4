import { createHash } from "node:crypto"
import type { SolanaAccount } from "../../../chain/chain-rpc.ts"
import type { SolanaAddress } from "../../../domain/address.ts"
import { program, WSOL } from "../addresses.ts"
import type { Bytes } from "../reads/bytes.ts"
import { bytesOf, startsWith } from "../reads/bytes.ts"
import type { DecodedPool, LiquidityClaim, PoolKind } from "./decoded-pool.ts"

type Decoder = (bytes: Bytes, token: SolanaAddress) => DecodedPool | null

interface Layout {
  /** Least length that holds every field read here; pools of some programs have grown over time. */
  readonly length: number
  readonly discriminator?: ReadonlyArray<number>
  readonly decode: Decoder
}

const anchorType = (name: string): ReadonlyArray<number> => [
  ...createHash("sha256").update(`account:${name}`).digest().subarray(0, 8)
]

const Q64 = 2 ** 64

/** Prices of the B side in A, turned to the token's side. Zero, infinite or broken prices are no price. */
const priceOf = (bPerA: number, tokenIsA: boolean): number | null => {
  const price = tokenIsA ? bPerA : 1 / bPerA
  return Number.isFinite(price) && price > 0 ? price : null
}

interface Sides {
  readonly mintA: number
  readonly mintB: number
  readonly vaultA: number
  readonly vaultB: number
}

/** The pool seen from `token`; null when neither side, or both, are the token. */
const twoSided = (
  kind: PoolKind,
  sides: Sides,
  rest: (bytes: Bytes) => {
    readonly bPerA: number | null
    readonly claim: LiquidityClaim
    readonly creator: SolanaAddress | null
  }
): Decoder => {
  return (bytes, token) => {
    const [mintA, mintB] = [bytes.address(sides.mintA), bytes.address(sides.mintB)]
    if ((mintA === token) === (mintB === token)) return null
    const tokenIsA = mintA === token
    const { bPerA, claim, creator } = rest(bytes)
    const rawPrice = bPerA === null ? null : priceOf(bPerA, tokenIsA)
    if (bPerA !== null && rawPrice === null) return null
    const [vaultA, vaultB] = [bytes.address(sides.vaultA), bytes.address(sides.vaultB)]
    return {
      kind,
      quoteMint: tokenIsA ? mintB : mintA,
      tokenVault: tokenIsA ? vaultA : vaultB,
      quoteVault: tokenIsA ? vaultB : vaultA,
      rawPrice,
      quoteReserve: null,
      claim,
      creator
    }
  }
}

const squared = (sqrtPrice: bigint): number => (Number(sqrtPrice) / Q64) ** 2

const permanentShare = (locked: bigint, liquidity: bigint): number =>
  liquidity === 0n ? 0 : Math.min(1, Number((locked * 1_000_000n) / liquidity) / 1_000_000)

/** LaunchLab's `PoolState`: a curve until it has raised its goal (status 0), then it waits for or has seen migration. */
const decodeLaunchLab: Decoder = (bytes, token) => {
  if (bytes.u8(17) !== 0 || bytes.address(205) !== token) return null
  const [virtualToken, virtualQuote] = [bytes.u64(37), bytes.u64(45)]
  const [realToken, realQuote] = [bytes.u64(53), bytes.u64(61)]
  const rawPrice = priceOf(Number(virtualQuote + realQuote) / Number(virtualToken - realToken), true)
  if (rawPrice === null) return null
  return {
    kind: "raydium-launchlab",
    quoteMint: bytes.address(237),
    tokenVault: bytes.address(269),
    quoteVault: bytes.address(301),
    rawPrice,
    quoteReserve: realQuote,
    claim: { kind: "curve" },
    creator: bytes.address(333)
  }
}

/** Offsets: facts/risk.md D6; LaunchLab: raydium-sdk-V2 `LaunchpadPool`. */
const LAYOUTS: ReadonlyMap<string, Layout> = new Map<string, Layout>([
  [
    program.raydiumAmmV4,
    {
      length: 752,
      decode: twoSided("raydium-amm-v4", { mintA: 400, mintB: 432, vaultA: 336, vaultB: 368 }, (bytes) => ({
        bPerA: null,
        claim: { kind: "lp-tokens", lpMint: bytes.address(464), issued: bytes.u64(720) },
        creator: null
      }))
    }
  ],
  [
    program.raydiumCpmm,
    {
      length: 341,
      discriminator: anchorType("PoolState"),
      decode: twoSided("raydium-cpmm", { mintA: 168, mintB: 200, vaultA: 72, vaultB: 104 }, (bytes) => ({
        bPerA: null,
        claim: { kind: "lp-tokens", lpMint: bytes.address(136), issued: bytes.u64(333) },
        creator: bytes.address(40)
      }))
    }
  ],
  [
    program.raydiumClmm,
    {
      length: 273,
      discriminator: anchorType("PoolState"),
      decode: twoSided("raydium-clmm", { mintA: 73, mintB: 105, vaultA: 137, vaultB: 169 }, (bytes) => ({
        bPerA: squared(bytes.u128(253)),
        claim: { kind: "positions" },
        creator: bytes.address(41)
      }))
    }
  ],
  [
    program.raydiumLaunchLab,
    { length: 365, discriminator: anchorType("PoolState"), decode: decodeLaunchLab }
  ],
  [
    program.pumpSwap,
    {
      length: 211,
      discriminator: anchorType("Pool"),
      decode: twoSided("pumpswap", { mintA: 43, mintB: 75, vaultA: 139, vaultB: 171 }, (bytes) => ({
        bPerA: null,
        claim: { kind: "lp-tokens", lpMint: bytes.address(107), issued: bytes.u64(203) },
        creator: bytes.address(11)
      }))
    }
  ],
  [
    program.meteoraDammV2,
    {
      length: 680,
      discriminator: anchorType("Pool"),
      decode: twoSided("meteora-damm-v2", { mintA: 168, mintB: 200, vaultA: 232, vaultB: 264 }, (bytes) => ({
        bPerA: squared(bytes.u128(456)),
        claim: { kind: "permanent-share", share: permanentShare(bytes.u128(552), bytes.u128(360)) },
        creator: bytes.address(648)
      }))
    }
  ],
  [
    program.meteoraDlmm,
    {
      length: 216,
      discriminator: anchorType("LbPair"),
      decode: twoSided("meteora-dlmm", { mintA: 88, mintB: 120, vaultA: 152, vaultB: 184 }, (bytes) => ({
        bPerA: (1 + bytes.u16(80) / 10_000) ** bytes.i32(76),
        claim: { kind: "positions" },
        creator: null
      }))
    }
  ],
  [
    program.orcaWhirlpool,
    {
      length: 245,
      discriminator: anchorType("Whirlpool"),
      decode: twoSided("orca-whirlpool", { mintA: 101, mintB: 181, vaultA: 133, vaultB: 213 }, (bytes) => ({
        bPerA: squared(bytes.u128(65)),
        claim: { kind: "positions" },
        creator: null
      }))
    }
  ]
])

/** Longest prefix of a pool account that any decoder reads. */
export const POOL_SLICE = 752

/**
 * The pool an account holds, seen from `token`. Null where the owner is no known program, the bytes are not a pool of
 * it, or the token is not exactly one of its sides. Who claims to be a pool does not matter: the owning program does.
 */
export const decodePool = (account: SolanaAccount | null, token: SolanaAddress): DecodedPool | null => {
  const layout = account === null ? undefined : LAYOUTS.get(account.owner)
  if (account === null || layout === undefined || account.data.length < layout.length) return null
  if (layout.discriminator !== undefined && !startsWith(account.data, layout.discriminator)) return null
  return layout.decode(bytesOf(account.data), token)
}

const CURVE_DISCRIMINATOR = [23, 183, 248, 55, 96, 216, 172, 96]

/** A pump.fun bonding curve. Its account does not name the mint: the caller must have derived its address from it. */
export interface BondingCurve {
  readonly complete: boolean
  readonly creator: SolanaAddress | null
  readonly pool: DecodedPool | null
}

export const decodeBondingCurve = (
  account: SolanaAccount | null,
  tokenVault: SolanaAddress | null
): BondingCurve | null => {
  if (account === null || account.owner !== program.pumpCurve || account.data.length < 49) return null
  if (!startsWith(account.data, CURVE_DISCRIMINATOR)) return null
  const bytes = bytesOf(account.data)
  const complete = bytes.u8(48) !== 0
  const creator = bytes.length >= 81 ? bytes.optionalAddress(49) : null
  const rawPrice = priceOf(Number(bytes.u64(16)) / Number(bytes.u64(8)), true)
  const quoteMint = (bytes.length >= 115 ? bytes.optionalAddress(83) : null) ?? WSOL
  // A complete curve trades no more: its reserves have moved, or are moving, to the canonical pool.
  const pool: DecodedPool | null =
    complete || rawPrice === null
      ? null
      : {
          kind: "pump-curve",
          quoteMint,
          tokenVault,
          quoteVault: null,
          rawPrice,
          quoteReserve: bytes.u64(32),
          claim: { kind: "curve" },
          creator
        }
  return { complete, creator, pool }
}
