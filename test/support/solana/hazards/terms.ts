/** What the token and its pools themselves forbid or tax. */
import * as at from "../../../../src/screening/solana/addresses.ts"
import { associatedTokenAccount } from "../../../../src/screening/solana/reads/pdas.ts"
import { DEPLOYER } from "../clean-token.ts"
import { bytes, programAddress, u16, wallet } from "../encode.ts"
import { damm } from "./damm.ts"
import { placeGraduate } from "../launches.ts"
import type { Scenario } from "../scenarios.ts"
import { changed, holdersOf, patch, sync, withHolders } from "../scenarios.ts"

const FAR = 4_000_000_000n

const transferFee = (bps: number) => {
  const value = bytes(108, [
    [80, 10n ** 18n],
    [88, u16(bps)],
    [98, 10n ** 18n],
    [106, u16(bps)]
  ])
  return changed(() => undefined, { mint: { extensions: [[1, value]] } })
}

export const terms: Readonly<Record<string, Scenario>> = {
  "DAMM v2 takes 99 % for ever": damm("fee", { cliff: 990_000_000n, feeVersion: 1 }),
  "DAMM v2 takes 50 % for ever": damm("half", { cliff: 500_000_000n }),
  "DAMM v2 takes 60 % now, falling within the day": damm("falling", {
    cliff: 600_000_000n,
    feeVersion: 1,
    fee: { mode: 0, periods: 100, every: 864n, reduction: 5_900_000n },
    activation: 1_789_999_000n
  }),
  "DAMM v2 is disabled": damm("off", { status: 1 }),
  "DAMM v2 opens in a hundred years": damm("later", { activation: FAR }),
  "CPMM has its swaps off": changed((world, { pool }) => patch(world, pool, [[329, 4]])),
  "CPMM opens in a hundred years": changed((world, { pool }) => patch(world, pool, [[373, FAR]])),
  "the pool's token vault is frozen": changed((world, { tokenVault }) =>
    patch(world, tokenVault, [[108, 2]])
  ),
  "the pool's quote vault is frozen": changed((world, { quoteVault }) =>
    patch(world, quoteVault, [[108, 2]])
  ),
  "a holder's account is frozen": changed((world, placed) => {
    withHolders(
      world,
      placed,
      holdersOf(15, (index) => 20 - index)
    )
    patch(world, associatedTokenAccount(wallet("party 3"), placed.mint, at.TOKEN_PROGRAM), [[108, 2]])
  }),
  "PumpSwap's creator takes 90 %": sync((world) =>
    placeGraduate(world, { label: "greedy", sol: 80, creatorFeeBps: 9000n })
  ),
  "a transfer fee of 9.99 % for ever": transferFee(999),
  "a transfer fee of 30 % for ever": transferFee(3000),
  "a mint authority": changed(() => undefined, { mint: { mintAuthority: DEPLOYER } }),
  "a mint authority that is a program's": changed(() => undefined, {
    mint: { mintAuthority: programAddress("minter") }
  }),
  "a freeze authority": changed(() => undefined, { mint: { freezeAuthority: DEPLOYER } })
}
