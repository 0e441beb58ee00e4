/** What the token and its pools themselves forbid or tax. */
import { Effect } from "effect"
import * as at from "../../../../src/screening/solana/addresses.ts"
import { associatedTokenAccount } from "../../../../src/chain/program-address.ts"
import { DEPLOYER, SUPPLY } from "../clean-token.ts"
import { bytes, encodeMint, extended, programAddress, u16, wallet } from "../encode.ts"
import { damm } from "./damm.ts"
import { dammV2, placeGraduate, placeToken } from "../launches.ts"
import type { Scenario } from "../scenarios.ts"
import { changed, holdersOf, patch, sync, withHolders } from "../scenarios.ts"

const FAR = 4_000_000_000n

const feeValue = (bps: number) =>
  bytes(108, [
    [80, 10n ** 18n],
    [88, u16(bps)],
    [98, 10n ** 18n],
    [106, u16(bps)]
  ])

const transferFee = (bps: number) => changed(() => undefined, { mint: { extensions: [[1, feeValue(bps)]] } })

/** A pool fee and a transfer fee that are each bearable. */
const twoFees: Scenario = sync((world) => {
  const placed = placeToken(
    world,
    { label: "two fees", tokens: SUPPLY / 5n, quoteAmount: 200_000_000_000n },
    dammV2({ price: 200e9 / (Number(SUPPLY) / 5), quoteAmount: 200_000_000_000n, cliff: 40_000_000n })
  )
  world.accounts.set(placed.mint, encodeMint({ supply: SUPPLY, extensions: [[1, feeValue(400)]] }))
  return placed.mint
})

/** A locked pool, whose account says of what becomes of its fees what no program of today writes there. */
const keptElsewhere: Scenario = (world) =>
  Effect.map(damm("new mode", {})(world), (mint) => {
    patch(world, wallet("new mode pool"), [[484, 3]])
    return mint
  })

export const terms: Readonly<Record<string, Scenario>> = {
  "DAMM v2 takes 99 % for ever": damm("fee", { cliff: 990_000_000n, feeVersion: 1 }),
  "DAMM v2 takes 50 % for ever": damm("half", { cliff: 500_000_000n }),
  "DAMM v2 takes 60 % now, falling within the day": damm("falling", {
    cliff: 600_000_000n,
    feeVersion: 1,
    fee: { mode: 0, periods: 100, every: 864n, reduction: 5_900_000n },
    activation: 1_789_999_000n
  }),
  "DAMM v2 takes 6 % for ever": damm("six", { cliff: 60_000_000n }),
  "DAMM v2 may take 90 % while the price moves": damm("surge", {
    dynamic: { most: 14_460_000, control: 4_300_000, step: 1 }
  }),
  "DAMM v2 charges by a rule that nobody here knows": damm("new rule", {
    cliff: 10_000_000n,
    fee: { mode: 5, periods: 100, every: 864n, reduction: 5_900_000n }
  }),
  "DAMM v2 keeps its fees by a rule that nobody here knows": keptElsewhere,
  "4 % for the pool and 4 % for every transfer": twoFees,
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
  "a holder's account was opened while the mint let nobody transfer": changed((world, placed) => {
    withHolders(
      world,
      placed,
      holdersOf(15, (index) => 20 - index)
    )
    world.accounts.set(placed.mint, encodeMint({ supply: SUPPLY, extensions: [] }))
    const held = associatedTokenAccount(wallet("party 3"), placed.mint, at.TOKEN_PROGRAM)
    const account = world.accounts.get(held)
    if (account !== undefined)
      world.accounts.set(
        held,
        extended(account, [
          [7, new Uint8Array()],
          [13, new Uint8Array()]
        ])
      )
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
