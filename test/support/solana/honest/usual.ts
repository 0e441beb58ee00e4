/** The shapes that most tokens have: a graduate as pump.fun makes them now, and a pool of Raydium's first program. */
import { seedOf } from "../../../../src/chain/program-address.ts"
import { SolanaAddress } from "../../../../src/domain/address.ts"
import * as at from "../../../../src/screening/solana/addresses.ts"
import { decodeTokenAccount } from "../../../../src/screening/solana/reads/token-account.ts"
import { SUPPLY } from "../clean-token.ts"
import { bytes, encodeMint, extended, laidOut, u32, wallet } from "../encode.ts"
import { dammV2, placeGraduate, placeToken } from "../launches.ts"
import type { Scenario } from "../scenarios.ts"
import { lendingVaults } from "./pools.ts"
import { sync } from "../scenarios.ts"

/** A Token-2022 mint that names itself, for good; its accounts cannot be given away. */
const token2022: Scenario = sync((world) => {
  const mint = placeGraduate(world, { label: "token 2022", sol: 85 })
  const name = bytes(80, [
    [32, mint],
    [64, u32(1)],
    [68, 120],
    [69, u32(1)],
    [73, 120]
  ])
  const pointer = Uint8Array.from([...new Uint8Array(32), ...seedOf(mint)])
  const extensions: NonNullable<Parameters<typeof encodeMint>[0]>["extensions"] = [
    [18, pointer],
    [19, name]
  ]
  world.accounts.set(mint, encodeMint({ supply: SUPPLY, extensions }))
  for (const [address, account] of world.accounts)
    if (decodeTokenAccount(account)?.mint === mint)
      world.accounts.set(address, extended(account, [[7, new Uint8Array()]]))
  return mint
})

/** Every account of PYUSD says what its mint asks for: no fee withheld, no transfer under way, no way to give it away. */
const DOLLARS_ACCOUNT = [
  [2, new Uint8Array(8)],
  [7, new Uint8Array()],
  [15, new Uint8Array(1)]
] as const

const againstPyusd: Scenario = sync((world) => {
  const quoteAmount = 30_000_000_000n
  const placed = placeToken(
    world,
    { label: "pyusd", quote: at.PYUSD, tokens: SUPPLY / 5n, quoteAmount },
    dammV2({ price: Number(quoteAmount) / (Number(SUPPLY) / 5), quoteAmount })
  )
  const vault = world.accounts.get(placed.quoteVault)
  if (vault !== undefined) world.accounts.set(placed.quoteVault, extended(vault, DOLLARS_ACCOUNT))
  return placed.mint
})

const AMM_AUTHORITY = SolanaAddress.make("5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1")

/** All of its LP tokens were burned; the pool's own count stays. */
const firstProgram: Scenario = sync((world) => {
  const lpMint = wallet("amm v4 lp")
  const plan = { label: "amm v4", tokens: SUPPLY / 5n, quoteAmount: 200_000_000_000n }
  const { mint } = placeToken(
    world,
    plan,
    (place) =>
      laidOut(at.program.raydiumAmmV4, 752, [
        [0, 6n],
        [176, 25n],
        [184, 10_000n],
        [336, place.tokenVault],
        [368, place.quoteVault],
        [400, place.mint],
        [432, place.quote],
        [464, lpMint],
        [720, 1_000_000_000n]
      ]),
    { labels: [] }
  )
  world.accounts.set(lpMint, encodeMint({ supply: 0n, decimals: 9, mintAuthority: AMM_AUTHORITY }))
  return mint
})

/** SOL's lending vault on mainnet, and the mint of its tokens. */
const SOL_VAULT = SolanaAddress.make("FERjPVNEa7Udq8CEv68h6tPL46Tq7ieE49HrE2wea3XT")
const SOL_VAULT_TOKEN = SolanaAddress.make("FZN7QZ8ZUUAxMPfxYEYkH3cXUASzH8EqA6B4tyCL8f1j")

export const usual: Readonly<Record<string, Scenario>> = {
  "a graduate of Token-2022, named by its own mint for good": token2022,
  "an AMM v4 pool whose LP tokens were all burned": firstProgram,
  "a DAMM v1 pool whose SOL lies in the lending vault that all of them share": lendingVaults(
    undefined,
    SOL_VAULT,
    SOL_VAULT_TOKEN
  ),
  "a DAMM v2 launch against PYUSD, locked for good": againstPyusd
}
