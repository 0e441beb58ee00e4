/** Supply that its maker keeps where it looks like a curve's, and can take out any day. */
import { Effect } from "effect"
import { SolanaAddress } from "../../../../src/domain/address.ts"
import * as at from "../../../../src/screening/solana/addresses.ts"
import { deriveAddresses } from "../../../../src/screening/solana/reads/pdas.ts"
import type { PlacedToken } from "../clean-token.ts"
import { DEPLOYER, SUPPLY, pairOf, placeCpmm } from "../clean-token.ts"
import { anchored, encodeTokenAccount, laidOut, programAddress, u128, wallet } from "../encode.ts"
import type { FakeWorld } from "../fake-world.ts"
import { placeGraduate } from "../launches.ts"
import type { Scenario } from "../scenarios.ts"
import { changed, holdersOf, patch, withCrowd } from "../scenarios.ts"

const HALF = SUPPLY / 2n
const DBC_AUTHORITY = SolanaAddress.make("FhVo3mqL8PW5pH5U2CN4XE33DokiyZnUwuGpH2hmHLuM")

/** Takes half of the supply out of the clean token's pool and puts it into an account of this owner's. */
const moveHalf = (world: FakeWorld, placed: PlacedToken, account: SolanaAddress, owner: SolanaAddress) => {
  const { pool, others } = withCrowd(world, placed, 13)
  world.accounts.set(account, encodeTokenAccount(placed.mint, owner, HALF))
  patch(world, placed.tokenVault, [[64, pool.amount - HALF]])
  world.largest.set(placed.mint, [
    { address: account, amount: HALF },
    { ...pool, amount: pool.amount - HALF },
    ...others
  ])
}

/** Whoever mints the quote buys the curve out for nothing. */
const onCurveFor = (quote: SolanaAddress): Scenario =>
  changed((world, placed) => {
    const [curve, config, vault] = [wallet("own curve"), wallet("own config"), wallet("own curve's vault")]
    moveHalf(world, placed, vault, DBC_AUTHORITY)
    world.accounts.set(wallet("own quote vault"), encodeTokenAccount(quote, DBC_AUTHORITY, 1_000_000n))
    world.accounts.set(
      curve,
      anchored(at.program.meteoraDbc, "VirtualPool", 424, [
        [72, config],
        [104, DEPLOYER],
        [136, placed.mint],
        [168, vault],
        [200, wallet("own quote vault")],
        [232, HALF],
        [240, 1_000_000n],
        [280, u128(1n << 60n)]
      ])
    )
    world.accounts.set(
      config,
      anchored(at.program.meteoraDbc, "PoolConfig", 1048, [
        [8, quote],
        [104, 10_000_000n],
        [264, 85_000_000_000n],
        [408, u128(1n << 90n)],
        [424, u128(1n << 100n)]
      ])
    )
    const pairs = world.pairs.get(placed.mint) ?? []
    world.pairs.set(placed.mint, [...pairs, pairOf(curve, quote, { priceUsd: null, liquidityUsd: 10 })])
  })

/** Whoever holds much of the quote buys the pool out with coins that are worth nothing once they are sold. */
const forOwnCoin: Scenario = changed((world, placed) => {
  const quote = placeGraduate(world, {
    label: "own quote",
    sol: 250,
    holders: [[wallet("maker of the quote"), 300], ...holdersOf(10, 5)]
  })
  world.accounts.set(
    deriveAddresses(quote).curve,
    laidOut(at.program.pumpCurve, 151, [
      [0, Uint8Array.of(23, 183, 248, 55, 96, 216, 172, 96)],
      [48, 1]
    ])
  )
  const [pool, vault] = [wallet("own quote's pool"), wallet("own quote's pool's vault")]
  moveHalf(world, placed, vault, pool)
  Effect.runSync(
    placeCpmm(world, {
      mint: placed.mint,
      pool,
      lpMint: wallet("own quote's lp"),
      vaults: [vault, wallet("own quote's pool's quote vault")],
      quote,
      tokens: HALF,
      quoteAmount: 317_000_000_000_000n,
      lpLeft: 0n,
      lpOwner: DEPLOYER
    })
  )
  const pairs = world.pairs.get(placed.mint) ?? []
  world.pairs.set(placed.mint, [...pairs, pairOf(pool, quote, { priceUsd: null, liquidityUsd: 10 })])
})

export const deposits: Readonly<Record<string, Scenario>> = {
  "half of the supply lies on a curve against somebody's own coin": onCurveFor(wallet("coin of nobody's")),
  "half of the supply lies under one user's account at pump.fun, who can claim it": changed(
    (world, placed) => {
      const accumulator = programAddress("accumulator of a user's volume")
      moveHalf(world, placed, wallet("accumulator's tokens"), accumulator)
      world.accounts.set(
        accumulator,
        anchored(at.program.pumpCurve, "UserVolumeAccumulator", 137, [[8, DEPLOYER]])
      )
    }
  ),
  "half of the supply lies in a pool against a coin that one party could halve": forOwnCoin
}
