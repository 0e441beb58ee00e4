/** A pool whose price nobody here can tell. */
import * as at from "../../../src/screening/solana/addresses.ts"
import type { SolanaAddress } from "../../../src/domain/address.ts"
import { meteoraVaultLpMint } from "../../../src/screening/solana/reads/pdas.ts"
import { DAY, pairOf } from "./clean-token.ts"
import { anchored, encodeMint, encodeTokenAccount, programAddress, wallet } from "./encode.ts"
import type { FakeWorld } from "./fake-world.ts"
import { placeSolPrice } from "./launches.ts"
import { LP } from "./scenarios.ts"

/** A stable pool of DAMM v1 with so much of two lending vaults, smallest units: a dollar's worth unless said otherwise. */
export const placeStable = (
  world: FakeWorld,
  mint: SolanaAddress,
  amounts: readonly [tokens: bigint, lamports: bigint] = [10_000_000n, 10_000_000n]
): void => {
  placeSolPrice(world)
  const [pool, lpMint] = [wallet("stable dust"), wallet("stable dust's LP tokens")]
  const sides = [mint, at.WSOL].map((side, index) => {
    const vault = programAddress(`vault ${index} of dust`)
    const shares = wallet(`shares ${index} of dust`)
    const vaultLpMint = meteoraVaultLpMint(vault)
    world.accounts.set(
      vault,
      anchored(at.program.meteoraVault, "Vault", 1227, [
        [8, 1],
        [11, amounts[index] ?? 0n],
        [83, side]
      ])
    )
    world.accounts.set(vaultLpMint, encodeMint({ supply: 1000n }))
    world.accounts.set(shares, encodeTokenAccount(vaultLpMint, pool, 1000n))
    return { vault, shares }
  })
  world.accounts.set(
    pool,
    anchored(at.program.meteoraDammV1, "Pool", 944, [
      [8, lpMint],
      [40, mint],
      [72, at.WSOL],
      ...sides.flatMap(({ shares, vault }, index) => [
        [104 + 32 * index, vault] as const,
        [168 + 32 * index, shares] as const
      ]),
      [233, 1],
      [874, 1]
    ])
  )
  world.accounts.set(lpMint, encodeMint({ supply: LP }))
  const pairs = world.pairs.get(mint) ?? []
  world.pairs.set(mint, [
    ...pairs,
    pairOf(pool, at.WSOL, { priceUsd: null, liquidityUsd: 2, createdAt: -DAY })
  ])
}
