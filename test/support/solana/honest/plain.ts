/** The clean token and graduates, with what honest tokens have. */
import { Effect } from "effect"
import * as at from "../../../../src/screening/solana/addresses.ts"
import { associatedTokenAccount } from "../../../../src/chain/program-address.ts"
import { SUPPLY, pairOf } from "../clean-token.ts"
import {
  bytes,
  encodeTokenAccount,
  encodeWhirlpool,
  laidOut,
  programAddress,
  u16,
  wallet
} from "../encode.ts"
import { endedLab, endedLaunch } from "../hazards/ended.ts"
import { placeGraduate } from "../launches.ts"
import { asFirstMade, burnAndEarn, placeEarningLock } from "../burn-and-earn.ts"
import type { Scenario } from "../scenarios.ts"
import { streamedLp } from "../streams.ts"
import { changed, holdersOf, sync, thirdPartiesSilent, withHolders } from "../scenarios.ts"

const vesting: Scenario = changed((world, placed) => {
  const contract = programAddress("vesting contract")
  withHolders(world, placed, [[contract, 300], ...holdersOf(15, (index) => 10 - index * 0.4)])
  world.accounts.set(
    contract,
    laidOut(at.TIME_LOCKERS.streamflow, 1104, [
      [33, 4_000_000_000n],
      [113, wallet("team")],
      [177, placed.mint],
      [417, (SUPPLY * 3n) / 10n],
      [425, 1n],
      [441, 3_900_000_000n]
    ])
  )
})

/** Somebody else's clean token, with a Whirlpool out of range and 9 million dollars of bids beside it. */
const griefed: Scenario = changed((world, placed) => {
  const [pool, quoteVault, vault] = [wallet("grief"), wallet("grief quote"), wallet("grief token")]
  world.accounts.set(quoteVault, encodeTokenAccount(at.USDC, pool, 9_000_000_000_000n))
  world.accounts.set(vault, encodeTokenAccount(placed.mint, pool, 0n))
  world.accounts.set(pool, encodeWhirlpool([placed.mint, vault, at.USDC, quoteVault]))
  world.pairs.set(placed.mint, [
    ...(world.pairs.get(placed.mint) ?? []),
    pairOf(pool, at.USDC, { liquidityUsd: 9_000_000, liquidityQuote: 9_000_000, priceUsd: 4096 })
  ])
})

/** Somebody sends a few tokens to a vesting contract. */
const dusted: Scenario = (world) =>
  Effect.tap(vesting(world), (mint) =>
    Effect.sync(() => {
      const held = associatedTokenAccount(programAddress("vesting contract"), mint, at.TOKEN_PROGRAM)
      const amount = (SUPPLY * 3n) / 10n + 1_000_000n
      world.accounts.set(held, encodeTokenAccount(mint, programAddress("vesting contract"), amount))
      const listed = world.largest.get(mint) ?? []
      world.largest.set(
        mint,
        listed.map((one) => (one.address === held ? { ...one, amount } : one))
      )
    })
  )

export const plain: Readonly<Record<string, Scenario>> = {
  "the clean token": changed(() => undefined),
  "the clean token, third parties silent": changed((world) => thirdPartiesSilent(world)),
  "a graduate": sync((world) => placeGraduate(world, { label: "plain", sol: 85 })),
  "a graduate with virtual reserves": sync((world) =>
    placeGraduate(world, { label: "virtual", sol: 85, virtual: 17.58 })
  ),
  "a graduate with negative virtual reserves": sync((world) =>
    placeGraduate(world, { label: "negative", sol: 85, virtual: -2 })
  ),
  "a graduate, third parties silent": sync((world) => {
    const mint = placeGraduate(world, { label: "silent", sol: 85 })
    thirdPartiesSilent(world)
    return mint
  }),
  "a graduate of twenty equal holders of 1 %": sync((world) =>
    placeGraduate(world, { label: "equal", sol: 85, holders: holdersOf(20, 10) })
  ),
  "a third of the supply vesting for years": vesting,
  "a vesting contract to which somebody sent dust": dusted,
  "a clean token griefed by an out-of-range Whirlpool": griefed,
  "LP tokens with Burn & Earn": burnAndEarn(asFirstMade),
  "LP tokens with Burn & Earn, harvested just now": burnAndEarn(placeEarningLock),
  "LP tokens in a Streamflow escrow for years": streamedLp(),
  "mutable metadata": changed(() => undefined, { mutable: true }),
  "an ended LaunchLab curve, whose creator's part vests over four years after a year": endedLaunch(
    "vesting lab",
    "lab",
    endedLab({ ended: 1_789_900_000n, cliff: 31_536_000n, lasts: 126_144_000n })
  ),
  "a 1 % transfer fee for good, which a treasury may take": changed(() => undefined, {
    mint: {
      extensions: [
        [
          1,
          bytes(108, [
            [32, wallet("treasury")],
            [64, SUPPLY / 500n],
            [80, 10n ** 18n],
            [88, u16(100)],
            [98, 10n ** 18n],
            [106, u16(100)]
          ])
        ]
      ]
    }
  }),
  "a 1 % transfer fee for good": changed(() => undefined, {
    mint: {
      extensions: [
        [
          1,
          bytes(108, [
            [80, 10n ** 18n],
            [88, u16(100)],
            [98, 10n ** 18n],
            [106, u16(100)]
          ])
        ]
      ]
    }
  })
}
