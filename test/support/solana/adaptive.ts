import type { SolanaAddress } from "../../../src/domain/address.ts"
import * as at from "../../../src/screening/solana/addresses.ts"
import { whirlpoolOracle } from "../../../src/screening/solana/reads/pdas.ts"
import { placeRange } from "./concentrated.ts"
import type { Part } from "./encode.ts"
import { anchored, u16, u32, wallet } from "./encode.ts"
import type { FakeWorld } from "./fake-world.ts"
import { patch } from "./scenarios.ts"

/** The constants of a tier whose fee rises to 10 % while the price moves. */
export const ADAPTIVE_TIER = [
  [48, u16(30)],
  [50, u16(600)],
  [52, u16(5000)],
  [54, u32(90_000)],
  [58, u32(350_000)],
  [62, u16(64)]
] as const

/** A Whirlpool of thirty providers with an oracle, as pools with adaptive fees have one. */
export const placeAdaptive = (world: FakeWorld, label: string, terms: ReadonlyArray<Part>): SolanaAddress => {
  const { mint, pool } = placeRange(world, {
    label,
    sol: 200,
    providers: Array.from({ length: 30 }, (_, index) => ({
      owner: wallet(`provider ${index}`),
      sol: 4 + index * 0.35
    }))
  })
  // A tier is named by its spacing where it is plain, by a number above all spacings where it is not.
  patch(world, pool, [
    [8, wallet("own tiers")],
    [43, u16(1_027)]
  ])
  world.accounts.set(
    whirlpoolOracle(pool),
    anchored(at.program.orcaWhirlpool, "Oracle", 254, [[8, pool], ...terms])
  )
  return mint
}
