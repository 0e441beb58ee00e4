import type { SolanaAddress } from "../../../src/domain/address.ts"
import * as at from "../../../src/screening/solana/addresses.ts"
import { whirlpoolOracle } from "../../../src/screening/solana/reads/pdas.ts"
import { placeRange } from "./concentrated.ts"
import { account, anchorType, bytes, u16, wallet } from "./encode.ts"
import type { FakeWorld } from "./fake-world.ts"
import { patch } from "./scenarios.ts"

/** A Whirlpool of thirty providers with an oracle, as pools with adaptive fees have one. */
export const placeAdaptive = (
  world: FakeWorld,
  label: string,
  terms: Parameters<typeof bytes>[1]
): SolanaAddress => {
  const { mint, pool } = placeRange(world, {
    label,
    sol: 200,
    providers: Array.from({ length: 30 }, (_, index) => ({
      owner: wallet(`provider ${index}`),
      sol: 4 + index * 0.35
    }))
  })
  // A tier is named by its spacing where it is plain, by a number above all spacings where it is not.
  patch(world, pool, [[43, u16(1_027)]])
  world.accounts.set(
    whirlpoolOracle(pool),
    account(at.program.orcaWhirlpool, bytes(254, [[0, anchorType("Oracle")], [8, pool], ...terms]))
  )
  return mint
}
