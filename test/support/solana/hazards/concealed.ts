/** Supply that no list of balances shows, and accounts that somebody other than their owner may empty. */
import * as at from "../../../../src/screening/solana/addresses.ts"
import { associatedTokenAccount } from "../../../../src/chain/program-address.ts"
import type { SolanaAddress } from "../../../../src/domain/address.ts"
import { DEPLOYER, SUPPLY } from "../clean-token.ts"
import type { PlacedToken } from "../clean-token.ts"
import { bytes, encodeMint, encodeTokenAccount, u32, wallet } from "../encode.ts"
import type { FakeWorld } from "../fake-world.ts"
import { dammV2, placeToken } from "../launches.ts"
import type { Scenario } from "../scenarios.ts"
import { changed, holdersOf, patch, sync, withHolders } from "../scenarios.ts"

const smallHolders =
  (count: number) =>
  (world: FakeWorld, placed: PlacedToken): void =>
    withHolders(
      world,
      placed,
      holdersOf(count, (index) => 7 - index * 0.2),
      330
    )

/** Nineteen small holders and a pool with a third of the supply: where the rest lies no list says. */
const halfUnlisted = smallHolders(19)

/** The same, in a list that is shorter than a node's longest: no other account has a balance. */
const halfMissing = smallHolders(12)

const withExtension = (world: FakeWorld, mint: SolanaAddress, type: number, value: Uint8Array): void =>
  void world.accounts.set(mint, encodeMint({ supply: SUPPLY, extensions: [[type, value]] }))

/** A fee of nothing, whose fees of earlier days somebody may take. */
const feesKept = (withheld: bigint): Uint8Array =>
  bytes(108, [
    [32, DEPLOYER],
    [64, withheld]
  ])

/** Lets somebody else move what an account holds. */
const delegated = (delegate: SolanaAddress, amount: bigint) =>
  [
    [72, u32(1)],
    [76, delegate],
    [121, amount]
  ] as const

const closable = (authority: SolanaAddress) =>
  [
    [129, u32(1)],
    [133, authority]
  ] as const

export const concealed: Readonly<Record<string, Scenario>> = {
  "half of the supply is in no account that the node has seen": changed(halfMissing),
  "half of the supply lies in confidential balances": changed((world, placed) => {
    halfUnlisted(world, placed)
    withExtension(world, placed.mint, 4, bytes(65, [[32, 1]]))
  }),
  "half of the supply lies in confidential balances that nobody can approve any more": changed(
    (world, placed) => {
      halfUnlisted(world, placed)
      withExtension(world, placed.mint, 4, bytes(65, []))
    }
  ),
  "40 % of the supply are fees of earlier days, gathered in the mint": changed((world, placed) => {
    halfUnlisted(world, placed)
    withExtension(world, placed.mint, 1, feesKept((SUPPLY * 4n) / 10n))
  }),
  "half of the supply are fees of earlier days, in accounts without a balance": changed((world, placed) => {
    halfMissing(world, placed)
    withExtension(world, placed.mint, 1, feesKept(0n))
  }),
  "half of the supply are fees of earlier days, in accounts behind a full list": changed((world, placed) => {
    halfUnlisted(world, placed)
    withExtension(world, placed.mint, 1, feesKept(0n))
  }),
  "sixteen accounts of burned tokens push the holders off the list": changed((world, placed) => {
    const burnt = Array.from({ length: 16 }, (_, index) => wallet(`burnt ${index}`))
    withHolders(world, placed, [[wallet("one"), 20], [wallet("two"), 18], ...holdersOf(1, 16)], 100)
    for (const address of burnt)
      world.accounts.set(address, encodeTokenAccount(placed.mint, at.INCINERATOR, (SUPPLY * 25n) / 1000n))
    const [pool, ...others] = world.largest.get(placed.mint) ?? []
    if (pool === undefined) throw new Error("no pool")
    const listed = burnt.map((address) => ({ address, amount: (SUPPLY * 25n) / 1000n }))
    world.largest.set(placed.mint, [pool, ...listed, ...others])
  }),
  "a handful of accounts behind the list could hold 45 %": changed((world, placed) =>
    withHolders(
      world,
      placed,
      holdersOf(19, (index) => 27 - index * 0.4),
      100
    )
  ),
  "twenty holders have let one wallet move what they hold": changed((world, placed) => {
    withHolders(
      world,
      placed,
      holdersOf(19, (index) => 30 - index)
    )
    for (const [owner, perMille] of holdersOf(19, (index) => 30 - index))
      patch(
        world,
        associatedTokenAccount(owner, placed.mint, at.TOKEN_PROGRAM),
        delegated(wallet("collector"), (SUPPLY * BigInt(perMille)) / 1000n)
      )
  }),
  "somebody may move what the pool's quote vault holds": changed((world, { quoteVault }) =>
    patch(world, quoteVault, delegated(wallet("delegate"), 10n ** 18n))
  ),
  "somebody may move what the pool's token vault holds": changed((world, { tokenVault }) =>
    patch(world, tokenVault, delegated(wallet("delegate"), SUPPLY))
  ),
  "somebody may close the vault of wrapped SOL, and take what it holds": sync((world) => {
    const placed = placeToken(
      world,
      { label: "closable", tokens: SUPPLY / 5n, quoteAmount: 200_000_000_000n },
      dammV2({ price: 200e9 / (Number(SUPPLY) / 5), quoteAmount: 200_000_000_000n })
    )
    patch(world, placed.quoteVault, [[109, u32(1)], ...closable(wallet("closer"))])
    return placed.mint
  })
}
