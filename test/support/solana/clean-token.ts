/** One honest token in a fake world: what every attack starts from. */
import { Effect } from "effect"
import type { SolanaAddress } from "../../../src/domain/address.ts"
import type { MarketPair, RugCheckReport } from "../../../src/market/market-data.ts"
import * as at from "../../../src/screening/solana/addresses.ts"
import { associatedTokenAccount } from "../../../src/chain/program-address.ts"
import { deriveAddresses } from "../../../src/screening/solana/reads/pdas.ts"
import type { MintOptions } from "./encode.ts"
import { anchored, encodeMetadata, encodeMint, encodeTokenAccount, programAddress, wallet } from "./encode.ts"
import type { FakeWorld } from "./fake-world.ts"

export const SUPPLY = 1_000_000_000_000_000n
const LP_ISSUED = 1_000_000_000n
export const DAY = 86_400_000

export const DEPLOYER = wallet("deployer")

export interface CleanOptions {
  readonly label?: string
  readonly mint?: MintOptions
  readonly address?: SolanaAddress
  readonly symbol?: string
  readonly mutable?: boolean
  /** USDC in the pool, whole dollars. */
  readonly dollars?: bigint
  /** LP tokens that still exist, of 1,000,000,000 issued, and who holds them. */
  readonly lpLeft?: bigint
  readonly lpOwner?: SolanaAddress
  /** Share of the supply each of the twenty holders has, in per mille. */
  readonly holderPerMille?: bigint
  readonly ageMs?: number
}

export const emptyReport: RugCheckReport = {
  mintAuthority: null,
  freezeAuthority: null,
  scoreNormalised: 1,
  rugged: false,
  risks: [],
  risksAreWhole: true,
  markets: [],
  topHolders: null,
  knownAccounts: {},
  creator: null,
  creatorBalance: null,
  insiderNetworks: [],
  graphInsidersDetected: null,
  totalHolders: null,
  price: null,
  transferFeePct: 0
}

export const pairOf = (
  pairAddress: string,
  quote: SolanaAddress,
  pair: Partial<MarketPair> = {}
): MarketPair => ({
  dexId: "raydium",
  labels: ["CPMM"],
  pairAddress,
  quoteAddress: quote,
  priceUsd: 0.0001,
  liquidityUsd: 100_000,
  liquidityBase: 500_000_000,
  liquidityQuote: 50_000,
  createdAt: -400 * DAY,
  ...pair
})

export interface PlacedToken {
  readonly mint: SolanaAddress
  readonly pool: SolanaAddress
  readonly lpMint: SolanaAddress
  readonly tokenVault: SolanaAddress
  readonly quoteVault: SolanaAddress
}

/** A CPMM pool of `mint` against USDC at any address: vaults, LP mint and the LP's holder included. */
export const placeCpmm = (
  world: FakeWorld,
  plan: {
    readonly mint: SolanaAddress
    readonly pool: SolanaAddress
    readonly lpMint: SolanaAddress
    readonly vaults: readonly [SolanaAddress, SolanaAddress]
    readonly quote?: SolanaAddress
    readonly tokens: bigint
    readonly quoteAmount: bigint
    readonly lpLeft: bigint
    readonly lpOwner: SolanaAddress
  }
) =>
  Effect.sync(() => {
    const { lpMint, mint, pool } = plan
    const quote = plan.quote ?? at.USDC
    const [tokenVault, quoteVault] = plan.vaults
    const authority = programAddress("cpmm authority")
    world.accounts.set(
      pool,
      anchored(at.program.raydiumCpmm, "PoolState", 637, [
        [40, DEPLOYER],
        [72, tokenVault],
        [104, quoteVault],
        [136, lpMint],
        [168, mint],
        [200, quote],
        [333, LP_ISSUED]
      ])
    )
    world.accounts.set(tokenVault, encodeTokenAccount(mint, authority, plan.tokens))
    world.accounts.set(quoteVault, encodeTokenAccount(quote, authority, plan.quoteAmount))
    world.accounts.set(lpMint, encodeMint({ supply: plan.lpLeft, decimals: 9, mintAuthority: authority }))
    if (plan.lpLeft > 0n) {
      const held = associatedTokenAccount(plan.lpOwner, lpMint, at.TOKEN_PROGRAM)
      world.accounts.set(held, encodeTokenAccount(lpMint, plan.lpOwner, plan.lpLeft))
    }
  })

/** Authorities off, LP burned, twenty small holders, a pool against USDC that market data and RugCheck confirm. */
export const placeCleanToken = (world: FakeWorld, options: CleanOptions = {}) =>
  Effect.gen(function* () {
    const mint = options.address ?? wallet(options.label ?? "clean mint")
    world.accounts.set(mint, encodeMint({ supply: SUPPLY, ...options.mint }))
    const derived = deriveAddresses(mint)
    world.accounts.set(
      derived.metadata,
      encodeMetadata(mint, options.symbol ?? "HONEST", options.mutable ?? false)
    )
    const standard = derived.pools.findLast(({ kind }) => kind === "raydium-cpmm")
    const [tokenVault, quoteVault] = standard?.vaults ?? []
    if (standard === undefined || tokenVault === undefined || quoteVault === undefined) {
      return yield* Effect.dieMessage("no standard pool")
    }
    const { lpMint, pool } = standard
    const dollars = options.dollars ?? 50_000n
    const lpLeft = options.lpLeft ?? 0n
    const tokens = SUPPLY / 2n
    const lpOwner = options.lpOwner ?? DEPLOYER
    yield* placeCpmm(world, {
      mint,
      pool,
      lpMint,
      tokens,
      lpLeft,
      lpOwner,
      vaults: [tokenVault, quoteVault],
      quoteAmount: dollars * 1_000_000n
    })
    const perMille = options.holderPerMille ?? 10n
    const holders = Array.from({ length: 20 }, (_, index) => wallet(`holder ${index}`))
    const held = holders.map((holder) => associatedTokenAccount(holder, mint, at.TOKEN_PROGRAM))
    const amount = (SUPPLY * perMille) / 1000n
    held.forEach((address, index) =>
      world.accounts.set(address, encodeTokenAccount(mint, holders[index] ?? mint, amount))
    )
    world.largest.set(mint, [
      { address: tokenVault, amount: tokens },
      ...held.slice(0, 19).map((address) => ({ address, amount }))
    ])
    const price = (Number(dollars) / Number(tokens)) * 1e6
    world.pairs.set(mint, [
      pairOf(pool, at.USDC, {
        priceUsd: price,
        liquidityUsd: 2 * Number(dollars),
        liquidityQuote: Number(dollars),
        liquidityBase: Number(tokens) / 1e6,
        createdAt: -(options.ageMs ?? 400 * DAY)
      })
    ])
    world.reports.set(mint, {
      ...emptyReport,
      mintAuthority: options.mint?.mintAuthority ?? null,
      freezeAuthority: options.mint?.freezeAuthority ?? null,
      markets: [
        {
          pubkey: pool,
          marketType: "raydium_cpmm",
          lpLockedPct: 100 - Number(lpLeft) / 1e7,
          quoteUsd: Number(dollars),
          baseUsd: Number(dollars),
          lpMint,
          vaults: [tokenVault, quoteVault]
        }
      ],
      topHolders: held.map((address, index) => ({
        address,
        owner: holders[index] ?? null,
        pct: Number(perMille) / 10,
        insider: false
      }))
    })
    return { mint, pool, lpMint, tokenVault, quoteVault }
  })
