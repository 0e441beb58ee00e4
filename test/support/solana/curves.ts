/** Launch curves of Meteora and Raydium. */
import { SolanaAddress } from "../../../src/domain/address.ts"
import * as at from "../../../src/screening/solana/addresses.ts"
import { DEPLOYER, SUPPLY } from "./clean-token.ts"
import { anchored, encodeTokenAccount, laidOut, u128, wallet } from "./encode.ts"
import type { FakeWorld } from "./fake-world.ts"
import { placeToken } from "./launches.ts"

/** A launch on Meteora's curve: 12 of 85 SOL raised. `terms` are bytes of its configuration. */
export const placeDbc = (
  world: FakeWorld,
  label: string,
  terms: ReadonlyArray<readonly [offset: number, bytes: Uint8Array | number | bigint]> = []
): SolanaAddress => {
  const config = wallet(`${label} config`)
  const price = 40e9 / 9e14
  const placed = placeToken(
    world,
    { label, tokens: (SUPPLY * 7n) / 10n, quoteAmount: 12_000_000_000n },
    ({ mint, quoteVault, tokenVault }) =>
      anchored(at.program.meteoraDbc, "VirtualPool", 424, [
        [72, config],
        [104, DEPLOYER],
        [136, mint],
        [168, tokenVault],
        [200, quoteVault],
        [232, (SUPPLY * 7n) / 10n],
        [240, 12_000_000_000n],
        [280, u128(BigInt(Math.round(Math.sqrt(price) * 2 ** 60)) << 4n)]
      ])
  )
  world.accounts.set(
    config,
    anchored(at.program.meteoraDbc, "PoolConfig", 1048, [
      [8, at.WSOL],
      [104, 10_000_000n],
      [235, 6],
      [264, 85_000_000_000n],
      [408, u128(1n << 90n)],
      [424, u128(BigInt(Math.round(Math.sqrt(40e9 * 9e14))) << 64n)],
      ...terms
    ])
  )
  world.accounts.set(
    placed.tokenVault,
    encodeTokenAccount(
      placed.mint,
      SolanaAddress.make("FhVo3mqL8PW5pH5U2CN4XE33DokiyZnUwuGpH2hmHLuM"),
      (SUPPLY * 7n) / 10n
    )
  )
  return placed.mint
}

/** Three tenths of the supply, sold for 85 SOL per half of it, or at a price that has grown evenly to twice that. */
export const AT_ONE_PRICE = {
  quote: at.WSOL,
  raised: 51_000_000_000n,
  virtual: 0n,
  curve: { type: 1, terms: [SUPPLY / 2n, 85_000_000_000n] }
} as const
export const AT_A_GROWING_PRICE = {
  ...AT_ONE_PRICE,
  curve: { type: 2, terms: [(2n * 51_000_000_000n * 2n ** 64n) / ((SUPPLY * 3n) / 10n) ** 2n, 0n] }
} as const

/** A launch on LaunchLab by a platform that takes 1 % unless said otherwise, in millionths. */
export const placeLaunchLab = (
  world: FakeWorld,
  plan: {
    readonly label: string
    readonly quote: SolanaAddress
    readonly raised: bigint
    readonly virtual: bigint
    readonly platformFee?: bigint
    /** Tokens set aside for the creator, free at the curve's end. */
    readonly setAside?: bigint
    /** 0 a constant product, 1 one price for all, 2 a price that grows evenly; `terms` are then the program's own. */
    readonly curve?: { readonly type: number; readonly terms: readonly [a: bigint, b: bigint] }
    /** Owners of what was sold, in parts of a thousand of the supply. */
    readonly holders?: ReadonlyArray<readonly [owner: SolanaAddress, perMille: number]>
  }
): SolanaAddress => {
  const { label, quote, raised, virtual } = plan
  const [config, platform] = [wallet(`${label} config`), wallet(`${label} platform`)]
  world.accounts.set(
    config,
    laidOut(at.program.raydiumLaunchLab, 371, [
      [16, plan.curve?.type ?? 0],
      [27, 2_500n]
    ])
  )
  world.accounts.set(
    platform,
    laidOut(at.program.raydiumLaunchLab, 1000, [[104, plan.platformFee ?? 10_000n]])
  )
  return placeToken(
    world,
    {
      label,
      quote,
      tokens: (SUPPLY * 7n) / 10n,
      quoteAmount: raised,
      ...(plan.holders === undefined ? {} : { holders: plan.holders })
    },
    ({ mint, quoteVault, tokenVault }) =>
      anchored(at.program.raydiumLaunchLab, "PoolState", 429, [
        [37, plan.curve?.terms[0] ?? 1_073_000_000_000_000n],
        [45, plan.curve?.terms[1] ?? virtual],
        [53, 300_000_000_000_000n],
        [61, raised],
        [69, raised * 4n],
        [101, plan.setAside ?? 0n],
        [141, config],
        [173, platform],
        [205, mint],
        [237, quote],
        [269, tokenVault],
        [301, quoteVault],
        [333, DEPLOYER]
      ])
  ).mint
}
