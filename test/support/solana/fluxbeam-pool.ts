import type { SolanaAccount } from "../../../src/chain/chain-rpc.ts"
import type { SolanaAddress } from "../../../src/domain/address.ts"
import * as at from "../../../src/screening/solana/addresses.ts"
import { laidOut } from "./encode.ts"

/** A pool of FluxBeam's; `fee` and `owners`: parts of 10,000 that liquidity and the owner get of a swap. */
export const fluxBeamPool = (pool: {
  readonly mint: SolanaAddress
  readonly quote: SolanaAddress
  readonly tokenVault: SolanaAddress
  readonly quoteVault: SolanaAddress
  readonly lpMint: SolanaAddress
  readonly fee: bigint
  readonly owners: bigint
}): SolanaAccount =>
  laidOut(at.program.fluxBeam, 324, [
    [0, 1],
    [1, 1],
    [35, pool.tokenVault],
    [67, pool.quoteVault],
    [99, pool.lpMint],
    [131, pool.mint],
    [163, pool.quote],
    [227, pool.fee],
    [235, 10_000n],
    [243, pool.owners],
    [251, 10_000n]
  ])
