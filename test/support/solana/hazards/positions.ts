/** Liquidity in positions that looks like many people's, or like more than it is. */
import type { SolanaAddress } from "../../../../src/domain/address.ts"
import { anchorType, encodeMint, programAddress, wallet } from "../encode.ts"
import type { FakeWorld } from "../fake-world.ts"
import type { BinProvider, Provider } from "../concentrated.ts"
import { burnPositionToken, placeBins, placeDammPositions, placeRange, tickOf } from "../concentrated.ts"
import { Effect } from "effect"
import { DAY, DEPLOYER } from "../clean-token.ts"
import { crowded } from "../honest/pools.ts"
import type { Scenario } from "../scenarios.ts"
import { patch, sync } from "../scenarios.ts"

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

const ORDERS = 30

/** Somebody's position, and accounts of the same program that look like it, are none, and would say that all is locked. */
const besideOrders = (label: string, kind: "clmm" | "whirlpool"): Scenario =>
  sync((world) => {
    const { mint } = placeRange(world, { label, kind, sol: 200, providers: [{ owner: DEPLOYER, sol: 200 }] })
    for (const index of many(ORDERS, (order) => order)) {
      const token = wallet(`${label} burned ${index}`)
      copyAs(world, wallet(`${label} position 0`), wallet(`${label} order ${index}`), [
        [0, anchorType("LimitOrder")],
        [kind === "clmm" ? 9 : 40, token]
      ])
      world.accounts.set(token, encodeMint({ supply: 0n, decimals: 0 }))
      world.largest.set(token, [])
    }
    return mint
  })

const copyAs = (
  world: FakeWorld,
  from: SolanaAddress,
  to: SolanaAddress,
  parts: Parameters<typeof patch>[2]
): void => {
  const found = world.accounts.get(from)
  if (found === undefined) throw new Error("nothing to copy")
  world.accounts.set(to, found)
  patch(world, to, parts)
}

const ordersInPair: Scenario = sync((world) => {
  const providers = [{ owner: DEPLOYER, sol: 200, from: -60, count: 61 }]
  const { mint } = placeBins(world, { label: "orders", providers })
  for (const index of many(ORDERS, (order) => order))
    copyAs(world, wallet("orders position 0"), wallet(`orders order ${index}`), [
      [0, anchorType("LimitOrder")],
      [7992, 4_000_000_000n]
    ])
  return mint
})

/** Most of the money lies in one wide position, and next to nothing of what stands at the price, where many are narrow. */
const narrow: ReadonlyArray<Provider> = [
  { owner: DEPLOYER, sol: 150 },
  ...many(20, (index) => ({
    owner: stranger(index),
    sol: 1 + index * 0.05,
    ticks: [near - 64, near + 64] as const
  }))
]

const wideUnlisted = (label: string, kind: "clmm" | "whirlpool"): Scenario =>
  sync((world) => {
    const { mint } = placeRange(world, { label, kind, sol: 200, providers: narrow })
    world.accounts.delete(wallet(`${label} position 0`))
    return mint
  })

/** Nine tenths and more of the money is locked for good, for sellers who take less than a third of the price. */
const lockedBelow = (label: string, kind: "clmm" | "whirlpool"): Scenario =>
  sync((world) => {
    const providers = [
      { owner: DEPLOYER, sol: 190, ticks: [near - 13_000, near - 12_100] as const },
      { owner: DEPLOYER, sol: 8, ticks: [near - 640, near + 640] as const }
    ]
    const { mint } = placeRange(world, { label, kind, sol: 200, providers })
    burnPositionToken(world, label)
    return mint
  })

const heldBackBelow: Scenario = sync((world) => {
  const providers = [
    { owner: DEPLOYER, sol: 190, from: -130, count: 40 },
    { owner: DEPLOYER, sol: 8, from: -9, count: 10 }
  ]
  const { mint } = placeBins(world, { label: "held back below", providers })
  patch(world, wallet("held back below position 0"), [[7992, 4_000_000_000n]])
  return mint
})

