/** A whale beside a pool that looks endless, and ends a step below the price. */
import * as at from "../../../../src/screening/solana/addresses.ts"
import type { PlacedToken } from "../clean-token.ts"
import { pairOf, SUPPLY } from "../clean-token.ts"
import { encodeTokenAccount, u128, wallet } from "../encode.ts"
import type { FakeWorld } from "../fake-world.ts"
import { dammV2 } from "../launches.ts"
import type { Scenario } from "../scenarios.ts"
import { changed, holdersOf, withHolders } from "../scenarios.ts"

/**
 * A DAMM v2 pool at the price of the clean token's own, of any liquidity in a range so narrow that some dollars fill it.
 * Dollars: what the clean token's pool holds, beside this part of the supply.
 */
const placeEndless = (world: FakeWorld, { mint }: PlacedToken, dollars: number, tokens: bigint): void => {
  const price = (dollars * 1e6) / Number(tokens)
  const place = {
    mint,
    quote: at.USDC,
    pool: wallet("endless"),
    tokenVault: wallet("endless' tokens"),
    quoteVault: wallet("endless' dollars")
  }
  const pool = dammV2({ price, quoteAmount: 1_000_000_000_000_000n })(place)
  const data = Uint8Array.from(pool.data)
  data.set(u128(BigInt(Math.round(Math.sqrt(price) * 0.999_999 * 2 ** 52)) << 12n), 424)
  world.accounts.set(place.pool, { ...pool, data })
  world.accounts.set(place.tokenVault, encodeTokenAccount(mint, place.pool, 1_000_000_000n))
  world.accounts.set(place.quoteVault, encodeTokenAccount(at.USDC, place.pool, 1_000_000_000n))
  const pairs = world.pairs.get(mint) ?? []
  world.pairs.set(mint, [...pairs, pairOf(place.pool, at.USDC, { priceUsd: null, liquidityUsd: 1000 })])
}

export const endless: Readonly<Record<string, Scenario>> = {
  "one wallet holds 35 %, and a pool of a thousand dollars looks as if it could take all of it": changed(
    (world, placed) => {
      withHolders(world, placed, [[wallet("whale"), 350], ...holdersOf(18, (index) => 4 - index * 0.05)], 420)
      placeEndless(world, placed, 50_000, (SUPPLY * 42n) / 100n)
    }
  )
}
