/** Too much of the supply in too few hands. */
import { Effect } from "effect"
import * as at from "../../../../src/screening/solana/addresses.ts"
import type { SolanaAddress } from "../../../../src/domain/address.ts"
import { associatedTokenAccount } from "../../../../src/chain/program-address.ts"
import { DAY, DEPLOYER, SUPPLY, emptyReport } from "../clean-token.ts"
import { AT_A_GROWING_PRICE, AT_ONE_PRICE, placeLaunchLab } from "../curves.ts"
import { bytes, encodeMint, encodeTokenAccount, programAddress, u32, wallet } from "../encode.ts"
import { placeGraduate, placePumpCurve } from "../launches.ts"
import type { Scenario } from "../scenarios.ts"
import { deriveAddresses } from "../../../../src/screening/solana/reads/pdas.ts"
import { curves } from "../honest/curves.ts"
import { changed, holdersOf, patch, placeHolders, sync, withHolders } from "../scenarios.ts"

const developer = (perMille: number): ReadonlyArray<readonly [SolanaAddress, number]> => [
  [DEPLOYER, perMille],
  ...holdersOf(8, 1)
]

const [NAMES, POINTS] = [wallet("keeper of the name"), wallet("keeper of the pointer")]

/** A Token-2022 mint whose own name one wallet may change, and another may turn to an account of its own. */
const namedByTwo: Scenario = changed((world, placed) => {
  const { mint } = placed
  const keepers = [DEPLOYER, NAMES, POINTS].map((owner) => [owner, 60] as const)
  const small = holdersOf(16, (index) => 12 - index * 0.5)
  withHolders(world, placed, [...keepers, ...small], 200)
  const name = bytes(80, [
    [0, NAMES],
    [32, mint],
    [64, u32(1)],
    [68, 120],
    [69, u32(1)],
    [73, 120]
  ])
  const pointer = bytes(64, [
    [0, POINTS],
    [32, mint]
  ])
  const named: Parameters<typeof encodeMint>[0] = {
    supply: SUPPLY,
    extensions: [
      [18, pointer],
      [19, name]
    ]
  }
  world.accounts.set(mint, encodeMint(named))
})

/** A Moonshot curve whose price grows evenly, and somebody who has bought more than half of what it has sold. */
const linearCurve: Scenario = (world) =>
  Effect.map(curves["a Moonshot curve"]?.(world) ?? Effect.die("no curve"), (mint) => {
    const { moonshot } = deriveAddresses(mint)
    patch(world, moonshot, [
      [8, SUPPLY],
      [16, (SUPPLY * 6n) / 10n],
      [56, 6],
      [58, 0],
      [59, 345_000_000_000n],
      [76, u32(25)]
    ])
    const curve = world.accounts.get(moonshot)
    if (curve !== undefined) world.accounts.set(moonshot, { ...curve, lamports: 200_000_000_000n })
    const [vault] = world.largest.get(mint) ?? []
    const small = holdersOf(20, (index) => 3 - index * 0.1)
    const held = placeHolders(world, mint, [[wallet("whale"), 225], ...small])
    world.largest.set(mint, [...(vault === undefined ? [] : [vault]), ...held].slice(0, 20))
    return mint
  })

/** A LaunchLab curve has sold three tenths of the supply, and three quarters of those to one wallet. */
const MOST_OF_SOLD = [[wallet("whale"), 225], ...holdersOf(20, (index) => 3 - index * 0.1)] as const

