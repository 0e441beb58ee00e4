/** Pools that take none of the token back: whoever buys in them sells elsewhere. */
import * as at from "../../../src/screening/solana/addresses.ts"
import type { PlacedToken } from "./clean-token.ts"
import { pairOf, SUPPLY } from "./clean-token.ts"
import { encodeMint, encodeTokenAccount, extended, programAddress, wallet } from "./encode.ts"
import type { FakeWorld } from "./fake-world.ts"
import { fluxBeamPool } from "./fluxbeam-pool.ts"
import { LP } from "./scenarios.ts"

/** A pool of 200,000 dollars whose vault of the token demands a memo that no swap writes. The token is one of Token-2022. */
export const placeGuarded = (world: FakeWorld, { mint }: PlacedToken): void => {
  const [pool, lpMint] = [wallet("guarded pool"), wallet("guarded LP tokens")]
  const [tokenVault, quoteVault] = [wallet("guarded tokens"), wallet("dollars beside them")]
  const [authority, dollars] = [programAddress("a pool's authority"), 200_000n]
  const sides = { mint, quote: at.USDC, tokenVault, quoteVault, lpMint }
  world.accounts.set(pool, fluxBeamPool({ ...sides, fee: 30n, owners: 0n }))
  const vault = encodeTokenAccount(mint, authority, SUPPLY / 100n)
  world.accounts.set(tokenVault, extended(vault, [[8, Uint8Array.of(1)]]))
  world.accounts.set(quoteVault, encodeTokenAccount(at.USDC, authority, dollars * 1_000_000n))
  world.accounts.set(lpMint, encodeMint({ supply: LP, decimals: 9 }))
  const said = { dexId: "fluxbeam", labels: [], priceUsd: null, liquidityQuote: Number(dollars) }
  world.pairs.set(mint, [...(world.pairs.get(mint) ?? []), pairOf(pool, at.USDC, said)])
}
