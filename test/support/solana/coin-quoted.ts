/** A pump coin quoted in another pump coin. */
import * as at from "../../../src/screening/solana/addresses.ts"
import { deriveAddresses } from "../../../src/screening/solana/reads/pdas.ts"
import type { SolanaAddress } from "../../../src/domain/address.ts"
import { DEPLOYER, SUPPLY } from "./clean-token.ts"
import { anchored, laidOut, wallet } from "./encode.ts"
import type { FakeWorld } from "./fake-world.ts"
import { placeGraduate, placeToken } from "./launches.ts"
import type { holdersOf } from "./scenarios.ts"
import { LP, withLpHolders } from "./scenarios.ts"

/** A PumpSwap pool, its LP burned, whose quote is a graduate with 5,000 SOL in its own pool. */
export const placeCoinQuoted = (
  world: FakeWorld,
  label: string,
  /** Of the quote; small ones where absent. */
  holders?: ReturnType<typeof holdersOf>
): SolanaAddress => {
  const quote = placeGraduate(world, {
    label: `${label} quote`,
    sol: 5000,
    ...(holders === undefined ? {} : { holders })
  })
  world.accounts.set(
    deriveAddresses(quote).curve,
    laidOut(at.program.pumpCurve, 151, [
      [0, Uint8Array.of(23, 183, 248, 55, 96, 216, 172, 96)],
      [48, 1]
    ])
  )
  const lpMint = wallet(`${label} lp`)
  const placed = placeToken(
    world,
    { label, quote, tokens: SUPPLY / 5n, quoteAmount: SUPPLY / 100n },
    ({ mint, quoteVault, tokenVault }) =>
      anchored(at.program.pumpSwap, "Pool", 301, [
        [11, DEPLOYER],
        [43, mint],
        [75, quote],
        [107, lpMint],
        [139, tokenVault],
        [171, quoteVault],
        [203, LP]
      ]),
    { liquidityQuote: Number(SUPPLY / 100n) / 1e6 }
  )
  withLpHolders(world, { ...placed, lpMint }, [])
  return placed.mint
}
