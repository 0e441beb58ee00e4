/** Positions of many owners, all of which one key may empty. */
import { placeBins, placeDammPositions } from "../concentrated.ts"
import { DEPLOYER } from "../clean-token.ts"
import { u16, wallet } from "../encode.ts"
import type { Scenario } from "../scenarios.ts"
import { patch, sync } from "../scenarios.ts"

const OWNERS = Array.from({ length: 12 }, (_, index) => index)
const owner = (index: number) => wallet(`operated owner ${index}`)

const inPair = (index: number, sol: number) => ({
  owner: owner(index),
  sol,
  from: -66 + index,
  count: 55
})

/** What the owners of DAMM v2 positions allow one delegate, one bit each. */
const WITHDRAW = 0b10
const WITHDRAW_TO_OWNER = 0b100
const NEW = 0b1_0000_0000

const inDammV2 = (label: string, permission: Uint8Array): Scenario =>
  sync(
    (world) =>
      placeDammPositions(
        world,
        label,
        OWNERS.map((index) => ({
          owner: owner(index),
          share: (5 + index) / 126,
          delegate: { to: DEPLOYER, permission }
        }))
      ).mint
  )

export const operated: Readonly<Record<string, Scenario>> = {
  "twelve owners of positions let one key operate them": sync(
    (world) =>
      placeBins(world, {
        label: "operated",
        providers: OWNERS.map((index) => inPair(index, 10 + index)),
        operator: DEPLOYER
      }).mint
  ),
  "twelve owners of positions let one key operate them, and others what is dust": sync((world) => {
    const label = "operated beside dust"
    const { mint } = placeBins(world, {
      label,
      providers: [
        ...OWNERS.map((index) => inPair(index, 0.001)),
        ...OWNERS.map((index) => inPair(index, 10 + index))
      ],
      operator: DEPLOYER
    })
    for (const index of OWNERS)
      patch(world, wallet(`${label} position ${index}`), [[7960, wallet(`other operator ${index}`)]])
    return mint
  }),
  "twelve owners of DAMM v2 positions let one key withdraw them": inDammV2("withdrawn by one", u16(WITHDRAW)),
  "twelve owners of DAMM v2 positions let one key withdraw them, to themselves": inDammV2(
    "sent back by one",
    u16(WITHDRAW_TO_OWNER)
  ),
  "twelve owners of DAMM v2 positions let one key do with them what nobody here knows": inDammV2(
    "newly allowed",
    u16(NEW)
  )
}
