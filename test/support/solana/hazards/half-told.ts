/** Accounts and lists that tell a part, or contradict one another: what they leave out is not nothing. */
import { Effect } from "effect"
import { associatedTokenAccount } from "../../../../src/chain/program-address.ts"
import * as at from "../../../../src/screening/solana/addresses.ts"
import { SolanaAddress } from "../../../../src/domain/address.ts"
import { meteoraVaultTokens } from "../../../../src/screening/solana/reads/pdas.ts"
import { DAY, DEPLOYER, pairOf } from "../clean-token.ts"
import { placeCoinQuoted } from "../coin-quoted.ts"
import { placeLaunchLab } from "../curves.ts"
import type { MintOptions } from "../encode.ts"
import { account, bytes, programAddress, u16, wallet } from "../encode.ts"
import { honest } from "../honest/honest.ts"
import type { FakeWorld } from "../fake-world.ts"
import type { Scenario } from "../scenarios.ts"
import {
  changed,
  holdersOf,
  LP,
  patch,
  sync,
  thirdPartiesSilent,
  withHolders,
  withLpHolders
} from "../scenarios.ts"

/** Liquidity in a coin, of whose holders the node lists so many. */
const quoteListed = (count: number): Scenario =>
  sync((world) => {
    const label = `first ${count} of a quote`
    const mint = placeCoinQuoted(world, label)
    const coin = wallet(`${label} quote graduate`)
    world.largest.set(coin, (world.largest.get(coin) ?? []).slice(0, count))
    return mint
  })

/** An honest token, changed. */
const spoiled = (name: string, change: (world: FakeWorld) => void): Scenario => {
  const scenario = honest[name]
  if (scenario === undefined) throw new Error(`no honest token is ${name}`)
  return (world) => Effect.tap(scenario(world), () => Effect.sync(() => change(world)))
}

/** Of the accounts of these holders, whom the node's list names, the node shows nothing of the last two. */
const notShown = (pooled: number, perMille: ReadonlyArray<number>): Scenario =>
  changed(
    (world, placed) => {
      const owners = perMille.map(
        (part, index) => [index === 0 ? DEPLOYER : wallet(`one of few ${index}`), part] as const
      )
      const crowd = holdersOf(25, (index) => 8 - index * 0.3)
      withHolders(world, placed, [...owners, ...crowd], pooled)
      for (const [owner] of owners.slice(-2))
        world.accounts.delete(associatedTokenAccount(owner, placed.mint, at.TOKEN_PROGRAM))
    },
    { ageMs: DAY }
  )

const [RAYDIUM_AUTHORITY = ""] = at.POOL_AUTHORITIES

/** A locked pool, and one with seven times as many tokens that only its vault tells of: a Whirlpool, or one under an authority of all pools. */
const untoldVenue = (owner: SolanaAddress, isSilent: boolean): Scenario =>
  changed(
    (world, placed) => {
      withHolders(world, placed, [[owner, 150], ...holdersOf(25, (index) => 8 - index * 0.3)], 20)
      world.accounts.set(programAddress("untold"), account(at.program.orcaWhirlpool, new Uint8Array(653)))
      if (isSilent) thirdPartiesSilent(world)
    },
    { dollars: 10_000n }
  )

/** A token of fifteen holders, whose list the node cuts after so many accounts. */
const listOf = (count: number, mint: MintOptions = {}): Scenario =>
  changed(
    (world, placed) => {
      withHolders(
        world,
        placed,
        holdersOf(15, (index) => 20 - index)
      )
      world.largest.set(placed.mint, (world.largest.get(placed.mint) ?? []).slice(0, count))
    },
    { mint }
  )

/** Accounts that hold nothing, and fill a list that has named too few. */
const empty = (count: number) =>
  Array.from({ length: count }, (_, index) => [wallet(`empty ${index}`), 0] as const)
/** So little that nobody has accounts enough to hold a supply in pieces of it, smallest units. */
const CRUMB = 1_000_000n

