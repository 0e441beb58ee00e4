/** What whoever makes a token can write into its accounts, and into the accounts of programs it uses. */
import type { SolanaAccount } from "../../../../src/chain/chain-rpc.ts"
import * as at from "../../../../src/screening/solana/addresses.ts"
import { associatedTokenAccount } from "../../../../src/chain/program-address.ts"
import { deriveAddresses } from "../../../../src/screening/solana/reads/pdas.ts"
import type { SolanaAddress } from "../../../../src/domain/address.ts"
import { DEPLOYER, SUPPLY, pairOf } from "../clean-token.ts"
import { placeCoinQuoted } from "../coin-quoted.ts"
import { placeDbc, placeLaunchLab } from "../curves.ts"
import {
  account,
  anchored,
  bytes,
  encodeMint,
  encodeTokenAccount,
  laidOut,
  programAddress,
  u16,
  u32,
  wallet
} from "../encode.ts"
import { NOW_SLOT } from "../fake-node.ts"
import type { FakeWorld } from "../fake-world.ts"
import { placeGraduate, placePumpCurve, placeToken } from "../launches.ts"
import type { Scenario } from "../scenarios.ts"
import { LP, changed, holdersOf, patch, sync, withHolders, withLpHolders } from "../scenarios.ts"
import { damm } from "./damm.ts"
import { fluxBeam } from "./fluxbeam.ts"

const text = (value: string): ReadonlyArray<number> => {
  const encoded = new TextEncoder().encode(value)
  return [...u32(encoded.length), ...encoded]
}

/** A Token-2022 mint whose name and symbol stand in itself. */
const named = (name: string, symbol: string): Scenario =>
  changed((world, { mint }) => {
    const value = Uint8Array.from([...new Uint8Array(64), ...text(name), ...text(symbol), ...text("")])
    world.accounts.set(mint, encodeMint({ supply: SUPPLY, extensions: [[19, value]] }))
    world.accounts.delete(deriveAddresses(mint).metadata)
  })

/** A vesting contract at Streamflow that owns what it holds. */
const contractOf = (mint: SolanaAddress, end: bigint, deposited: bigint) =>
  laidOut(at.TIME_LOCKERS.streamflow, 1104, [
    [33, end],
    [49, DEPLOYER],
    [113, DEPLOYER],
    [177, mint],
    [417, deposited],
    [425, 1n],
    [441, end - 1n]
  ])

/** Half of the supply under a contract. */
const underContract = (
  contract: (mint: SolanaAddress) => SolanaAccount,
  owner: SolanaAddress = programAddress("contract of a hazard")
): Scenario =>
  changed((world, placed) => {
    withHolders(world, placed, [[owner, 500], ...holdersOf(15, (index) => 9 - index * 0.3)])
    world.accounts.set(owner, contract(placed.mint))
  })

/** A LaunchLab curve whose global settings say another type of curve. */
const labOfType = (type: number): Scenario =>
  sync((world) => {
    const label = `lab of type ${type}`
    const mint = placeLaunchLab(world, {
      label,
      quote: at.WSOL,
      raised: 20_000_000_000n,
      virtual: 30_000_000_000n
    })
    patch(world, wallet(`${label} config`), [[16, type]])
    return mint
  })

/** The clean token in the same pool against somebody's own dollar. */
const otherQuote = (quote: SolanaAddress): Scenario =>
  changed((world, { mint, pool, quoteVault }) => {
    patch(world, pool, [[200, quote]])
    world.accounts.set(quoteVault, encodeTokenAccount(quote, pool, 50_000_000_000n))
    world.accounts.set(quote, encodeMint({ supply: SUPPLY, mintAuthority: DEPLOYER }))
    world.pairs.set(mint, [pairOf(pool, quote)])
  })

const lpUnder = (contract: (lpMint: SolanaAddress) => SolanaAccount): Scenario =>
  changed(
    (world, placed) => {
      const owner = programAddress("contract of LP tokens")
      withLpHolders(world, placed, [[owner, 1000]])
      world.accounts.set(owner, contract(placed.lpMint))
    },
    { lpLeft: LP }
  )

const YEARS = 4_000_000_000n

const complete = (world: FakeWorld): SolanaAddress => {
  const mint = placePumpCurve(world, { label: "complete", sol: 85 })
  patch(world, deriveAddresses(mint).curve, [[48, 1]])
  return mint
}

const curveWith = (label: string, offset: number, value: bigint): Scenario =>
  sync((world) => {
    const mint = placePumpCurve(world, { label, sol: 30 })
    patch(world, deriveAddresses(mint).curve, [[offset, value]])
    return mint
  })

