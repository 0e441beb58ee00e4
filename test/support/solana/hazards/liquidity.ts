/** Liquidity that is not there, or that somebody can take. */
import * as at from "../../../../src/screening/solana/addresses.ts"
import { DEPLOYER, emptyReport, pairOf } from "../clean-token.ts"
import { encodeMint, laidOut, programAddress, wallet } from "../encode.ts"
import { damm } from "./damm.ts"
import { placeGraduate } from "../launches.ts"
import type { Scenario } from "../scenarios.ts"
import { LP, changed, sync, withLpHolders, holdersOf } from "../scenarios.ts"

export const liquidity: Readonly<Record<string, Scenario>> = {
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
