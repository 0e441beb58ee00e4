/** What whoever makes a pool, or the tokens of its liquidity, keeps for later. */
import * as at from "../../../../src/screening/solana/addresses.ts"
import type { SolanaAddress } from "../../../../src/domain/address.ts"
import { DEPLOYER, SUPPLY, pairOf, placeCpmm } from "../clean-token.ts"
import { ADAPTIVE_TIER, placeAdaptive } from "../adaptive.ts"
import { movingClmm } from "../moving-clmm.ts"
import { placeBins, placeRange } from "../concentrated.ts"
import type { Part } from "../encode.ts"
import { Effect } from "effect"
import { bytes, laidOut, u32, wallet } from "../encode.ts"
import { placeCoinQuoted } from "../coin-quoted.ts"
import { placeLaunchLab } from "../curves.ts"
import type { Scenario } from "../scenarios.ts"
import { placeGuarded } from "../guarded.ts"
import { fluxBeam } from "./fluxbeam.ts"
import { changed, holdersOf, LP, patch, sync, withCrowd, withHolders, withLpHolders } from "../scenarios.ts"

const oneDlmm = (label: string, terms: ReadonlyArray<Part>): Scenario =>
  sync((world) => {
    const placed = placeBins(world, {
      label,
      providers: Array.from({ length: 12 }, (_, index) => ({
        owner: wallet(`provider ${index}`),
        sol: 10 + index,
        from: -66 + index,
        count: 55
      }))
    })
    patch(world, placed.pool, terms)
    return placed.mint
  })

const adaptive = (label: string, terms: ReadonlyArray<Part>): Scenario =>
  sync((world) => placeAdaptive(world, label, terms))

/** Uneven parts of half of the supply in pools against coins of nobody's, each made by somebody else. */
const inManyPools: Scenario = changed((world, placed) => {
  const parts = [140, 110, 85, 65, 50, 40]
  const { pool: home, others } = withCrowd(world, placed, 13)
  const amounts = parts.map((part) => (SUPPLY * BigInt(part)) / 1000n)
  const pools = amounts.map((tokens, index) => {
    const [pool, vault] = [wallet(`junk pool ${index}`), wallet(`junk vault ${index}`)]
    Effect.runSync(
      placeCpmm(world, {
        mint: placed.mint,
        pool,
        lpMint: wallet(`junk lp ${index}`),
        vaults: [vault, wallet(`junk quote vault ${index}`)],
        quote: wallet(`junk quote ${index}`),
        tokens,
        quoteAmount: 10n ** 15n,
        lpLeft: 0n,
        lpOwner: DEPLOYER
      })
    )
    patch(world, pool, [[40, wallet(`maker ${index}`)]])
    return { pool, vault, tokens }
  })
  const left = home.amount - amounts.reduce((sum, amount) => sum + amount, 0n)
  patch(world, placed.tokenVault, [[64, left]])
  world.largest.set(placed.mint, [
    { ...home, amount: left },
    ...pools.map(({ tokens, vault }) => ({ address: vault, amount: tokens })),
    ...others
  ])
  world.pairs.set(placed.mint, [
    ...(world.pairs.get(placed.mint) ?? []),
    ...pools.map(({ pool }) => pairOf(pool, at.USDC, { priceUsd: null, liquidityUsd: 10 }))
  ])
})

const lpPieces = (count: number, size: (index: number) => number): Scenario =>
  changed(
    (world, placed) =>
      withLpHolders(
        world,
        placed,
        Array.from({ length: count }, (_, index) => [wallet(`piece ${index}`), size(index)] as const)
      ),
    { lpLeft: LP }
  )

const quoteCircle = (label: string, holders: ReturnType<typeof holdersOf>): Scenario =>
  sync((world) => placeCoinQuoted(world, label, holders))

const GOVERNED = wallet("the contract's own escrow")

/** A real contract for all of an amount, which it keeps in its escrow: what lies elsewhere it does not govern. */
const contractElsewhere = (mint: SolanaAddress, deposited: bigint) =>
  laidOut(at.TIME_LOCKERS.streamflow, 1104, [
    [33, 4_000_000_000n],
    [49, DEPLOYER],
    [113, DEPLOYER],
    [177, mint],
    [209, GOVERNED],
    [417, deposited],
    [425, 1n],
    [441, 3_900_000_000n]
  ])

/** Whoever opens a contract holds the key of its address. */
const KEYED = wallet("a contract's address")

const aside = (label: string, cliff: bigint, lasts: bigint): Scenario =>
  sync((world) => {
    const mint = placeLaunchLab(world, {
      label,
      quote: at.WSOL,
      raised: 20_000_000_000n,
      virtual: 30_000_000_000n,
      setAside: (SUPPLY * 4n) / 10n
    })
    patch(world, wallet(`${label} pool`), [
      [109, cliff],
      [117, lasts]
    ])
    return mint
  })

