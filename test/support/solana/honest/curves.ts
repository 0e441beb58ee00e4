/** Tokens still on their launch curve. */
import * as at from "../../../../src/screening/solana/addresses.ts"
import { associatedTokenAccount } from "../../../../src/chain/program-address.ts"
import { deriveAddresses } from "../../../../src/screening/solana/reads/pdas.ts"
import { DEPLOYER, pairOf, SUPPLY } from "../clean-token.ts"
import { AT_A_GROWING_PRICE, AT_ONE_PRICE, placeDbc, placeLaunchLab } from "../curves.ts"
import { account, anchorType, bytes, encodeTokenAccount } from "../encode.ts"
import { placePumpCurve, placeToken } from "../launches.ts"
import type { Scenario } from "../scenarios.ts"
import { holdersOf, sync } from "../scenarios.ts"

const moonshot: Scenario = sync((world) => {
  const placed = placeToken(world, { label: "moonshot", tokens: (SUPPLY * 6n) / 10n, quoteAmount: 0n }, () =>
    account(at.SYSTEM_PROGRAM, new Uint8Array())
  )
  const { moonshot: curve } = deriveAddresses(placed.mint)
  const left = 600_000_000_000_000_000n
  world.accounts.set(curve, {
    ...account(
      at.program.moonshot,
      bytes(409, [
        [0, anchorType("CurveAccount")],
        [8, 1_000_000_000_000_000_000n],
        [16, left],
        [24, placed.mint],
        [56, 9],
        [58, 1]
      ])
    ),
    lamports: 20_000_000_000n
  })
  const vault = associatedTokenAccount(curve, placed.mint, at.TOKEN_PROGRAM)
  world.accounts.set(vault, encodeTokenAccount(placed.mint, curve, (SUPPLY * 6n) / 10n))
  world.largest.set(placed.mint, [
    { address: vault, amount: (SUPPLY * 6n) / 10n },
    ...(world.largest.get(placed.mint) ?? []).slice(1)
  ])
  world.pairs.set(placed.mint, [pairOf(curve, at.WSOL, { priceUsd: null })])
  return placed.mint
})

export const curves: Readonly<Record<string, Scenario>> = {
  "a young curve, 4 SOL raised": sync((world) => placePumpCurve(world, { label: "four", sol: 4 })),
  "a curve half way, 35 SOL raised": sync((world) => placePumpCurve(world, { label: "half", sol: 35 })),
  "a curve near its end, 80 SOL raised": sync((world) => placePumpCurve(world, { label: "end", sol: 80 })),
  "a young curve whose developer bought 3 %": sync((world) =>
    placePumpCurve(world, { label: "dev", sol: 6, holders: [[DEPLOYER, 30], ...holdersOf(15, 8)] })
  ),
  "a mayhem coin": sync((world) => placePumpCurve(world, { label: "mayhem", sol: 20, mayhem: true })),
  "a DBC launch": sync((world) => placeDbc(world, "dbc")),
  "a DBC launch that locks the next pool's liquidity for its partner": sync((world) =>
    placeDbc(world, "locked dbc", [[239, 100]])
  ),
  "a DBC launch that vests a tenth to its creator over years": sync((world) =>
    placeDbc(world, "vesting dbc", [
      [296, SUPPLY / 480n],
      [304, 15_552_000n],
      [312, 2_592_000n],
      [320, 48n]
    ])
  ),
  "a Moonshot curve": moonshot,
  "LaunchLab against SOL": sync((world) =>
    placeLaunchLab(world, {
      label: "lab sol",
      quote: at.WSOL,
      raised: 20_000_000_000n,
      virtual: 30_000_000_000n
    })
  ),
  "LaunchLab against USD1": sync((world) =>
    placeLaunchLab(world, {
      label: "lab usd1",
      quote: at.USD1,
      raised: 3_000_000_000n,
      virtual: 4_500_000_000n
    })
  ),
  "LaunchLab at one price": sync((world) => placeLaunchLab(world, { label: "lab fixed", ...AT_ONE_PRICE })),
  "LaunchLab at a price that grows evenly": sync((world) =>
    placeLaunchLab(world, { label: "lab linear", ...AT_A_GROWING_PRICE })
  )
}
