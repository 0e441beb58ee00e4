/** Tokens that a stake pool mints for stake. */
import { SolanaAddress } from "../../../src/domain/address.ts"
import { stakePoolAuthority } from "../../../src/screening/solana/reads/pdas.ts"
import { STAKE_POOL_PROGRAMS } from "../../../src/screening/solana/power/stake-pool.ts"
import { SUPPLY } from "./clean-token.ts"
import { account, bytes, wallet } from "./encode.ts"
import { placeSolPrice } from "./launches.ts"
import type { Scenario } from "./scenarios.ts"
import { changed } from "./scenarios.ts"

const PROGRAM = STAKE_POOL_PROGRAMS[0] ?? SolanaAddress.make("")
const POOL = wallet("stake pool")
/** Lamports that make the clean token worth what its pool pays, at 150 dollars per SOL. */
const BACKING = 666_666_666_667n

/** The clean token as a stake pool's, which trades at so many times what minting it costs. */
export const stakePoolToken = (times: number): Scenario =>
  changed(
    (world, { mint }) => {
      placeSolPrice(world)
      world.accounts.set(
        POOL,
        account(
          PROGRAM,
          bytes(611, [
            [0, 1],
            [162, mint],
            [258, BACKING / BigInt(times)],
            [266, SUPPLY]
          ])
        )
      )
    },
    { mint: { mintAuthority: stakePoolAuthority(PROGRAM, POOL) } }
  )
