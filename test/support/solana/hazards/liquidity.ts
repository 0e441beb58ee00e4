/** Liquidity that is not there, or that somebody can take. */
import * as at from "../../../../src/screening/solana/addresses.ts"
import { associatedTokenAccount } from "../../../../src/chain/program-address.ts"
import { DAY, DEPLOYER, emptyReport, pairOf, SUPPLY } from "../clean-token.ts"
import type { SolanaAddress } from "../../../../src/domain/address.ts"
import { placeDammPositions, placeRange } from "../concentrated.ts"
import { encodeMint, laidOut, programAddress, wallet } from "../encode.ts"
import type { FakeWorld } from "../fake-world.ts"
import { damm } from "./damm.ts"
import { placeGraduate } from "../launches.ts"
import { burnAndEarn, placeEarningLock } from "../burn-and-earn.ts"
import { lendingVaults } from "../honest/pools.ts"
import type { Scenario } from "../scenarios.ts"
import { LP, changed, holdersOf, patch, sync, withHolders, withLpHolders } from "../scenarios.ts"

/** 33,000 dollars behind burned LP tokens, and 200 SOL at the same price in a pool whose only position is the deployer's. */
const besideBurned: Scenario = changed(
  (world, placed) => {
    withHolders(
      world,
      placed,
      holdersOf(18, (index) => 4 - index * 0.05),
      220
    )
    const { mint } = placed
    const { pool, tokenVault } = placeDammPositions(world, "beside burned", [{ owner: DEPLOYER, share: 1 }])
    patch(world, pool, [[168, mint]])
    // Bids for the most part: what the deployer could sell beside them is little.
    patch(world, tokenVault, [
      [0, mint],
      [64, SUPPLY / 50n]
    ])
    const listed = world.largest.get(mint) ?? []
    world.largest.set(mint, [{ address: tokenVault, amount: SUPPLY / 50n }, ...listed])
    const pairs = world.pairs.get(mint) ?? []
    world.pairs.set(mint, [...pairs, pairOf(pool, at.WSOL, { priceUsd: null, createdAt: -DAY })])
  },
  { dollars: 33_000n, ageMs: DAY }
)

const SHARES = [190, 170, 160, 140, 120, 110, 110]

/** Lets one key move what an account holds. */
const letMove = (world: FakeWorld, address: SolanaAddress, amount: bigint): void =>
  patch(world, address, [
    [72, 1],
    [76, DEPLOYER],
    [121, amount]
  ])

/** Liquidity that has been seven wallets' for months, each of which lets the deployer move its LP tokens. */
const movedByOne: Scenario = changed(
  (world, placed) => {
    const providers = SHARES.map((perMille, index) => [wallet(`provider ${index}`), perMille] as const)
    withLpHolders(world, placed, providers)
    for (const { address, amount } of world.largest.get(placed.lpMint) ?? []) letMove(world, address, amount)
  },
  { lpLeft: LP }
)

/** The same of positions, whose tokens the deployer may use. */
const positionsMovedByOne: Scenario = sync((world) => {
  const label = "moved by one"
  const providers = SHARES.map((perMille, index) => ({
    owner: wallet(`provider ${index}`),
    sol: perMille / 5
  }))
  const { mint } = placeRange(world, { label, sol: 200, providers })
  for (const index of SHARES.keys()) letMove(world, wallet(`${label} position ${index} held`), 1n)
  return mint
})

/** All LP tokens lie where this owner's would lie, in an account that has become the deployer's. */
const handedOver = (owner: SolanaAddress): Scenario =>
  changed((world, placed) => {
    const address = associatedTokenAccount(owner, placed.lpMint, at.TOKEN_PROGRAM)
    withLpHolders(world, placed, [[owner, 1000]])
    patch(world, address, [[32, DEPLOYER]])
  })

const OPERATORS = programAddress("operator's locker")