export const halfTold: Readonly<Record<string, Scenario>> = {
  "a locked pool is read, and seven times as many tokens lie in a Whirlpool that nobody names, third parties silent":
    untoldVenue(programAddress("untold"), true),
  "a locked pool is read, and seven times as many tokens lie where the node may hide a pool, third parties silent":
    untoldVenue(programAddress("not shown"), true),
  "a locked pool is read, and seven times as many tokens lie in an AMM v4 pool that nobody names":
    untoldVenue(SolanaAddress.make(RAYDIUM_AUTHORITY), false),
  "the node's list names none of the holders: they may be frozen": listOf(0),
  "the node's list names none of the holders, of whom every transfer takes a little": listOf(0, {
    extensions: [
      [
        1,
        bytes(108, [
          [88, u16(10)],
          [106, u16(10)],
          [80, 10n ** 18n],
          [98, 10n ** 18n]
        ])
      ]
    ]
  }),
  "the node's list names the pool alone, and not its fifteen holders": listOf(1),
  "the node's list names one of fifteen holders": listOf(2),
  "a full list names eight holders, then accounts of nothing, and two thirds of the supply are in none":
    changed((world, placed) => withHolders(world, placed, [...holdersOf(8, 20), ...empty(11)], 200)),
  "a full list names eight holders, then crumbs, and two thirds of the supply are in none": changed(
    (world, placed) => {
      withHolders(world, placed, [...holdersOf(8, 20), ...empty(11)], 200)
      const listed = (world.largest.get(placed.mint) ?? []).map((one, index) =>
        index < 9 ? one : { ...one, amount: CRUMB / BigInt(index * index) }
      )
      for (const { address, amount } of listed) patch(world, address, [[64, amount]])
      world.largest.set(placed.mint, listed)
    }
  ),
  "a full list of LP tokens names ten holders, then accounts of nothing, and half of them are in none":
    changed(
      (world, placed) => {
        withLpHolders(world, placed, [...holdersOf(10, 50), ...empty(10)])
        patch(world, placed.lpMint, [[36, LP]])
      },
      { lpLeft: LP }
    ),
  "of three listed holders' accounts the node shows nothing: they may be frozen": changed(
    (world, { mint }) => {
      for (const { address } of (world.largest.get(mint) ?? []).slice(-3)) world.accounts.delete(address)
    }
  ),
  "a creator holds a twelfth, and whose another seventh is the node does not show": notShown(
    300,
    [60, 50, 50]
  ),
  "three wallets hold little less than is too much, and whose a twentieth is the node does not show":
    notShown(250, [105, 95, 85, 20, 20]),
  "liquidity in a coin of which the node's list names nobody": quoteListed(0),
  "liquidity in a coin of which the node's list names its pool alone": quoteListed(1),
  "a LaunchLab curve says it has raised 20 SOL that its vault does not hold": sync((world) => {
    const label = "empty lab"
    const mint = placeLaunchLab(world, {
      label,
      quote: at.WSOL,
      raised: 20_000_000_000n,
      virtual: 30_000_000_000n
    })
    patch(world, wallet(`${label} quote vault`), [[64, 1_000_000n]])
    return mint
  }),
  "a LaunchLab curve says it has raised 20 SOL in a vault that the node does not show": spoiled(
    "LaunchLab against SOL",
    (world) => void world.accounts.delete(wallet("lab sol quote vault"))
  ),
  "a Whirlpool whose vault of the token nobody has shown": spoiled(
    "a Whirlpool of thirty providers",
    (world) => void world.accounts.delete(wallet("thirty token vault"))
  ),
  // The two arrays with its bids are the 498th and 499th of its bitmap.
  "a pair counts an array of offers of which the node shows nothing": spoiled(
    "a DLMM of twelve providers",
    (world) => patch(world, wallet("dlmm pool"), [[584 + 62, 0b11100]])
  ),
  "ten times the locked liquidity lies in a pool of a program that nobody here reads": changed(
    (world, { mint }) => {
      const pool = programAddress("a pool elsewhere")
      world.accounts.set(pool, account(programAddress("another exchange"), new Uint8Array(600)))
      const pair = pairOf(pool, at.USDC, { dexId: "elsewhere", labels: [], liquidityQuote: 500_000 })
      world.pairs.set(mint, [...(world.pairs.get(mint) ?? []), pair])
    }
  ),
  "the node shows nothing of the pool in which market data knows most of the liquidity": changed(
    (world, { mint }) => {
      const pair = pairOf(wallet("not shown"), at.USDC, { liquidityQuote: 500_000 })
      world.pairs.set(mint, [...(world.pairs.get(mint) ?? []), pair])
    }
  ),
  "nine tenths of the LP tokens left the account that a full list names, for one that it does not": changed(
    (world, placed) => {
      withLpHolders(world, placed, [[DEPLOYER, 905], ...holdersOf(19, 5)])
      patch(world, associatedTokenAccount(DEPLOYER, placed.lpMint, at.TOKEN_PROGRAM), [[64, 0n]])
    },
    { lpLeft: LP }
  ),
  "a fee tier that was not read, and 4 % for every transfer": changed(() => undefined, {
    mint: {
      extensions: [
        [
          1,
          bytes(108, [
            [80, 10n ** 18n],
            [88, u16(400)],
            [98, 10n ** 18n],
            [106, u16(400)]
          ])
        ]
      ]
    }
  }),
  "the lending vault of a DAMM v1 pool is frozen, and the node simulates nothing": spoiled(
    "a DAMM v1 pool of lending vaults",
    (world) => {
      patch(world, meteoraVaultTokens(programAddress("vault a")), [[108, 2]])
      world.down.add("simulation")
    }
  ),
  "the lending vault of a DAMM v1 pool takes no more of the token, and the node simulates nothing": spoiled(
    "a DAMM v1 pool of lending vaults",
    (world) => {
      patch(world, programAddress("vault a"), [[8, 0]])
      world.down.add("simulation")
    }
  ),
  "the lending vault of a DAMM v1 pool has lent out all but a SOL": spoiled(
    "a DAMM v1 pool of lending vaults",
    (world) => patch(world, meteoraVaultTokens(programAddress("vault b")), [[64, 1_000_000_000n]])
  ),
  "what the lending vault of a DAMM v1 pool has not lent out nobody has shown": spoiled(
    "a DAMM v1 pool of lending vaults",
    (world) => void world.accounts.delete(meteoraVaultTokens(programAddress("vault b")))
  ),
  "whether the lending vault of a DAMM v1 pool takes the token nobody has shown, and the node simulates nothing":
    spoiled("a DAMM v1 pool of lending vaults", (world) => {
      world.accounts.delete(meteoraVaultTokens(programAddress("vault a")))
      world.down.add("simulation")
    })
}
