/** Dollars per SOL in these worlds. */
import type { SolanaAccount } from "../../../src/chain/chain-rpc.ts"
import * as at from "../../../src/screening/solana/addresses.ts"
import type { SolanaAddress } from "../../../src/domain/address.ts"
import type { MarketPair } from "../../../src/market/market-data.ts"
import { associatedTokenAccount } from "../../../src/chain/program-address.ts"
import { canonicalPumpSwap, deriveAddresses, pumpCurve } from "../../../src/screening/solana/reads/pdas.ts"
import type { PlacedToken } from "./clean-token.ts"
import { DEPLOYER, SUPPLY, emptyReport, pairOf } from "./clean-token.ts"
import {
  anchored,
  encodeMetadata,
  encodeMint,
  encodeTokenAccount,
  encodeWhirlpool,
  laidOut,
  u128,
  u16,
  u32,
  wallet
} from "./encode.ts"
import type { FakeWorld } from "./fake-world.ts"
import { LP, holdersOf, placeHolders, withLpHolders } from "./scenarios.ts"

export const SOL_USD = 150

/** SOL's price: a pair of market data's and the deep Whirlpool. */
export const placeSolPrice = (world: FakeWorld): void => {
  const sqrtPrice = BigInt(Math.round(Math.sqrt(SOL_USD / 1000) * 2 ** 52)) << 12n
  const [address] = at.SOL_USDC_POOLS
  if (address === undefined) throw new Error("no SOL pool")
  const sides = [at.WSOL, wallet("sol vault"), at.USDC, wallet("usdc vault")] as const
  world.accounts.set(address, encodeWhirlpool(sides, { liquidity: 10n ** 15n, sqrtPrice }))
}

const metadataOf = (world: FakeWorld, mint: SolanaAddress, symbol: string) =>
  world.accounts.set(deriveAddresses(mint).metadata, encodeMetadata(mint, symbol, false))

const LIST_LENGTH = 20

/** A node's list: what is named, and small wallets for what that leaves of the supply, as many as it lists and more. */
const listHolders = (
  world: FakeWorld,
  mint: SolanaAddress,
  named: ReadonlyArray<{ readonly address: SolanaAddress; readonly amount: bigint }>,
  supply = SUPPLY
): void => {
  const rest = named.reduce((left, { amount }) => left - amount, supply)
  const small = Array.from({ length: rest > 0n ? LIST_LENGTH : 0 }, (_, n) => {
    const owner = wallet(`${mint} small ${n}`)
    const entry = { address: associatedTokenAccount(owner, mint, at.TOKEN_PROGRAM), amount: rest / 200n }
    world.accounts.set(entry.address, encodeTokenAccount(mint, owner, entry.amount))
    return entry
  })
  world.largest.set(mint, [...named, ...small].slice(0, LIST_LENGTH))
}

export interface PoolPlan {
  readonly label: string
  readonly quote?: SolanaAddress
  readonly tokens: bigint
  readonly quoteAmount: bigint
  readonly holders?: ReadonlyArray<readonly [owner: SolanaAddress, perMille: number]>
}

/** A token whose only pool is of the given kind, at a made-up address that market data lists. */
export const placeToken = (
  world: FakeWorld,
  plan: PoolPlan,
  encode: (at: {
    readonly mint: SolanaAddress
    readonly pool: SolanaAddress
    readonly quote: SolanaAddress
    readonly tokenVault: SolanaAddress
    readonly quoteVault: SolanaAddress
  }) => SolanaAccount,
  pair: Partial<MarketPair> = {}
): PlacedToken => {
  placeSolPrice(world)
  const mint = wallet(`${plan.label} mint`)
  const quote = plan.quote ?? at.WSOL
  const place = {
    mint,
    quote,
    pool: wallet(`${plan.label} pool`),
    tokenVault: wallet(`${plan.label} token vault`),
    quoteVault: wallet(`${plan.label} quote vault`)
  }
  world.accounts.set(mint, encodeMint({ supply: SUPPLY }))
  metadataOf(world, mint, "LAUNCH")
  world.accounts.set(place.pool, encode(place))
  world.accounts.set(place.tokenVault, encodeTokenAccount(mint, place.pool, plan.tokens))
  world.accounts.set(place.quoteVault, encodeTokenAccount(quote, place.pool, plan.quoteAmount))
  world.pairs.set(mint, [pairOf(place.pool, quote, { priceUsd: null, ...pair })])
  world.reports.set(mint, emptyReport)
  const holders = plan.holders ?? holdersOf(15, (index) => 12 - index * 0.5)
  const entries = placeHolders(world, mint, holders)
  listHolders(world, mint, [{ address: place.tokenVault, amount: plan.tokens }, ...entries])
  return { ...place, lpMint: place.pool }
}

