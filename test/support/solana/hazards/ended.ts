/** Launches whose curve has ended: what its vault keeps is its makers', and what the next pool lost too. */
import { Effect } from "effect"
import type { SolanaAccount } from "../../../../src/chain/chain-rpc.ts"
import * as at from "../../../../src/screening/solana/addresses.ts"
import { SolanaAddress } from "../../../../src/domain/address.ts"
import { DEPLOYER, SUPPLY, pairOf, placeCpmm } from "../clean-token.ts"
import { placeDbc } from "../curves.ts"
import { anchored, encodeTokenAccount, u16, wallet } from "../encode.ts"
import type { FakeWorld } from "../fake-world.ts"
import { placeGraduate } from "../launches.ts"
import type { Scenario } from "../scenarios.ts"
import { holdersOf, sync } from "../scenarios.ts"

const AUTHORITY = {
  dbc: SolanaAddress.make("FhVo3mqL8PW5pH5U2CN4XE33DokiyZnUwuGpH2hmHLuM"),
  lab: SolanaAddress.make("WLHv2UAZm6z4KyaaELi5pjdbJh6RESMva1Rnn8pJVVh")
} as const

/** A token that trades elsewhere now, with 40 % of its supply in the vault of its old curve. */
const ended = (
  label: string,
  kind: keyof typeof AUTHORITY,
  curve: ((mint: SolanaAddress, vault: SolanaAddress) => SolanaAccount) | null
): Scenario =>
  sync((world: FakeWorld) => {
    const mint = placeGraduate(world, {
      label,
      sol: 85,
      holders: holdersOf(15, (index) => 20 - index * 0.5)
    })
    const [vault, pool] = [wallet(`${label} vault`), wallet(`${label} curve`)]
    const amount = (SUPPLY * 4n) / 10n
    world.accounts.set(vault, encodeTokenAccount(mint, AUTHORITY[kind], amount))
    world.largest.set(mint, [{ address: vault, amount }, ...(world.largest.get(mint) ?? []).slice(0, 19)])
    if (curve === null) return mint
    world.accounts.set(pool, curve(mint, vault))
    world.pairs.set(mint, [...(world.pairs.get(mint) ?? []), pairOf(pool, at.WSOL, { priceUsd: null })])
    return mint
  })

const endedDbc = (mint: SolanaAddress, vault: SolanaAddress) =>
  anchored(at.program.meteoraDbc, "VirtualPool", 424, [
    [104, DEPLOYER],
    [136, mint],
    [168, vault],
    [305, 1]
  ])

const WHOLE = (SUPPLY * 4n) / 10n

/**
 * A LaunchLab curve that has moved on, with 40 % of the supply on a schedule. Seconds. The program writes the cliff's end
 * down as the schedule's start.
 */
export const endedLab =
  (terms: { readonly ended: bigint; readonly cliff: bigint; readonly lasts: bigint }) =>
  (mint: SolanaAddress, vault: SolanaAddress) =>
    anchored(at.program.raydiumLaunchLab, "PoolState", 429, [
      [17, 2],
      [101, WHOLE],
      [109, terms.cliff],
      [117, terms.lasts],
      [125, terms.ended + terms.cliff],
      [205, mint],
      [237, at.WSOL],
      [269, vault],
      [333, DEPLOYER]
    ])

export const endedLaunch = ended

const dbc = (label: string, terms: NonNullable<Parameters<typeof placeDbc>[2]>): Scenario =>
  sync((world) => placeDbc(world, label, terms))

/** The same beside a pool of burned LP tokens that is a little deeper: 8 SOL on either side. */
const besideDeeper = (label: string, terms: NonNullable<Parameters<typeof placeDbc>[2]>): Scenario =>
  sync((world) => {
    const mint = placeDbc(world, label, terms)
    const [pool, vault] = [wallet(`${label} deeper`), wallet(`${label} deeper vault`)]
    const tokens = (SUPPLY * 18n) / 100n
    Effect.runSync(
      placeCpmm(world, {
        mint,
        pool,
        lpMint: wallet(`${label} deeper lp`),
        vaults: [vault, wallet(`${label} deeper quote vault`)],
        quote: at.WSOL,
        tokens,
        quoteAmount: 8_000_000_000n,
        lpLeft: 0n,
        lpOwner: DEPLOYER
      })
    )
    const [curve, ...others] = world.largest.get(mint) ?? []
    if (curve === undefined) throw new Error("no curve")
    world.largest.set(mint, [curve, { address: vault, amount: tokens }, ...others.slice(0, 18)])
    world.pairs.set(mint, [...(world.pairs.get(mint) ?? []), pairOf(pool, at.WSOL, { priceUsd: null })])
    return mint
  })

export const endings: Readonly<Record<string, Scenario>> = {
  "an ended DBC curve keeps 40 % for its maker": ended("ended dbc", "dbc", endedDbc),
  "the vault of a curve that nobody lists keeps 40 %": ended("unlisted curve", "dbc", null),
  "the vault of a LaunchLab curve that nobody lists keeps 40 %": ended("unlisted lab", "lab", null),
  "an ended LaunchLab curve keeps 40 % for its creator, free next week": ended(
    "ended lab",
    "lab",
    endedLab({ ended: 1_789_900_000n, cliff: 600_000n, lasts: 0n })
  ),
  "an ended LaunchLab curve gives its creator 40 % within two weeks": ended(
    "dripping lab",
    "lab",
    endedLab({ ended: 1_789_900_000n, cliff: 0n, lasts: 1_209_600n })
  ),
  "an ended LaunchLab curve keeps 40 % for its creator, free since its cliff of half a year was over": ended(
    "lab after its cliff",
    "lab",
    endedLab({ ended: 1_773_000_000n, cliff: 15_552_000n, lasts: 0n })
  ),
  "an ended LaunchLab curve gives its creator 40 %, most of it after a cliff of half a year": ended(
    "lab dripping after its cliff",
    "lab",
    endedLab({ ended: 1_772_000_000n, cliff: 15_552_000n, lasts: 5_184_000n })
  ),
  "a DBC launch's makers take 90 % of what it raises": dbc("migration fee", [[247, 90]]),
  "a DBC launch's makers take nearly half of all liquidity, beside a deeper pool": besideDeeper("beside", [
    [242, 100]
  ]),
  "the pool after a DBC launch takes 10 % of every trade": dbc("dear successor", [
    [243, 6],
    [362, u16(1000)]
  ]),
  "the pool after a DBC launch takes 6 % of every trade, a tier of the program's own": dbc("dear tier", [
    [243, 5]
  ])
}
