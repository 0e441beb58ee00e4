/** Liquidity in another coin, the market of which somebody can take away. */
import { WSOL } from "../../../../src/screening/solana/addresses.ts"
import { canonicalPumpSwap } from "../../../../src/screening/solana/reads/pdas.ts"
import { placeCoinQuoted, placeManyCoinQuoted } from "../coin-quoted.ts"
import { encodeMint, wallet } from "../encode.ts"
import type { Scenario } from "../scenarios.ts"
import { SUPPLY } from "../clean-token.ts"
import { holdersOf, LP, sync } from "../scenarios.ts"

/** So many thousandths of the LP tokens of the quote's own pool were never burned; null: nobody shows how many. */
const unburned = (label: string, perMille: bigint | null): Scenario =>
  sync((world) => {
    const mint = placeCoinQuoted(world, label)
    const { lpMint } = canonicalPumpSwap(wallet(`${label} quote graduate`), WSOL)
    if (perMille === null) world.accounts.delete(lpMint)
    else world.accounts.set(lpMint, encodeMint({ supply: (LP * perMille) / 1000n, decimals: 9 }))
    return mint
  })

export const quotes: Readonly<Record<string, Scenario>> = {
  "liquidity in a coin of whose own liquidity nothing is locked": unburned("free quote", 1000n),
  "liquidity in a coin of whose own liquidity a third is not locked": unburned("third free quote", 333n),
  "liquidity in a coin of whose own liquidity nobody shows what is locked": unburned("untold quote", null),
  // Its sale leaves more than half of what the pool pays in its coin, and a third of what that coin is worth then.
  "one wallet holds half of what is outside a pool that has three times as much of its coin as the coin's own":
    sync((world) =>
      placeCoinQuoted(
        world,
        "larger than its coin",
        holdersOf(15, (index) => 2 - index * 0.05),
        {
          tokens: (SUPPLY * 6n) / 10n,
          quoteAmount: (SUPPLY * 6n) / 10n,
          holders: [[wallet("whale"), 215], ...holdersOf(15, (index) => 6 - index * 0.2)]
        }
      )
    ),
  // Each of the five could sell its coins for more than a thousand SOL, and all five for three thousand.
  "half of the liquidity is the deployer's, beside five locked pools that one coin's market would pay for":
    sync((world) => placeManyCoinQuoted(world, { label: "one coin for five", count: 5, sol: 2750n }))
}