const sqrtX64 = (price: number): bigint => BigInt(Math.round(Math.sqrt(price) * 2 ** 52)) << 12n

/** DAMM v2 with all of its liquidity locked or free, its fee, its status and its opening time. */
export const dammV2 =
  (options: {
    readonly price: number
    readonly quoteAmount: bigint
    readonly locked?: number
    readonly cliff?: bigint
    readonly status?: number
    readonly activation?: bigint
    readonly feeVersion?: number
    /** The most volatility a dynamic fee counts, its factor, and the step it counts in. */
    readonly dynamic?: { readonly most: number; readonly control: number; readonly step: number }
    readonly fee?: {
      readonly mode: number
      readonly periods: number
      readonly every: bigint
      readonly reduction: bigint
    }
  }) =>
  ({ mint, quote, quoteVault, tokenVault }: Parameters<Parameters<typeof placeToken>[2]>[0]) => {
    const liquidity = BigInt(Math.round(Number(options.quoteAmount) / Math.sqrt(options.price))) << 64n
    const { fee } = options
    return anchored(at.program.meteoraDammV2, "Pool", 1112, [
      [8, options.cliff ?? 10_000_000n],
      ...(fee === undefined
        ? []
        : ([
            [16, fee.mode],
            [22, u16(fee.periods)],
            [24, fee.every],
            [32, fee.reduction]
          ] as const)),
      ...(options.dynamic === undefined
        ? []
        : ([
            [56, 1],
            [64, u32(options.dynamic.most)],
            [68, u32(options.dynamic.control)],
            [72, u16(options.dynamic.step)]
          ] as const)),
      [168, mint],
      [200, quote],
      [232, tokenVault],
      [264, quoteVault],
      [360, u128(liquidity)],
      [424, u128(4_295_048_016n)],
      [440, u128(79_226_673_521_066_979_257_578_248_091n)],
      [456, u128(sqrtX64(options.price))],
      [472, options.activation ?? 0n],
      [480, 1],
      [481, options.status ?? 0],
      [486, options.feeVersion ?? 0],
      [552, u128((liquidity * BigInt(Math.round((options.locked ?? 1) * 1000))) / 1000n)],
      [648, DEPLOYER]
    ])
  }

