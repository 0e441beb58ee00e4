/** LP tokens of the clean token's pool at Raydium's Burn & Earn, which keeps them and gives out what they gain. */
import { associatedTokenAccount } from "../../../src/chain/program-address.ts"
import * as at from "../../../src/screening/solana/addresses.ts"
import type { PlacedToken } from "./clean-token.ts"
import { SUPPLY } from "./clean-token.ts"
import { anchored, u128, wallet } from "./encode.ts"
import type { FakeWorld } from "./fake-world.ts"
import type { Scenario } from "./scenarios.ts"
import { changed, LP, patch, withLpHolders } from "./scenarios.ts"

/** What the clean token's pool multiplies to. */
const PRODUCT = (SUPPLY / 2n) * 50_000_000_000n

/** A lock of so many of them, which was harvested last when the pool's product was a part of today's. */
export const placeEarningLock = (
  world: FakeWorld,
  { lpMint, pool }: Pick<PlacedToken, "lpMint" | "pool">,
  amount = LP,
  part = 1n
): void => {
  const lock = anchored(at.TIME_LOCKERS.raydiumBurnAndEarn, "LockedCpLiquidityState", 256, [
    [8, amount],
    [32, LP],
    [40, u128(PRODUCT / part)],
    [64, pool],
    [160, lpMint]
  ])
  world.accounts.set(wallet(`earning lock of ${pool}`), lock)
}

/** All LP tokens there, with the lock that somebody makes. */
export const burnAndEarn = (lock: (world: FakeWorld, placed: PlacedToken) => void): Scenario =>
  changed(
    (world, placed) => {
      withLpHolders(world, placed, [[at.RAYDIUM_BURN_AND_EARN, 1000]])
      lock(world, placed)
    },
    { lpLeft: LP }
  )

/** As many LP tokens as a pool's first deposit makes: none has gained anything. */
export const asFirstMade = (world: FakeWorld, { lpMint, pool }: PlacedToken): void => {
  const made = BigInt(Math.round(Math.sqrt(Number(PRODUCT))))
  patch(world, pool, [[333, made]])
  patch(world, lpMint, [[36, made]])
  patch(world, associatedTokenAccount(at.RAYDIUM_BURN_AND_EARN, lpMint, at.TOKEN_PROGRAM), [[64, made]])
}
