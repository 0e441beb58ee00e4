/** Liquidity in positions that looks like many people's, or like more than it is. */
import { programAddress, wallet } from "../encode.ts"
import type { BinProvider, Provider } from "../concentrated.ts"
import { burnPositionToken, placeBins, placeDammPositions, placeRange, tickOf } from "../concentrated.ts"
import { DEPLOYER } from "../clean-token.ts"
import type { Scenario } from "../scenarios.ts"
import { sync } from "../scenarios.ts"

const many = <A>(count: number, make: (index: number) => A): ReadonlyArray<A> =>
  Array.from({ length: count }, (_, index) => make(index))

const stranger = (index: number) => wallet(`stranger ${index}`)

const whirlpool = (
  label: string,
  providers: ReadonlyArray<Provider>,
  options: { readonly counted?: number; readonly kind?: "clmm"; readonly sol?: number } = {}
): Scenario => sync((world) => placeRange(world, { label, sol: 200, providers, ...options }).mint)

const pair = (label: string, providers: ReadonlyArray<BinProvider>, unlistedSol?: number): Scenario =>
  sync(
    (world) =>
      placeBins(world, { label, providers, ...(unlistedSol === undefined ? {} : { unlistedSol }) }).mint
  )

const near = tickOf(200)

export const positions: Readonly<Record<string, Scenario>> = {
  "thirty Whirlpool positions are one wallet's": whirlpool(
    "one wallet",
    many(30, (index) => ({ owner: DEPLOYER, sol: 5 + index * 0.1 }))
  ),
  "thirty CLMM positions are one wallet's": whirlpool(
    "one wallet, CLMM",
    many(30, (index) => ({ owner: DEPLOYER, sol: 5 + index * 0.1 })),
    { kind: "clmm" }
  ),
  "narrow positions of little money hide whose the money is": whirlpool("narrow", [
    { owner: DEPLOYER, sol: 150 },
    ...many(20, (index) => ({
      owner: stranger(index),
      sol: 1 + index * 0.05,
      ticks: [near - 64, near + 64] as const
    }))
  ]),
  "bids far below the price hide whose the money at it is": whirlpool("far bids", [
    { owner: DEPLOYER, sol: 60 },
    ...many(10, (index) => ({
      owner: stranger(index),
      sol: 20 + index,
      ticks: [near - 60_000, near - 40_000] as const
    }))
  ]),
  "the node lists a tenth of a Whirlpool's positions": whirlpool(
    "a tenth",
    many(12, (index) => ({ owner: stranger(index), sol: 3 + index * 0.4 })),
    { counted: 10 }
  ),
  "a program nobody knows holds the token of the one position": whirlpool("held", [
    { owner: programAddress("holder of positions"), sol: 200 }
  ]),
  "offers far above the price hide whose the bids are": pair("offers", [
    { owner: DEPLOYER, sol: 180, from: -60, count: 61 },
    ...many(12, (index) => ({
      owner: stranger(index),
      sol: 0,
      from: 200,
      count: 60,
      offered: 1000 + index * 90
    }))
  ]),
  "most of a pair's money lies in positions no list shows": pair(
    "unlisted",
    many(12, (index) => ({ owner: stranger(index), sol: 2 + index * 0.3, from: -60, count: 61 })),
    180
  ),
  "sixty DAMM v2 positions are one wallet's": sync(
    (world) =>
      placeDammPositions(
        world,
        "sixty",
        many(60, () => ({ owner: DEPLOYER, share: 1 / 60 }))
      ).mint
  ),
  "a DAMM v2 position's schedule ends next week": sync(
    (world) =>
      placeDammPositions(world, "next week", [{ owner: DEPLOYER, share: 1, until: 1_790_604_800n }]).mint
  ),
  "a DAMM v2 position's schedule, in an account of its own, ends next week": sync(
    (world) =>
      placeDammPositions(world, "next week elsewhere", [
        { owner: DEPLOYER, share: 1, until: 1_790_604_800n, schedule: "elsewhere" }
      ]).mint
  ),
  "a DAMM v2 position is held back until nobody knows when": sync(
    (world) =>
      placeDammPositions(world, "undated", [
        { owner: DEPLOYER, share: 1, until: 1_890_000_000n, schedule: "nowhere" }
      ]).mint
  ),
  "a position's token was burned, and somebody can mint another": sync((world) => {
    const [label, provider] = ["minted again", { owner: DEPLOYER, sol: 200 }]
    const { mint } = placeRange(world, { label, sol: 200, providers: [provider] })
    burnPositionToken(world, label, DEPLOYER)
    return mint
  }),
  "three DAMM v2 positions of a third each": sync(
    (world) =>
      placeDammPositions(
        world,
        "thirds",
        many(3, (index) => ({ owner: stranger(index), share: 1 / 3 }))
      ).mint
  )
}