/** A pump.fun curve: so many SOL raised, against virtual reserves of 30 SOL and 1,073 million tokens. */
export const placePumpCurve = (
  world: FakeWorld,
  options: {
    readonly label: string
    readonly sol: number
    readonly holders?: ReadonlyArray<readonly [owner: SolanaAddress, perMille: number]>
    readonly mayhem?: boolean
  }
) => {
  placeSolPrice(world)
  const mint = wallet(`${options.label} curve mint`)
  const derived = deriveAddresses(mint)
  const quote = BigInt(Math.round((30 + options.sol) * 1e9))
  const token = (1_073_000_000_000_000n * 30_000_000_000n) / quote
  const left = token - 73_000_000_000_000n
  const supply = options.mayhem === true ? 2n * SUPPLY : SUPPLY
  world.accounts.set(mint, encodeMint({ supply }))
  metadataOf(world, mint, "FRESH")
  world.accounts.set(
    pumpCurve(mint),
    laidOut(at.program.pumpCurve, 151, [
      [0, Uint8Array.of(23, 183, 248, 55, 96, 216, 172, 96)],
      [8, token],
      [16, quote],
      [24, left - 206_900_000_000_000n],
      [32, quote - 30_000_000_000n],
      [40, SUPPLY],
      [49, DEPLOYER],
      [81, Number(options.mayhem === true)]
    ])
  )
  const [vault] = derived.curveVaults
  const [agent] = derived.mayhemVaults
  if (vault === undefined || agent === undefined) throw new Error("no vault")
  world.accounts.set(vault, encodeTokenAccount(mint, derived.curve, left))
  const sold = Number(SUPPLY - left) / Number(SUPPLY)
  const holders = options.holders ?? holdersOf(15, (index) => (sold * 1000 * (20 - index)) / 400)
  const entries = placeHolders(world, mint, holders)
  if (options.mayhem === true) {
    world.accounts.set(agent, encodeTokenAccount(mint, wallet("agent"), SUPPLY))
    entries.unshift({ address: agent, amount: SUPPLY })
  }
  listHolders(world, mint, [{ address: vault, amount: left }, ...entries], supply)
  world.pairs.set(mint, [pairOf(derived.curve, at.WSOL, { priceUsd: null, liquidityQuote: null })])
  world.reports.set(mint, emptyReport)
  return mint
}

/** The canonical PumpSwap pool of a graduate, LP burned, with virtual reserves. Amounts in whole SOL. */
export const placeGraduate = (
  world: FakeWorld,
  options: {
    readonly label: string
    readonly sol: number
    readonly virtual?: number
    readonly quote?: SolanaAddress
    readonly burned?: boolean
    readonly creatorFeeBps?: bigint
    readonly holders?: ReadonlyArray<readonly [owner: SolanaAddress, perMille: number]>
  }
) => {
  placeSolPrice(world)
  const mint = wallet(`${options.label} graduate`)
  const quote = options.quote ?? at.WSOL
  const { lpMint, pool } = canonicalPumpSwap(mint, quote)
  const virtual = BigInt(Math.round((options.virtual ?? 0) * 1e9))
  const tokens = (SUPPLY * 20n) / 100n
  const [tokenVault] = [associatedTokenAccount(pool, mint, at.TOKEN_PROGRAM)]
  const quoteVault = associatedTokenAccount(pool, quote, at.TOKEN_PROGRAM)
  world.accounts.set(mint, encodeMint({ supply: SUPPLY }))
  metadataOf(world, mint, "GRAD")
  const low = BigInt.asUintN(64, virtual)
  const high = virtual < 0n ? 0xffff_ffff_ffff_ffffn : 0n
  world.accounts.set(
    pool,
    anchored(at.program.pumpSwap, "Pool", 301, [
      [11, wallet("pool authority")],
      [43, mint],
      [75, quote],
      [107, lpMint],
      [139, tokenVault],
      [171, quoteVault],
      [203, LP],
      [211, DEPLOYER],
      [245, low],
      [253, high],
      [261, options.creatorFeeBps ?? 30n]
    ])
  )
  world.accounts.set(tokenVault, encodeTokenAccount(mint, pool, tokens))
  world.accounts.set(quoteVault, encodeTokenAccount(quote, pool, BigInt(Math.round(options.sol * 1e9))))
  const unburned = options.burned === false ? LP : 0n
  world.accounts.set(lpMint, encodeMint({ supply: unburned, decimals: 9 }))
  if (unburned > 0n) withLpHolders(world, { mint, pool, lpMint, tokenVault, quoteVault }, [[DEPLOYER, 1000]])
  const holders = options.holders ?? holdersOf(19, (index) => 22 - index * 0.7)
  const entries = placeHolders(world, mint, holders)
  listHolders(world, mint, [{ address: tokenVault, amount: tokens }, ...entries])
  world.pairs.set(mint, [pairOf(pool, quote, { priceUsd: null, dexId: "pumpswap" })])
  world.reports.set(mint, emptyReport)
  return mint
}