/** A seller gets the price for a thousandth of the money, and less than a third of it for the rest. All of it is locked. */
const hollow = (label: string, kind: "clmm" | "whirlpool"): Scenario =>
  sync((world) => {
    const providers = [
      { owner: DEPLOYER, sol: 199.8, ticks: [near - 13_000, near - 12_100] as const },
      { owner: DEPLOYER, sol: 0.2, ticks: [near - 640, near + 640] as const }
    ]
    const { mint } = placeRange(world, { label, kind, sol: 200, providers })
    for (const index of [0, 1]) burnPositionToken(world, label, { position: index })
    return mint
  })

const hollowPair: Scenario = sync((world) => {
  const providers = [
    { owner: DEPLOYER, sol: 199.8, from: -130, count: 40 },
    { owner: DEPLOYER, sol: 0.2, from: -9, count: 10 }
  ]
  const { mint } = placeBins(world, { label: "hollow pair", providers })
  for (const index of [0, 1]) patch(world, wallet(`hollow pair position ${index}`), [[7992, 4_000_000_000n]])
  return mint
})

const young =
  (scenario: Scenario): Scenario =>
  (world) =>
    Effect.tap(scenario(world), (mint) =>
      Effect.sync(() => {
        const pairs = world.pairs.get(mint) ?? []
        world.pairs.set(
          mint,
          pairs.map((pair) => ({ ...pair, createdAt: -29 * DAY }))
        )
      })
    )

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
  "narrow positions of little money hide whose the money is": whirlpool("narrow", narrow),
  "narrow positions hide that the node does not list the one with most of a Whirlpool's money": wideUnlisted(
    "narrow, wide unlisted",
    "whirlpool"
  ),
  "narrow positions hide that the node does not list the one with most of a CLMM pool's money": wideUnlisted(
    "narrow, wide unlisted, CLMM",
    "clmm"
  ),
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
  "a Whirlpool's one position is somebody's, beside accounts that are no positions": besideOrders(
    "orders",
    "whirlpool"
  ),
  "a CLMM pool's one position is somebody's, beside accounts that are no positions": besideOrders(
    "clmm orders",
    "clmm"
  ),
  "a pair's one position is somebody's, beside accounts that are no positions": ordersInPair,
  "locked bids far below the price, and a little at it that is somebody's: a Whirlpool": lockedBelow(
    "below",
    "whirlpool"
  ),
  "locked bids far below the price, and a little at it that is somebody's: a CLMM pool": lockedBelow(
    "clmm below",
    "clmm"
  ),
  "locked bids at the price alone, and nine tenths below it that are somebody's": sync((world) => {
    const [label, own] = [
      "alone",
      { owner: DEPLOYER, sol: 190, ticks: [near - 12_000, near - 3_000] as const }
    ]
    const kept = { owner: DEPLOYER, sol: 8, ticks: [near - 640, near + 640] as const }
    const { mint } = placeRange(world, { label, sol: 200, providers: [kept, own] })
    burnPositionToken(world, label)
    return mint
  }),
  "bids held back for years far below the price, and a little at it that is somebody's": heldBackBelow,
  "a thousandth of the locked money is bid at the price, and the rest far below: a Whirlpool": hollow(
    "hollow",
    "whirlpool"
  ),
  "a thousandth of the locked money is bid at the price, and the rest far below: a CLMM pool": hollow(
    "hollow clmm",
    "clmm"
  ),
  "a thousandth of the locked money is bid at the price, and the rest far below: a pair": hollowPair,
  "three hundred positions that nobody has seen for a month": young(crowded("young crowd", "whirlpool")),
  "three hundred positions, and the node does not say whose the largest are": (world) =>
    Effect.tap(crowded("silent crowd", "whirlpool")(world), () =>
      Effect.sync(() => {
        for (const index of many(300, (position) => position))
          world.largest.delete(wallet(`silent crowd position ${index} mint`))
      })
    ),
  "positions add up to ten times what their Whirlpool counts": whirlpool(
    "too much",
    many(12, (index) => ({ owner: stranger(index), sol: 3 + index * 0.4 })),
    { counted: 0.1 }
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
    burnPositionToken(world, label, { mintAuthority: DEPLOYER })
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
