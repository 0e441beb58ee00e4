/** Tokens in pools of every other kind. */
import * as at from "../../../../src/screening/solana/addresses.ts"
import {
  canonicalPumpSwap,
  meteoraVaultLpMint,
  meteoraVaultTokens
} from "../../../../src/screening/solana/reads/pdas.ts"
import type { SolanaAddress } from "../../../../src/domain/address.ts"
import { DEPLOYER, SUPPLY } from "../clean-token.ts"
import { placeCoinQuoted } from "../coin-quoted.ts"
import { ADAPTIVE_TIER, placeAdaptive } from "../adaptive.ts"
import type { Provider } from "../concentrated.ts"
import { burnPositionToken, placeBins, placeDammPositions, placeRange, tickOf } from "../concentrated.ts"
import { movingClmm } from "../moving-clmm.ts"
import { anchored, encodeMint, encodeTokenAccount, programAddress, u128, wallet } from "../encode.ts"
import type { FakeWorld } from "../fake-world.ts"
import { compounded } from "../hazards/fees.ts"
import { fluxBeam } from "../hazards/fluxbeam.ts"
import { dammV2, placeToken } from "../launches.ts"
import type { Scenario } from "../scenarios.ts"
import { LP, patch, sync } from "../scenarios.ts"

const locked = { price: 200e9 / (Number(SUPPLY) / 5), quoteAmount: 200_000_000_000n }

const dammLaunch = (label: string, options: Partial<Parameters<typeof dammV2>[0]> = {}): Scenario =>
  sync(
    (world) =>
      placeToken(
        world,
        { label, tokens: SUPPLY / 5n, quoteAmount: 200_000_000_000n },
        dammV2({ ...locked, ...options })
      ).mint
  )

const many = <A>(count: number, make: (index: number) => A): ReadonlyArray<A> =>
  Array.from({ length: count }, (_, index) => make(index))

const provider = (index: number) => wallet(`provider ${index}`)

/** Thirty providers of different sizes, some near the price and some over everything. */
const range = (label: string, kind?: "clmm", change: (world: FakeWorld) => void = () => undefined) =>
  sync((world) => {
    const near = tickOf(200)
    const { mint } = placeRange(world, {
      label,
      sol: 200,
      ...(kind === undefined ? {} : { kind }),
      providers: many(30, (index) => ({
        owner: provider(index),
        sol: 4 + index * 0.35,
        ...(index % 3 === 0 ? { ticks: [near - 6400 - index * 64, near + 6400] as const } : {})
      }))
    })
    change(world)
    return mint
  })

/** One CLMM position, its token with a locker. */
const lockedRange = (
  label: string,
  lock: (world: FakeWorld, pool: SolanaAddress, token: SolanaAddress) => SolanaAddress
) =>
  sync((world) => {
    const held = programAddress(`${label} authority`)
    const placed = placeRange(world, {
      label,
      kind: "clmm",
      sol: 200,
      providers: [{ owner: held, sol: 200 }]
    })
    const token = wallet(`${label} position 0 mint`)
    const owner = lock(world, placed.pool, token)
    world.accounts.set(wallet(`${label} position 0 held`), encodeTokenAccount(token, owner, 1n))
    return placed.mint
  })

const YEAR = 31_536_000n

const uncxLocked = lockedRange("uncx clmm", (world, pool, token) => {
  world.accounts.set(
    wallet("uncx clmm lock"),
    anchored(at.TIME_LOCKERS.uncxClmm, "TokenLock", 196, [
      [9, pool],
      [41, token],
      [121, 1_790_000_000n + YEAR],
      [146, u128(1_000_000n)],
      [162, DEPLOYER]
    ])
  )
  return programAddress("uncx clmm authority")
})

/** LP tokens as a first deposit of so much makes them. */
const FIRST_MADE = BigInt(Math.round(Math.sqrt(Number(SUPPLY / 5n) * 200e9)))

/**
 * A DAMM v1 pool of two lending vaults, beside which others have lent the token too. `harvested`: there is a tenth of the LP
 * tokens, and their lock was harvested last when they were worth this part of today's.
 */
