/** What whoever makes a pool, or the tokens of its liquidity, keeps for later. */
import * as at from "../../../../src/screening/solana/addresses.ts"
import { findProgramAddress, seedOf } from "../../../../src/chain/program-address.ts"
import { DEPLOYER, SUPPLY, pairOf, placeCpmm } from "../clean-token.ts"
import { placeBins, placeRange } from "../concentrated.ts"
import type { MintOptions } from "../encode.ts"
import { Effect } from "effect"
import { account, anchorType, bytes, encodeMint, u16, u32, wallet } from "../encode.ts"
import { placeCoinQuoted } from "../coin-quoted.ts"
import { placeToken } from "../launches.ts"
import type { Scenario } from "../scenarios.ts"
import { LP, changed, holdersOf, patch, sync, withHolders, withLpHolders } from "../scenarios.ts"

/** A FluxBeam pool of 200 SOL with burned LP tokens, whose mint somebody made beforehand. */
const fluxBeam = (label: string, lp: MintOptions): Scenario =>
  sync((world) => {
    const lpMint = wallet(`${label} lp`)
    const placed = placeToken(
      world,
      { label, tokens: SUPPLY / 5n, quoteAmount: 200_000_000_000n },
      ({ mint, quote, quoteVault, tokenVault }) =>
        account(
          at.program.fluxBeam,
          bytes(324, [
            [0, 1],
            [1, 1],
            [35, tokenVault],
            [67, quoteVault],
            [99, lpMint],
            [131, mint],
            [163, quote],
            [227, 30n],
            [235, 10_000n]
          ])
        )
    )
    withLpHolders(world, { ...placed, lpMint }, [[at.INCINERATOR, 1000]])
    world.accounts.set(lpMint, encodeMint({ supply: LP, decimals: 9, ...lp }))
    return placed.mint
  })

const oneDlmm = (label: string, terms: Parameters<typeof bytes>[1]): Scenario =>
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

/** A Whirlpool with an oracle, as pools with adaptive fees have one. */
const adaptive = (label: string, terms: Parameters<typeof bytes>[1]): Scenario =>
  sync((world) => {
    const placed = placeRange(world, {
      label,
      sol: 200,
      providers: Array.from({ length: 30 }, (_, index) => ({
        owner: wallet(`provider ${index}`),
        sol: 4 + index * 0.35
      }))
    })
    const oracle = findProgramAddress(at.program.orcaWhirlpool, [
      new TextEncoder().encode("oracle"),
      seedOf(placed.pool)
    ])
    world.accounts.set(
      oracle,
      account(at.program.orcaWhirlpool, bytes(254, [[0, anchorType("Oracle")], [8, placed.pool], ...terms]))
    )
    return placed.mint
  })

/** Uneven parts of half of the supply in pools against coins of nobody's, each made by somebody else. */
const inManyPools: Scenario = changed((world, placed) => {
  const parts = [140, 110, 85, 65, 50, 40]
  withHolders(
    world,
    placed,
    holdersOf(13, (index) => 8 - index * 0.3)
  )
  const [home, ...others] = world.largest.get(placed.mint) ?? []
  if (home === undefined) throw new Error("no pool")
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

export const makers: Readonly<Record<string, Scenario>> = {
  "burned LP tokens that their mint's delegate can take back": fluxBeam("delegate's lp", {
    extensions: [[12, bytes(32, [[0, DEPLOYER]])]]
  }),
  "LP tokens of a mint that hides balances": fluxBeam("hidden lp", {
    extensions: [[4, bytes(65, [[32, 1]])]]
  }),
  "LP tokens of a mint with an extension nobody knows": fluxBeam("unknown lp", {
    extensions: [[77, new Uint8Array(4)]]
  }),
  "LP tokens that somebody's own key mints": fluxBeam("minted lp", { mintAuthority: DEPLOYER }),
  "LP tokens that somebody can freeze, and mint": fluxBeam("frozen lp", {
    mintAuthority: wallet("minter of lp"),
    freezeAuthority: DEPLOYER
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
  "a Whirlpool that takes 10 % while the price moves": adaptive("adaptive whirlpool", [
    [48, u16(30)],
    [50, u16(600)],
    [52, u16(5000)],
    [54, u32(90_000)],
    [58, u32(350_000)],
    [62, u16(64)]
  ]),
  "half of the supply lies in six pools nobody trades in, made by six": inManyPools,
  "LP tokens in twelve equal pieces": lpPieces(12, () => 83),
  "LP tokens in sixteen pieces of nearly one size": lpPieces(16, (index) => 60 + (index % 4)),
  "liquidity in a coin of which twenty wallets hold nearly all": quoteCircle(
    "circle's quote",
    holdersOf(19, (index) => 48 - index * 0.9)
  )
}
