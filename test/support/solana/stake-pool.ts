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

/** Where the pool's fee on withdrawn stake stands, and the next one, where nothing before them is set. */
const [FEE, NEXT_FEE] = [365, 381] as const
const THOUSAND = 1000n

/**
 * The clean token as a stake pool's, which trades at so many times what minting it costs. `kept`: thousandths of the stake
 * that whoever withdraws it leaves to the manager, now or from the next epoch but one on.
 */
export const stakePoolToken = (
  times: number,
  kept: { readonly now?: bigint; readonly next?: bigint } = {}
): Scenario =>
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
            [266, SUPPLY],
            [FEE, THOUSAND],
            [FEE + 8, kept.now ?? 1n],
            ...(kept.next === undefined
              ? []
              : ([
                  [NEXT_FEE, 2],
                  [NEXT_FEE + 1, THOUSAND],
                  [NEXT_FEE + 9, kept.next]
                ] as const))
          ])
        )
      )
    },
    { mint: { mintAuthority: stakePoolAuthority(PROGRAM, POOL) } }
  )
