/** Raydium's pools. Offsets as in raydium-sdk-v2 (`liquidityStateV4Layout`, `CpmmPoolInfoLayout`, `PoolInfoLayout`, `LaunchpadPool`). */
import type { SolanaAccount } from "../../../../chain/chain-rpc.ts"
import { atLeastZero, sum } from "../../../../domain/bigint.ts"
import { program } from "../../addresses.ts"
import { LEAST_LOCK_SECONDS } from "../../power/least-lock.ts"
import type { Bytes } from "../../reads/bytes.ts"
import { bytesUnder } from "../../reads/bytes.ts"
import type { DecodedPool, FeeSchedule, Reserves, Trading } from "../decoded-pool.ts"
import type { Decoder, Layout } from "./shared.ts"
import { dueEvenly, vestingOf } from "./launch-vesting.ts"
import { CLMM_FEE_END, clmmMovingFee } from "./movement.ts"
import { LINEAR_PART, priceOf, Q64, squared } from "./price.ts"
import { anchorType, twoSided } from "./shared.ts"
import { CLOSED, constantFee, fraction, OPEN, opensAt } from "./terms.ts"

/** Reserves that lie in two vaults, with what somebody else may take out of each. */
const inVaults = (tokenIsA: boolean, owedA: bigint, owedB: bigint): Reserves => ({
  kind: "vaults",
  owedToken: tokenIsA ? owedA : owedB,
  owedQuote: tokenIsA ? owedB : owedA,
  virtualQuote: 0n
})

/** `AmmStatus` of Raydium's AMM: 1 everything, 6 swaps only, 7 swaps from the opening time on; all others refuse swaps. */
const ammV4Trading = (status: bigint, openTime: bigint): Trading => {
  if (status === 1n || status === 6n) return OPEN
  return status === 7n ? opensAt(openTime, "seconds") : CLOSED
}

const ammV4 = twoSided(
  { kind: "raydium-amm-v4", length: 752, whole: 752 },
  { mintA: 400, mintB: 432, vaultA: 336, vaultB: 368 },
  ({ bytes }, tokenIsA) => ({
    // What the project may take as profit and loss lies in the vaults and is no reserve.
    reserves: inVaults(tokenIsA, bytes.u64(192), bytes.u64(200)),
    trading: ammV4Trading(bytes.u64(0), bytes.u64(224)),
    fee: constantFee(fraction(bytes.u64(176), bytes.u64(184))),
    claim: { kind: "lp-tokens", lpMint: bytes.address(464), issued: bytes.u64(720), locked: 0n },
    creator: null
  })
)

/** Bit 2 of a CPMM's status switches swaps off, bit 4 of a CLMM's. */
const CPMM_SWAP_OFF = 0b100
const CLMM_SWAP_OFF = 0b1_0000

/** Rates of Raydium's fee tiers are in millionths. */
const MILLION = 1_000_000n

const cpmmFee = (config: SolanaAccount | null, hasCreatorFee: boolean): FeeSchedule => {
  const bytes = bytesUnder(program.raydiumCpmm, config, 116)
  if (bytes === null) return { kind: "unread" }
  return constantFee(fraction(bytes.u64(12) + (hasCreatorFee ? bytes.u64(108) : 0n), MILLION))
}

/** The tier's fee, and what the pool's own may rise to where its maker chose one that moves. */
const clmmFee = (pool: Bytes, config: SolanaAccount | null): Pick<DecodedPool, "fee" | "peakFee"> => {
  const base = bytesUnder(program.raydiumClmm, config, 51)?.u32(47) ?? null
  const moving = clmmMovingFee(pool, base ?? 0)
  if (base === null) return { fee: { kind: "unread" }, peakFee: moving?.peakFee ?? 0 }
  return moving ?? { fee: constantFee(fraction(BigInt(base), MILLION)), peakFee: 0 }
}

const cpmm = twoSided(
  { kind: "raydium-cpmm", length: 413, type: "PoolState" },
  { mintA: 168, mintB: 200, vaultA: 72, vaultB: 104 },
  ({ book, bytes }, tokenIsA) => {
    // Protocol, fund and creator fees lie in the vaults until they are collected.
    const owed = (offsets: readonly [number, number, number]): bigint =>
      sum(offsets.map((offset) => bytes.u64(offset)))
    const [owed0, owed1] = [owed([341, 357, 397]), owed([349, 365, 405])]
    const isOff = (bytes.u8(329) & CPMM_SWAP_OFF) !== 0
    return {
      reserves: inVaults(tokenIsA, owed0, owed1),
      trading: isOff ? CLOSED : opensAt(bytes.u64(373), "seconds"),
      fee: cpmmFee(book.get(bytes.address(8)) ?? null, bytes.u8(390) === 1),
      claim: { kind: "lp-tokens", lpMint: bytes.address(136), issued: bytes.u64(333), locked: 0n },
      creator: bytes.address(40),
      companions: [bytes.address(8)]
    }
  }
)