export const lendingVaults = (
  harvested?: number,
  vaultB = programAddress("vault b"),
  lpB = meteoraVaultLpMint(vaultB)
): Scenario =>
  sync((world) => {
    const lp = harvested === undefined ? FIRST_MADE : FIRST_MADE / 10n
    const vaultA = programAddress("vault a")
    const tokens = SUPPLY / 5n
    const quote = 200_000_000_000n
    const lpA = meteoraVaultLpMint(vaultA)
    const [poolLpA, poolLpB] = [wallet("pool lp a"), wallet("pool lp b")]
    const lpMint = wallet("damm v1 lp")
    const placed = placeToken(world, { label: "damm v1", tokens, quoteAmount: 0n }, ({ mint }) =>
      anchored(at.program.meteoraDammV1, "Pool", 944, [
        [8, lpMint],
        [40, mint],
        [72, at.WSOL],
        [104, vaultA],
        [136, vaultB],
        [168, poolLpA],
        [200, poolLpB],
        [233, 1],
        [330, 250n],
        [338, 100_000n],
        [395, lp]
      ])
    )
    const vault = (mint: SolanaAddress, total: bigint) =>
      anchored(at.program.meteoraVault, "Vault", 1227, [
        [8, 1],
        [11, total],
        [83, mint]
      ])
    world.accounts.set(vaultA, vault(placed.mint, (tokens * 11n) / 10n))
    world.accounts.set(vaultB, vault(at.WSOL, quote * 10n))
    world.accounts.set(lpA, encodeMint({ supply: 1100n }))
    world.accounts.set(lpB, encodeMint({ supply: 1000n }))
    world.accounts.set(poolLpA, encodeTokenAccount(lpA, placed.pool, 1000n))
    world.accounts.set(poolLpB, encodeTokenAccount(lpB, placed.pool, 100n))
    world.accounts.set(lpMint, encodeMint({ supply: lp }))
    if (harvested !== undefined)
      world.accounts.set(
        wallet("damm v1 lock"),
        anchored(at.program.meteoraDammV1, "LockEscrow", 153, [
          [8, placed.pool],
          [105, lp],
          [113, u128(BigInt(Math.round(10 * harvested * 2 ** 40)) << 24n)]
        ])
      )
    world.largest.set(lpMint, [])
    const held = { address: meteoraVaultTokens(vaultA), amount: (tokens * 11n) / 10n }
    world.accounts.set(held.address, encodeTokenAccount(placed.mint, vaultA, held.amount))
    // A third of the other has been lent on.
    const idle = encodeTokenAccount(at.WSOL, vaultB, (quote * 20n) / 3n)
    world.accounts.set(meteoraVaultTokens(vaultB), idle)
    const [, ...holders] = world.largest.get(placed.mint) ?? []
    world.largest.set(placed.mint, [held, ...holders])
    return placed.mint
  })

/** One provider's position, whose token nobody holds any more. */
const burnedRange = (label: string, kind: "clmm" | "whirlpool"): Scenario =>
  sync((world) => {
    const { mint } = placeRange(world, { label, kind, sol: 200, providers: [{ owner: DEPLOYER, sol: 200 }] })
    burnPositionToken(world, label)
    return mint
  })

/** Providers of so many SOL each, from the first on less and less. */
const sizes = (
  count: number,
  from: number,
  step: number,
  ownerOf: (label: string) => SolanaAddress = wallet
): ReadonlyArray<Provider> =>
  many(count, (index) => ({ owner: ownerOf(`${ownerOf.name} provider ${index}`), sol: from - index * step }))

/** More small positions than whose owners anybody looks up. */
export const crowded = (label: string, kind: "clmm" | "whirlpool"): Scenario =>
  sync((world) => placeRange(world, { label, kind, sol: 400, providers: sizes(300, 2, 0.005) }).mint)

