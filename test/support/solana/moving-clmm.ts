/** A CLMM pool of many providers whose maker chose a fee that grows while the price moves. */
import { placeRange } from "./concentrated.ts"
import { u16, u32 } from "./encode.ts"
import type { Scenario } from "./scenarios.ts"
import { holdersOf, patch, sync } from "./scenarios.ts"

/** `control` is how steeply it grows; at 1 and the most movement it counts, it adds 44 millionths. */
export const movingClmm = (label: string, control: number): Scenario =>
  sync((world) => {
    const providers = holdersOf(30, (index) => 4 + index * 0.35).map(([owner, sol]) => ({ owner, sol }))
    const { mint, pool } = placeRange(world, { label, kind: "clmm", sol: 200, providers })
    patch(world, pool, [
      [1096, u16(30)],
      [1098, u16(600)],
      [1100, u16(5000)],
      [1102, u32(control)],
      [1106, u32(350_000)]
    ])
    return mint
  })