const clmm = twoSided(
  { kind: "raydium-clmm", length: CLMM_FEE_END, type: "PoolState" },
  { mintA: 73, mintB: 105, vaultA: 137, vaultB: 169 },
  ({ book, bytes }, tokenIsA) => {
    const rawPrice = priceOf(squared(bytes.u128(253)), tokenIsA)
    if (rawPrice === null) return null
    const owed = (protocol: number, fund: number): bigint => bytes.u64(protocol) + bytes.u64(fund)
    const isOff = (bytes.u8(389) & CLMM_SWAP_OFF) !== 0
    return {
      reserves: {
        kind: "range",
        rawPrice,
        liquidity: Number(bytes.u128(237)),
        owedQuote: tokenIsA ? owed(317, 1072) : owed(309, 1064),
        ownQuote: null,
        ownTokens: null
      },
      trading: isOff ? CLOSED : opensAt(bytes.u64(1080), "seconds"),
      ...clmmFee(bytes, book.get(bytes.address(9)) ?? null),
      claim: { kind: "positions", locked: 0 },
      creator: bytes.address(41),
      companions: [bytes.address(9)]
    }
  }
)

/** What the protocol, the platform and the creator take of a trade on a curve. */
const launchLabFee = (config: SolanaAccount | null, platform: SolanaAccount | null): FeeSchedule => {
  const global = bytesUnder(program.raydiumLaunchLab, config, 35)
  const own = bytesUnder(program.raydiumLaunchLab, platform, 112)
  if (global === null || own === null) return { kind: "unread" }
  const creators = own.length >= 728 ? own.u64(720) : 0n
  return constantFee(fraction(global.u64(27) + own.u64(104) + creators, MILLION))
}

/** Tokens set aside for the creator, as far as they come soon: evenly after a cliff that starts at the curve's end. */
const setAside = (bytes: Bytes): DecodedPool["promised"] => {
  const amount = dueEvenly(vestingOf(bytes), LEAST_LOCK_SECONDS)
  return amount === 0 ? null : { party: bytes.address(333), amount }
}

type CurveReserves = Extract<Reserves, { kind: "curve" }>

/** The last type of curve that is known here. */
const LAST_CURVE = 2

/**
 * What a curve trades like by its type: a constant product (0), at one price for all (1), or at a price that grows evenly
 * from nothing (2). At one price nobody's sale hurts another's until the curve ends; the pool that it ends in has as much of
 * both sides as was sold and raised, and answers for it. Source: raydium-sdk-v2 `Curve.getCurve`.
 */
const curveReserves = (type: number, bytes: Bytes): CurveReserves => {
  const [a, b, sold, realQuote] = [bytes.u64(37), bytes.u64(45), bytes.u64(53), bytes.u64(61)]
  const alike = (token: bigint, price: number): CurveReserves => ({
    kind: "curve",
    token,
    quote: BigInt(Math.round(Number(token) * price)),
    realQuote
  })
  if (type === 1) return alike(sold, a === 0n ? 0 : Number(b) / Number(a))
  if (type === 2)
    return alike(BigInt(Math.round(LINEAR_PART * Number(sold))), (Number(a) * Number(sold)) / Q64)
  return { kind: "curve", token: atLeastZero(a - sold), quote: b + realQuote, realQuote }
}

/** A curve moves on to Raydium's AMM v4 (0) or to its CPMM (1). */
const LAST_MIGRATION = 1

/**
 * A curve until it has raised its goal (status 0); then it waits for its migration, or has seen it. Of one that moves on to
 * anywhere else nobody here knows what becomes of its liquidity.
 */
const decodeLaunchLab: Decoder = ({ book, bytes, token }) => {
  if (bytes.u8(17) !== 0 || bytes.u8(20) > LAST_MIGRATION || bytes.address(205) !== token) return null
  const [config, platform] = [bytes.address(141), bytes.address(173)]
  const terms = bytesUnder(program.raydiumLaunchLab, book.get(config), 17)
  // Until its type was read a curve is taken for one of the usual kind: without the fee that stands beside it, it counts nothing.
  const type = terms?.u8(16) ?? 0
  const reserves = curveReserves(type, bytes)
  if (terms !== null && (reserves.token === 0n || reserves.quote === 0n)) return null
  return {
    kind: "raydium-launchlab",
    quoteMint: type <= LAST_CURVE ? bytes.address(237) : null,
    tokenVault: bytes.address(269),
    quoteVault: bytes.address(301),
    reserves,
    trading: OPEN,
    fee: launchLabFee(book.get(config) ?? null, book.get(platform) ?? null),
    claim: { kind: "curve" },
    creator: bytes.address(333),
    surge: 0,
    limit: null,
    promised: setAside(bytes),
    handedOut: 0,
    peakFee: 0,
    hasSwitch: false,
    companions: [config, platform]
  }
}

export const raydiumLayouts: ReadonlyArray<readonly [string, Layout]> = [
  [program.raydiumAmmV4, ammV4],
  [program.raydiumCpmm, cpmm],
  [program.raydiumClmm, clmm],
  [program.raydiumLaunchLab, { length: 365, discriminator: anchorType("PoolState"), decode: decodeLaunchLab }]
]
