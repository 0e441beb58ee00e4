/** Pools of FluxBeam, whose LP tokens are a Token-2022 mint that their maker brings along. */
import * as at from "../../../../src/screening/solana/addresses.ts"
import { SUPPLY } from "../clean-token.ts"
import type { MintOptions } from "../encode.ts"
import { encodeMint, laidOut, wallet } from "../encode.ts"
import { placeToken } from "../launches.ts"
import type { Scenario } from "../scenarios.ts"
import { LP, sync, withLpHolders } from "../scenarios.ts"

/**
 * A pool of 200 SOL whose LP tokens are burned. `fee` and `owners`, which its owner gets, in ten-thousandths; `lp`: what
 * somebody made of their mint.
 */
export const fluxBeam = (
  label: string,
  {
    fee = 30n,
    lp,
    owners = 0n
  }: { readonly fee?: bigint; readonly lp?: MintOptions; readonly owners?: bigint }
): Scenario =>
  sync((world) => {
    const lpMint = wallet(`${label} lp`)
    const placed = placeToken(
      world,
      { label, tokens: SUPPLY / 5n, quoteAmount: 200_000_000_000n },
      ({ mint, quote, quoteVault, tokenVault }) =>
        laidOut(at.program.fluxBeam, 324, [
          [0, 1],
          [1, 1],
          [35, tokenVault],
          [67, quoteVault],
          [99, lpMint],
          [131, mint],
          [163, quote],
          [227, fee],
          [235, 10_000n],
          [243, owners],
          [251, 10_000n]
        ])
    )
    withLpHolders(world, { ...placed, lpMint }, [[at.INCINERATOR, 1000]])
    if (lp !== undefined) world.accounts.set(lpMint, encodeMint({ supply: LP, decimals: 9, ...lp }))
    return placed.mint
  })
