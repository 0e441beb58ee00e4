/** Tokens still on their launch curve. */
import * as at from "../../../../src/screening/solana/addresses.ts"
import { SolanaAddress } from "../../../../src/domain/address.ts"
import { associatedTokenAccount, deriveAddresses } from "../../../../src/screening/solana/reads/pdas.ts"
import { DEPLOYER, SUPPLY, pairOf } from "../clean-token.ts"
import { account, anchorType, bytes, encodeTokenAccount, u128, wallet } from "../encode.ts"
import { placePumpCurve, placeToken } from "../launches.ts"
import type { Scenario } from "../scenarios.ts"
import { sync, holdersOf } from "../scenarios.ts"

/** A launch on Meteora's curve: 12 of 85 SOL raised. */
const dbc: Scenario = sync((world) => {
  const config = wallet("dbc config")
  const price = 40e9 / 9e14
  const placed = placeToken(
    world,
    { label: "dbc", tokens: (SUPPLY * 7n) / 10n, quoteAmount: 12_000_000_000n },
    ({ mint, quoteVault, tokenVault }) =>
      account(
        at.program.meteoraDbc,
        bytes(424, [
          [0, anchorType("VirtualPool")],
          [72, config],
          [104, DEPLOYER],
          [136, mint],
          [168, tokenVault],
          [200, quoteVault],
          [232, (SUPPLY * 7n) / 10n],
          [240, 12_000_000_000n],
          [280, u128(BigInt(Math.round(Math.sqrt(price) * 2 ** 60)) << 4n)]
        ])
      )
  )
  world.accounts.set(
    config,
    account(
      at.program.meteoraDbc,
      bytes(1048, [
        [0, anchorType("PoolConfig")],
        [8, at.WSOL],
        [104, 10_000_000n],
        [235, 6],
        [264, 85_000_000_000n],
        [408, u128(1n << 90n)],
        [424, u128(BigInt(Math.round(Math.sqrt(40e9 * 9e14))) << 64n)]
      ])
    )
  )
  world.accounts.set(
    placed.tokenVault,
    encodeTokenAccount(
      placed.mint,
      SolanaAddress.make("FhVo3mqL8PW5pH5U2CN4XE33DokiyZnUwuGpH2hmHLuM"),
      (SUPPLY * 7n) / 10n
    )
  )
  return placed.mint
})

const launchLab = (label: string, quote: SolanaAddress, raised: bigint, virtual: bigint): Scenario =>
  sync(
    (world) =>
      placeToken(
        world,
        { label, quote, tokens: (SUPPLY * 7n) / 10n, quoteAmount: raised },
        ({ mint, quoteVault, tokenVault }) =>
          account(
            at.program.raydiumLaunchLab,
            bytes(429, [
              [0, anchorType("PoolState")],
              [37, 1_073_000_000_000_000n],
              [45, virtual],
              [53, 300_000_000_000_000n],
              [61, raised],
              [69, raised * 4n],
              [205, mint],
              [237, quote],
              [269, tokenVault],
              [301, quoteVault],
              [333, DEPLOYER]
            ])
          )
      ).mint
  )

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
  "a DBC launch": dbc,
  "a Moonshot curve": moonshot,
  "LaunchLab against SOL": launchLab("lab sol", at.WSOL, 20_000_000_000n, 30_000_000_000n),
  "LaunchLab against USD1": launchLab("lab usd1", at.USD1, 3_000_000_000n, 4_500_000_000n)
}