export const written: Readonly<Record<string, Scenario>> = {
  "USDC behind thirty invisible letters": named("Dollar", `${"\u200b".repeat(30)}USDC`),
  "USDC behind seventy invisible letters": named("Dollar", `${"\u2060".repeat(70)}USDC`),
  "a name longer than anybody reads, which ends in another's": named(
    `${"\u200b".repeat(2000)}USD Coin`,
    "FINE"
  ),
  "a mint with 255 decimals": changed(() => undefined, { mint: { decimals: 255 } }),
  "a mint with 30 decimals": changed(() => undefined, { mint: { decimals: 30 } }),
  "all liquidity is in somebody's own dollar": otherQuote(wallet("another USDC")),
  "a DBC launch hands all of the next pool's liquidity to its creator": sync((world) =>
    placeDbc(world, "handed to creator", [[242, 100]])
  ),
  "a DBC launch hands half of the next pool's liquidity to its partner": sync((world) =>
    placeDbc(world, "handed to partner", [
      [239, 50],
      [240, 50]
    ])
  ),
  "a DBC launch hands its liquidity out by a schedule of one day": sync((world) =>
    placeDbc(world, "handed by schedule", [
      [200, 1],
      [201, 100],
      [204, u16(1000)],
      [206, u16(10)],
      [208, u32(8640)],
      [212, u32(0)]
    ])
  ),
  "a DBC launch vests half of the supply to its creator within an hour of its end": sync((world) =>
    placeDbc(world, "vests soon", [
      [304, 3600n],
      [312, 1n],
      [328, SUPPLY / 2n]
    ])
  ),
  "a DBC launch may take 99 % of purchases for a day": sync((world) =>
    placeDbc(world, "limited", [
      [112, NOW_SLOT + 86_400n],
      [120, 1_000_000n],
      [128, u16(1000)],
      [130, 2]
    ])
  ),
  "DAMM v2 may take 99 % of purchases for a day": damm("limiter", {
    feeVersion: 1,
    activation: 1_789_990_000n,
    // The duration in the lower half, the most it may take in the upper one.
    fee: { mode: 2, periods: 500, every: 86_400n + (9900n << 32n), reduction: 1_000_000n }
  }),
  "FluxBeam's owner of a pool takes 90 %, its providers 0.3 %": fluxBeam("owner's fee", { owners: 9000n }),
  "FluxBeam's providers take 60 %": fluxBeam("providers' fee", { fee: 6000n }),
  "LaunchLab's curve is of a type that nobody here knows": labOfType(3),
  "a contract about another token holds half": underContract(() =>
    contractOf(wallet("another token"), YEARS, SUPPLY)
  ),
  "a contract for one token unit holds half until next week": underContract((mint) =>
    contractOf(mint, 1_790_400_000n, 1n)
  ),
  "a contract for one token unit holds half for decades": underContract((mint) =>
    contractOf(mint, YEARS, 1n)
  ),
  "a multisig's address holds half": underContract(() =>
    account(programAddress("multisig program"), new Uint8Array(300))
  ),
  "a locker without readable terms holds half": underContract(() =>
    account(at.TIME_LOCKERS.jupiterLock, new Uint8Array(208))
  ),
  "a contract about another token holds the LP tokens": lpUnder(() =>
    contractOf(wallet("another token"), YEARS, LP)
  ),
  "a contract for one unit holds the LP tokens": lpUnder((lpMint) => contractOf(lpMint, YEARS, 1n)),
  "nobody can tell whose 40 % of the LP tokens are": changed(
    (world, placed) => {
      withLpHolders(world, placed, [[programAddress("somebody's vault"), 400]])
      patch(world, placed.lpMint, [[36, (LP * 4n) / 10n]])
    },
    { lpLeft: (LP * 4n) / 10n }
  ),
  "a quarter of the LP tokens is one wallet's, and a fifth is nobody knows whose": changed(
    (world, placed) => {
      withLpHolders(world, placed, [
        [wallet("quarter"), 250],
        [programAddress("fifth"), 200]
      ])
    },
    { lpLeft: (LP * 45n) / 100n }
  ),
  "liquidity in a coin of which one wallet holds 60 %": sync((world) =>
    placeCoinQuoted(world, "whale's quote", [[wallet("quote whale"), 600], ...holdersOf(10, 5)])
  ),
  "liquidity in a coin of which one wallet holds 60 %, ten times what the node's list says": sync((world) => {
    const crowd = holdersOf(30, (index) => 8 - index * 0.1)
    const mint = placeCoinQuoted(world, "late", [[wallet("late whale"), 600], ...crowd])
    const coin = wallet("late quote graduate")
    const list = world.largest.get(coin) ?? []
    const most = associatedTokenAccount(wallet("late whale"), coin, at.TOKEN_PROGRAM)
    world.largest.set(
      coin,
      list.map((one) => (one.address === most ? { ...one, amount: one.amount / 10n } : one))
    )
    return mint
  }),
  "liquidity in a coin whose holders the node does not list": sync((world) => {
    const mint = placeCoinQuoted(world, "unlisted quote")
    world.largest.delete(wallet("unlisted quote quote graduate"))
    return mint
  }),
  "a complete curve that waits for its pool": sync(complete),
  "a curve whose creator takes half of every trade": curveWith("greedy curve", 115, 5000n),
  "a graduate whose quote vault is somebody else's account": sync((world) => {
    const mint = placeGraduate(world, { label: "no vault", sol: 80 })
    const { pools } = deriveAddresses(mint)
    const pool = pools.find(({ kind }) => kind === "pumpswap")
    for (const vault of pool?.vaults ?? []) {
      const found = world.accounts.get(vault)
      if (found !== undefined)
        world.accounts.set(vault, { ...found, owner: programAddress("no token program") })
    }
    return mint
  }),
  "metadata that another program owns": changed((world, { mint }) => {
    const { metadata } = deriveAddresses(mint)
    world.accounts.set(metadata, laidOut(programAddress("no metadata program"), 300, [[0, 4]]))
  }),
  "creators hold a fifth in three wallets that the accounts name": changed((world, placed) => {
    withHolders(world, placed, [[DEPLOYER, 90], [wallet("update authority"), 80], ...holdersOf(10, 4)])
    const [first] = world.largest.get(placed.mint) ?? []
    if (first !== undefined) patch(world, placed.tokenVault, [[64, SUPPLY / 5n]])
    world.accounts.set(
      placed.mint,
      encodeMint({ supply: SUPPLY, extensions: [[26, bytes(33, [[0, DEPLOYER]])]] })
    )
  }),
  "a lock of a DAMM v2 position that another program wrote": sync((world) => {
    const placed = placeToken(
      world,
      { label: "forged", tokens: SUPPLY / 5n, quoteAmount: 200_000_000_000n },
      () => anchored(programAddress("no AMM"), "Pool", 1112, [])
    )
    return placed.mint
  })
}