export const pools: Readonly<Record<string, Scenario>> = {
  "a DAMM v2 launch, locked for good": dammLaunch("locked"),
  "a DAMM v2 launch that has compounded its fees": compounded,
  "a DAMM v2 launch whose fee has fallen": dammLaunch("fallen", {
    cliff: 500_000_000n,
    fee: { mode: 0, periods: 10, every: 60n, reduction: 49_000_000n },
    activation: 1n
  }),
  "a FluxBeam pool whose LP tokens a contract holds for years": fluxBeam("fluxbeam", {}),
  "a FluxBeam pool whose vault has extensions that keep nobody out": fluxBeam("harmless", {
    guards: [
      [7, new Uint8Array()],
      [8, Uint8Array.of(0)],
      [11, Uint8Array.of(0)],
      [2, new Uint8Array(8)]
    ]
  }),
  "a Whirlpool locked over all prices, with somebody's few bids at the price": sync((world) => {
    const [label, at] = ["locked and near", tickOf(200)]
    const near = { owner: wallet("somebody"), sol: 4, ticks: [at - 640, at + 640] as const }
    const { mint } = placeRange(world, { label, sol: 200, providers: [{ owner: DEPLOYER, sol: 200 }, near] })
    burnPositionToken(world, label)
    return mint
  }),
  "a Whirlpool of thirty providers": range("thirty"),
  "a Whirlpool of three hundred providers, more than are looked up": crowded("crowd", "whirlpool"),
  "a CLMM pool of three hundred providers, more than are looked up": crowded("clmm crowd", "clmm"),
  "a Whirlpool of which vaults of programs nobody knows hold half": sync(
    (world) =>
      placeRange(world, {
        label: "vaults",
        sol: 400,
        providers: [...sizes(4, 50, 2, programAddress), ...sizes(20, 12, 0.2)]
      }).mint
  ),
  "a Whirlpool of thirty providers in an adaptive tier of Orca's own": sync((world) => {
    const mint = placeAdaptive(world, "orca's tier", ADAPTIVE_TIER)
    patch(world, wallet("orca's tier pool"), [[8, at.ORCA_CONFIG]])
    return mint
  }),
  "a Whirlpool of which one of twenty providers has a fifth": sync(
    (world) =>
      placeRange(world, {
        label: "a fifth",
        sol: 200,
        providers: many(20, (index) => ({ owner: provider(index), sol: index === 0 ? 40 : 6 + index * 0.24 }))
      }).mint
  ),
  "a CLMM pool of thirty providers": range("thirty clmm", "clmm"),
  "a CLMM pool whose fee moves by less than half a per cent": movingClmm("calm clmm", 100),
  "a Whirlpool whose one position's token was burned": burnedRange("burned whirlpool", "whirlpool"),
  "a CLMM pool whose one position's token was burned": burnedRange("burned clmm", "clmm"),
  "a CLMM position with Burn & Earn": lockedRange("burn and earn", () => at.RAYDIUM_POSITION_LOCK),
  "a CLMM position with UNCX for a year": uncxLocked,
  "a DLMM of twelve providers": sync(
    (world) =>
      placeBins(world, {
        label: "dlmm",
        tokens: SUPPLY / 5n,
        providers: many(12, (index) => ({
          owner: provider(index),
          sol: 10 + index,
          from: -66 + index,
          count: 55
        }))
      }).mint
  ),
  "DAMM v2 positions of twelve providers": sync(
    (world) =>
      placeDammPositions(
        world,
        "twelve",
        many(12, (index) => ({ owner: provider(index), share: (5 + index) / 126 }))
      ).mint
  ),
  "DAMM v2 positions of twelve providers who let one key collect their fees": sync(
    (world) =>
      placeDammPositions(
        world,
        "collected",
        many(12, (index) => ({
          owner: provider(index),
          share: (5 + index) / 126,
          delegate: { to: DEPLOYER, permission: Uint8Array.of(0b1111_1001) }
        }))
      ).mint
  ),
  "a DAMM v2 position whose schedule ends in a year": sync(
    (world) =>
      placeDammPositions(world, "a year", [{ owner: DEPLOYER, share: 1, until: 1_790_000_000n + YEAR }]).mint
  ),
  "a DAMM v2 position whose schedule, in an account of its own, ends in a year": sync(
    (world) =>
      placeDammPositions(world, "a year elsewhere", [
        { owner: DEPLOYER, share: 1, until: 1_790_000_000n + YEAR, schedule: "elsewhere" }
      ]).mint
  ),
  "a DAMM v2 launch whose limit on purchases is over": dammLaunch("limit over", {
    activation: 1_780_000_000n,
    // The duration in the lower half, the most it may take in the upper one.
    fee: { mode: 2, periods: 500, every: 3600n + (9900n << 32n), reduction: 1_000_000n },
    feeVersion: 1
  }),
  "a DAMM v1 pool of lending vaults": lendingVaults(),
  "a DAMM v1 pool of lending vaults, whose locks were harvested just now": lendingVaults(1),
  "a graduate quoted in another graduate": sync((world) => placeCoinQuoted(world, "coin quoted")),
  "a graduate quoted in another that trades against dollars": sync((world) =>
    placeCoinQuoted(world, "dollar coin", undefined, {}, at.USDC)
  ),
  "a graduate quoted in another, to whose pool strangers have added a tenth": sync((world) => {
    const mint = placeCoinQuoted(world, "added quote")
    const { lpMint } = canonicalPumpSwap(wallet("added quote quote graduate"), at.WSOL)
    world.accounts.set(lpMint, encodeMint({ supply: LP / 10n, decimals: 9 }))
    return mint
  })
}