export const liquidity: Readonly<Record<string, Scenario>> = {
  "all LP tokens lie at a burn address's place, in an account that is the deployer's": handedOver(
    at.INCINERATOR
  ),
  "all LP tokens lie at Burn & Earn's place, in an account that is the deployer's": handedOver(
    at.RAYDIUM_BURN_AND_EARN
  ),
  "all LP tokens lie at a named locker's place, in an account that is the deployer's": (world) => {
    world.extraLockers.push(OPERATORS)
    return handedOver(OPERATORS)(world)
  },
  "LP tokens at Burn & Earn, whose keeper may harvest nine tenths of what the pool holds": burnAndEarn(
    (world, placed) => placeEarningLock(world, placed, LP, 100n)
  ),
  "LP tokens at Burn & Earn have gained nearly all that they are worth, and the node lists no lock":
    burnAndEarn(() => undefined),
  "half of the LP tokens at Burn & Earn have a lock, and the others have gained nearly all that they are worth":
    burnAndEarn((world, placed) => placeEarningLock(world, placed, LP / 2n)),
  "a DAMM v1 pool's locked LP tokens, whose keeper may harvest nine tenths of what it holds":
    lendingVaults(0.1),
  "locks at Burn & Earn say more LP tokens than there are": burnAndEarn((world, placed) =>
    placeEarningLock(world, placed, 2n * LP)
  ),
  "beside burned LP tokens the deployer can take nearly half of what sellers reach": besideBurned,
  "all LP tokens are the deployer's, RugCheck says 100 % locked": changed(
    (world, placed) => {
      withLpHolders(world, placed, [[DEPLOYER, 1000]])
      const report = world.reports.get(placed.mint) ?? emptyReport
      world.reports.set(placed.mint, {
        ...report,
        markets: report.markets.map((market) => ({ ...market, lpLockedPct: 100 }))
      })
    },
    { lpLeft: LP }
  ),
  "seven providers let one key move their LP tokens": movedByOne,
  "seven providers let one key use the tokens of their positions": positionsMovedByOne,
  "60 % of the LP tokens are one stranger's": changed(
    (world, placed) => withLpHolders(world, placed, [[wallet("provider"), 600], ...holdersOf(8, 50)]),
    { lpLeft: LP }
  ),
  "a hundred times as many LP tokens as their pool counts, of which only the burned ones are seen": changed(
    (world, placed) => {
      withLpHolders(world, placed, [[at.INCINERATOR, 1000]])
      world.accounts.set(placed.lpMint, encodeMint({ supply: 100n * LP, decimals: 9 }))
    },
    { lpLeft: LP }
  ),
  "who holds the LP tokens cannot be read": changed((world, { lpMint }) => {
    world.accounts.set(lpMint, encodeMint({ supply: LP, decimals: 9 }))
  }),
  "a look-alike locker's program holds the LP tokens": changed(
    (world, placed) => withLpHolders(world, placed, [[programAddress("locker?"), 1000]]),
    { lpLeft: LP }
  ),
  "a graduate's LP tokens were never burned": sync((world) =>
    placeGraduate(world, { label: "unburned", sol: 80, burned: false })
  ),
  "a pool that does not exist has 9 million dollars": changed((world, { mint, pool }) => {
    world.accounts.delete(pool)
    world.pairs.set(mint, [
      pairOf(wallet("ghost"), at.USDC, { liquidityUsd: 9_000_000, liquidityQuote: 4_500_000, priceUsd: 42 })
    ])
  }),
  "the liquidity is 40 dollars": changed(() => undefined, { dollars: 20n }),
  "the LP is locked in Streamflow until next week": changed((world, placed) => {
    const contract = programAddress("contract")
    withLpHolders(world, placed, [[contract, 1000]])
    world.accounts.set(
      contract,
      laidOut(at.TIME_LOCKERS.streamflow, 1104, [
        [33, 1_790_400_000n],
        [113, DEPLOYER],
        [417, LP]
      ])
    )
  }),
  "DAMM v2 with nothing locked, its positions unread": damm("free", { locked: 0 })
}
