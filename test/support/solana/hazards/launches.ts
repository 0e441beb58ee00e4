/** Curves whose terms take more than they show. */
import * as at from "../../../../src/screening/solana/addresses.ts"
import { SUPPLY } from "../clean-token.ts"
import { placeDbc, placeLaunchLab } from "../curves.ts"
import { u16, u32, wallet } from "../encode.ts"
import type { Scenario } from "../scenarios.ts"
import { patch, sync } from "../scenarios.ts"

const lab = (label: string, terms: { readonly platformFee?: bigint; readonly setAside?: bigint }): Scenario =>
  sync((world) =>
    placeLaunchLab(world, {
      label,
      quote: at.WSOL,
      raised: 20_000_000_000n,
      virtual: 30_000_000_000n,
      ...terms
    })
  )

export const launches: Readonly<Record<string, Scenario>> = {
  "a DBC launch leaves 40 % of the supply to its maker": sync((world) =>
    placeDbc(world, "leftover", [
      [244, 1],
      [256, (SUPPLY * 3n) / 10n],
      [272, (SUPPLY * 3n) / 10n],
      [344, SUPPLY],
      [352, SUPPLY]
    ])
  ),
  "a DBC launch may take 80 % while the price moves": sync((world) =>
    placeDbc(world, "dbc surge", [
      [136, 1],
      [144, u32(14_460_000)],
      [148, u32(3_900_000)],
      [152, u16(1)]
    ])
  ),
  "a DBC launch charges by a rule that nobody here knows": sync((world) =>
    placeDbc(world, "dbc rule", [[130, 3]])
  ),
  "the pool after a DBC launch takes a fee that nobody here knows": sync((world) =>
    placeDbc(world, "dbc next fee", [[243, 7]])
  ),
  "a DBC launch moves on to where nobody here knows": sync((world) =>
    placeDbc(world, "dbc next pool", [[233, 2]])
  ),
  "LaunchLab moves on to where nobody here knows": sync((world) => {
    const plan = { label: "lab next pool", quote: at.WSOL, raised: 20_000_000_000n, virtual: 30_000_000_000n }
    const mint = placeLaunchLab(world, plan)
    patch(world, wallet("lab next pool pool"), [[20, 2]])
    return mint
  }),
  "LaunchLab's platform takes 9 %": lab("greedy platform", { platformFee: 90_000n }),
  "LaunchLab sets 40 % aside for the creator, free at the curve's end": lab("aside", {
    setAside: (SUPPLY * 4n) / 10n
  })
}
