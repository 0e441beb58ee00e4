/** LP tokens in an escrow of Streamflow's, which owns itself. */
import * as at from "../../../src/screening/solana/addresses.ts"
import { DEPLOYER } from "./clean-token.ts"
import type { Part } from "./encode.ts"
import { encodeMint, encodeTokenAccount, laidOut, programAddress, wallet } from "./encode.ts"
import type { Scenario } from "./scenarios.ts"
import { changed, LP, withLpHolders } from "./scenarios.ts"

/** All LP tokens under one contract, which lets go of them at its end; `terms`: what else it says. */
export const streamedLp = (terms: ReadonlyArray<Part> = [], end = 4_000_000_000n): Scenario =>
  changed(
    (world, placed) => {
      withLpHolders(world, placed, [])
      world.accounts.set(placed.lpMint, encodeMint({ supply: LP, decimals: 9 }))
      const escrow = programAddress("escrow of LP tokens")
      world.accounts.set(escrow, encodeTokenAccount(placed.lpMint, escrow, LP))
      world.largest.set(placed.lpMint, [{ address: escrow, amount: LP }])
      world.accounts.set(
        wallet("contract about LP tokens"),
        laidOut(at.TIME_LOCKERS.streamflow, 1104, [
          [33, end],
          [49, DEPLOYER],
          [113, DEPLOYER],
          [177, placed.lpMint],
          [209, escrow],
          [417, LP],
          [425, 1n],
          [441, end - 1n],
          ...terms
        ])
      )
    },
    { lpLeft: LP }
  )