export const makers: Readonly<Record<string, Scenario>> = {
  "locked LP tokens that their mint's delegate can take": fluxBeam("delegate's lp", {
    lp: {
      extensions: [[12, bytes(32, [[0, DEPLOYER]])]]
    }
  }),
  "LP tokens of a mint that hides balances": fluxBeam("hidden lp", {
    lp: {
      extensions: [[4, bytes(65, [[32, 1]])]]
    }
  }),
  "LP tokens of a mint with an extension nobody knows": fluxBeam("unknown lp", {
    lp: {
      extensions: [[77, new Uint8Array(4)]]
    }
  }),
  "LP tokens that somebody's own key mints": fluxBeam("minted lp", { lp: { mintAuthority: DEPLOYER } }),
  "locked LP tokens of a mint that somebody can close, and open anew": fluxBeam("closable lp", {
    lp: {
      extensions: [[3, bytes(32, [[0, DEPLOYER]])]]
    }
  }),
  "LP tokens that somebody can freeze, and mint": fluxBeam("frozen lp", {
    lp: {
      mintAuthority: wallet("minter of lp"),
      freezeAuthority: DEPLOYER
    }
  }),
  "FluxBeam's vault of the token takes nothing without a memo, which no swap writes": fluxBeam("memos", {
    guards: [
      [7, new Uint8Array()],
      [8, Uint8Array.of(1)]
    ]
  }),
  "such a vault has the market, beside 2,000 dollars in a pool that takes tokens": changed(placeGuarded, {
    mint: { extensions: [] },
    dollars: 2000n
  }),
  "FluxBeam's vault of the token takes only what is encrypted": fluxBeam("closed to open credits", {
    guards: [[5, bytes(295, [[261, 1]])]]
  }),
  "FluxBeam's vault of the token has an extension nobody knows": fluxBeam("unknown guard", {
    guards: [[99, Uint8Array.of(1)]]
  }),
  "all LP tokens lie where anybody may burn them, in a pool that counts those left": fluxBeam(
    "at the incinerator",
    {
      holders: [[at.INCINERATOR, 1000]]
    }
  ),
  "a hundredth of the LP tokens is the maker's, the rest where he may burn it, in a pool that counts those left":
    fluxBeam("nearly all at the incinerator", {
      holders: [
        [at.INCINERATOR, 990],
        [wallet("maker"), 10]
      ]
    }),
  "a DLMM pair that its creator can switch off": oneDlmm("switch", [
    [87, 1],
    [848, DEPLOYER]
  ]),
  "a DLMM pair that takes 10 % while the price moves": oneDlmm("moving", [
    [16, u32(400_000)],
    [20, u32(150_000)]
  ]),
  "a Whirlpool that opens in a year": adaptive("late whirlpool", [[40, 1_821_536_000n]]),
  "a Whirlpool whose fee somebody other than Orca can raise to 6 %": sync((world) => {
    const { mint, pool } = placeRange(world, {
      label: "own tiers",
      sol: 200,
      providers: holdersOf(30, (index) => 4 + index * 0.35).map(([owner, sol]) => ({ owner, sol }))
    })
    patch(world, pool, [[8, DEPLOYER]])
    return mint
  }),
  "a CLMM pool that takes 10 % while the price moves": movingClmm("moving clmm", 5000),
  "a Whirlpool that takes 10 % while the price moves": adaptive("adaptive whirlpool", ADAPTIVE_TIER),
  "half of the supply lies in six pools nobody trades in, made by six": inManyPools,
  "half of the supply lies under a contract's address, outside of its escrow": changed((world, placed) => {
    withHolders(world, placed, [[KEYED, 400], ...holdersOf(15, (index) => 9 - index * 0.3)])
    world.accounts.set(KEYED, contractElsewhere(placed.mint, SUPPLY / 2n))
  }),
  "the LP tokens lie under a contract's address, outside of its escrow": changed(
    (world, placed) => {
      withLpHolders(world, placed, [[KEYED, 1000]])
      world.accounts.set(KEYED, contractElsewhere(placed.lpMint, LP))
    },
    { lpLeft: LP }
  ),
  "LaunchLab gives its creator 40 % evenly, within 31 days of the curve's end": aside(
    "evenly",
    0n,
    2_678_400n
  ),
  "LaunchLab gives its creator 40 % within an hour, after 29 days": aside(
    "after 29 days",
    2_505_600n,
    3_600n
  ),
  "LP tokens in twelve equal pieces": lpPieces(12, () => 83),
  "LP tokens in a hundred equal pieces": lpPieces(100, () => 10),
  "LP tokens in a hundred equal pieces, of whose accounts the node shows none": changed(
    (world, placed) => {
      withLpHolders(
        world,
        placed,
        holdersOf(100, () => 10)
      )
      for (const { address } of world.largest.get(placed.lpMint) ?? []) world.accounts.delete(address)
    },
    { lpLeft: LP }
  ),
  "LP tokens in forty pieces of nearly one size": lpPieces(40, (index) => 24 + (index % 3)),
  "LP tokens in sixteen pieces of nearly one size": lpPieces(16, (index) => 60 + (index % 4)),
  "liquidity in a coin of which twenty wallets hold nearly all": quoteCircle(
    "circle's quote",
    holdersOf(19, (index) => 48 - index * 0.9)
  )
}
