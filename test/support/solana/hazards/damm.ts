/** A launch on DAMM v2, changed. */
import { SUPPLY } from "../clean-token.ts"
import { dammV2, placeToken } from "../launches.ts"
import type { Scenario } from "../scenarios.ts"
import { sync } from "../scenarios.ts"

export const damm = (label: string, options: Partial<Parameters<typeof dammV2>[0]>): Scenario =>
  sync(
    (world) =>
      placeToken(
        world,
        { label, tokens: SUPPLY / 5n, quoteAmount: 200_000_000_000n },
        dammV2({ price: 200e9 / (Number(SUPPLY) / 5), quoteAmount: 200_000_000_000n, ...options })
      ).mint
  )