export const concentration: Readonly<Record<string, Scenario>> = {
  "one wallet holds most of what a Moonshot curve with an evenly growing price has sold": linearCurve,
  "one wallet holds most of what LaunchLab has sold at one price": sync((world) =>
    placeLaunchLab(world, { label: "fixed whale", ...AT_ONE_PRICE, holders: MOST_OF_SOLD })
  ),
  "one wallet holds most of what LaunchLab has sold at a price that grows evenly": sync((world) =>
    placeLaunchLab(world, { label: "linear whale", ...AT_A_GROWING_PRICE, holders: MOST_OF_SOLD })
  ),
  "one wallet holds 49.9 %": changed((world, placed) => withHolders(world, placed, [[wallet("whale"), 499]])),
  "one wallet holds 30 % and the pool 20 %": changed((world, placed) =>
    withHolders(world, placed, [[wallet("whale"), 300], ...holdersOf(18, 27)])
  ),
  "three wallets hold half of the supply of a day-old token": changed(
    (world, placed) =>
      withHolders(
        world,
        placed,
        [
          ...[190, 170, 155].map((perMille, index) => [wallet(`fresh whale ${index}`), perMille] as const),
          ...holdersOf(16, (index) => 9 - index * 0.3)
        ],
        200
      ),
    { ageMs: DAY }
  ),
  "nineteen wallets of all sizes hold three fifths of what is outside the pool of a day-old token": changed(
    (world, placed) =>
      withHolders(
        world,
        placed,
        holdersOf(19, (index) => 45 - index * 2.2),
        250
      ),
    { ageMs: DAY }
  ),
  "twenty wallets hold 4.9 % each": changed((world, placed) => withHolders(world, placed, holdersOf(20, 49))),
  "two hundred wallets hold 0.49 % each": changed((world, placed) =>
    withHolders(world, placed, holdersOf(200, 4.9))
  ),
  "51 % are burned and 49 % in a fresh wallet, RugCheck silent": changed((world, placed) => {
    const burn = associatedTokenAccount(at.INCINERATOR, placed.mint, at.TOKEN_PROGRAM)
    withHolders(world, placed, [[wallet("fresh"), 489]])
    world.accounts.set(burn, encodeTokenAccount(placed.mint, at.INCINERATOR, (SUPPLY * 51n) / 100n))
    patch(world, placed.tokenVault, [[64, SUPPLY / 1000n]])
    const [pool, fresh] = world.largest.get(placed.mint) ?? []
    if (pool === undefined || fresh === undefined) throw new Error("no list")
    world.largest.set(placed.mint, [
      { address: burn, amount: (SUPPLY * 51n) / 100n },
      fresh,
      { ...pool, amount: SUPPLY / 1000n }
    ])
    world.down.add("rugcheck")
  }),
  "a minute-old curve with 45 % at the developer": sync((world) =>
    placePumpCurve(world, { label: "young", sol: 24, holders: developer(450) })
  ),
  "a graduate with 40 % at the creator": sync((world) =>
    placeGraduate(world, { label: "creator", sol: 80, holders: [[DEPLOYER, 400], ...holdersOf(15, 20)] })
  ),
  "creators hold a fifth in three wallets, two of which the mint's own extensions name": namedByTwo,
  "RugCheck's insider networks hold 40 %": changed((world, { mint }) => {
    const report = world.reports.get(mint) ?? emptyReport
    world.reports.set(mint, {
      ...report,
      graphInsidersDetected: 60,
      insiderNetworks: [{ size: 60, tokenAmount: Number(SUPPLY) * 0.4 }]
    })
  }),
  "RugCheck's creator balance is 40 % in accounts that are not listed": changed((world, { mint }) => {
    const report = world.reports.get(mint) ?? emptyReport
    world.reports.set(mint, {
      ...report,
      creator: wallet("far creator"),
      creatorBalance: Number(SUPPLY) * 0.4
    })
  }),
  "RugCheck flags half of the holders as insiders": changed(
    (world, { mint }) => {
      const report = world.reports.get(mint) ?? emptyReport
      const topHolders = (report.topHolders ?? []).map((holder, index) => ({
        ...holder,
        insider: index < 15
      }))
      world.reports.set(mint, { ...report, topHolders })
    },
    { holderPerMille: 25n }
  ),
  "a tenth of the supply lies under ten programs each": changed((world, placed) =>
    withHolders(
      world,
      placed,
      Array.from({ length: 9 }, (_, index) => [programAddress(`vault ${index}`), 100] as const)
    )
  )
}
