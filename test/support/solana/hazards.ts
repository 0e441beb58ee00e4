/** Tokens an expert would refuse, each by the smallest change to an honest one. */
import { Effect } from "effect"
import type { SolanaAddress } from "../../../src/domain/address.ts"
import * as at from "../../../src/screening/solana/addresses.ts"
import { associatedTokenAccount } from "../../../src/screening/solana/reads/pdas.ts"
import type { PlacedToken } from "./clean-token.ts"
import { DEPLOYER, emptyReport, pairOf, placeCpmm, SUPPLY } from "./clean-token.ts"
import type { FakeWorld } from "./fake-world.ts"
import {
  account,
  anchorType,
  bytes,
  encodeMint,
  encodeTokenAccount,
  programAddress,
  u16,
  u128,
  wallet
} from "./fake-world.ts"
import type { Scenario } from "./scenarios.ts"
import {
  clean,
  dammV2,
  holdersOf,
  LP,
  patch,
  placeGraduate,
  placePumpCurve,
  placeToken,
  sync,
  thirdPartiesSilent,
  withHolders,
  withLpHolders
} from "./scenarios.ts"

/** The clean token, changed. */
const changed =
  (
    change: (world: FakeWorld, placed: PlacedToken) => void,
    options: Parameters<typeof clean>[1] = {}
  ): Scenario =>
  (world) =>
    Effect.gen(function* () {
      const placed = yield* clean(world, options)
      change(world, placed)
      return placed.mint
    })

const risk = (name: string, level: string): Scenario =>
  changed((world, { mint }) => {
    const report = world.reports.get(mint) ?? emptyReport
    world.reports.set(mint, { ...report, risks: [{ name, level, score: 1000 }] })
  })

const copyOf = (symbol: string): Scenario => changed(() => undefined, { symbol })

const FAR = 4_000_000_000n

const damm = (label: string, options: Partial<Parameters<typeof dammV2>[0]>): Scenario =>
  sync(
    (world) =>
      placeToken(
        world,
        { label, tokens: SUPPLY / 5n, quoteAmount: 200_000_000_000n },
        dammV2({ price: 200e9 / (Number(SUPPLY) / 5), quoteAmount: 200_000_000_000n, ...options })
      ).mint
  )

const transferFee = (bps: number) => {
  const value = bytes(108, [
    [80, 10n ** 18n],
    [88, u16(bps)],
    [98, 10n ** 18n],
    [106, u16(bps)]
  ])
  return changed(() => undefined, { mint: { extensions: [[1, value]] } })
}

/** Nine tenths of the supply in a pool nobody else will ever trade in. */
const hiddenIn = (
  label: string,
  place: (world: FakeWorld, mint: SolanaAddress, vault: SolanaAddress, pool: SolanaAddress) => void
): Scenario =>
  changed((world, placed) => {
    const [vault, pool] = [wallet(`${label} vault`), wallet(`${label} pool`)]
    withHolders(world, placed, holdersOf(10, 2))
    const [poolEntry, ...others] = world.largest.get(placed.mint) ?? []
    if (poolEntry === undefined) throw new Error("no pool")
    const hidden = (SUPPLY * 9n) / 10n
    world.accounts.set(vault, encodeTokenAccount(placed.mint, pool, hidden))
    patch(world, placed.tokenVault, [[64, poolEntry.amount - hidden]])
    world.largest.set(placed.mint, [
      { address: vault, amount: hidden },
      { ...poolEntry, amount: poolEntry.amount - hidden },
      ...others
    ])
    place(world, placed.mint, vault, pool)
    world.pairs.set(placed.mint, [
      ...(world.pairs.get(placed.mint) ?? []),
      pairOf(pool, at.USDC, { liquidityUsd: 10 })
    ])
  })

const developer = (perMille: number): ReadonlyArray<readonly [SolanaAddress, number]> => [
  [DEPLOYER, perMille],
  ...holdersOf(8, 1)
]

const concentration: Readonly<Record<string, Scenario>> = {
  "one wallet holds 49.9 %": changed((world, placed) => withHolders(world, placed, [[wallet("whale"), 499]])),
  "one wallet holds 30 % and the pool 20 %": changed((world, placed) =>
    withHolders(world, placed, [[wallet("whale"), 300], ...holdersOf(18, 27)])
  ),
  "twenty wallets hold 4.9 % each": changed((world, placed) => withHolders(world, placed, holdersOf(20, 49))),
  "two hundred wallets hold 0.49 % each": changed((world, placed) =>
    withHolders(world, placed, holdersOf(200, 4.9))
  ),
  "51 % are burned and 49 % in a fresh wallet, RugCheck silent": changed((world, placed) => {
    const burn = associatedTokenAccount(at.INCINERATOR, placed.mint, at.TOKEN_PROGRAM)
    withHolders(world, placed, [[wallet("fresh"), 489]])
    world.accounts.set(burn, encodeTokenAccount(placed.mint, at.INCINERATOR, (SUPPLY * 51n) / 100n))
    patch(world, placed.tokenVault, [[64, SUPPLY / 1000n]])
    const [pool, fresh] = world.largest.get(placed.mint) ?? []
    if (pool === undefined || fresh === undefined) throw new Error("no list")
    world.largest.set(placed.mint, [
      { address: burn, amount: (SUPPLY * 51n) / 100n },
      fresh,
      { ...pool, amount: SUPPLY / 1000n }
    ])
    world.down.add("rugcheck")
  }),
  "a minute-old curve with 45 % at the developer": sync((world) =>
    placePumpCurve(world, { label: "young", sol: 24, holders: developer(450) })
  ),
  "a graduate with 40 % at the creator": sync((world) =>
    placeGraduate(world, { label: "creator", sol: 80, holders: [[DEPLOYER, 400], ...holdersOf(15, 20)] })
  ),
  "RugCheck's insider networks hold 40 %": changed((world, { mint }) => {
    const report = world.reports.get(mint) ?? emptyReport
    world.reports.set(mint, {
      ...report,
      graphInsidersDetected: 60,
      insiderNetworks: [{ size: 60, tokenAmount: Number(SUPPLY) * 0.4 }]
    })
  }),
  "RugCheck's creator balance is 40 % in accounts that are not listed": changed((world, { mint }) => {
    const report = world.reports.get(mint) ?? emptyReport
    world.reports.set(mint, {
      ...report,
      creator: wallet("far creator"),
      creatorBalance: Number(SUPPLY) * 0.4
    })
  }),
  "RugCheck flags half of the holders as insiders": changed(
    (world, { mint }) => {
      const report = world.reports.get(mint) ?? emptyReport
      const topHolders = (report.topHolders ?? []).map((holder, index) => ({
        ...holder,
        insider: index < 15
      }))
      world.reports.set(mint, { ...report, topHolders })
    },
    { holderPerMille: 25n }
  ),
  "a tenth of the supply lies under ten programs each": changed((world, placed) =>
    withHolders(
      world,
      placed,
      Array.from({ length: 9 }, (_, index) => [programAddress(`vault ${index}`), 100] as const)
    )
  )
}

const hidden: Readonly<Record<string, Scenario>> = {
  "90 % lie in a CPMM pool against a quote nobody knows": hiddenIn("junk", (world, mint, vault, pool) => {
    Effect.runSync(
      placeCpmm(world, {
        mint,
        pool,
        lpMint: wallet("junk lp"),
        vaults: [vault, wallet("junk quote vault")],
        quote: wallet("junk quote"),
        tokens: (SUPPLY * 9n) / 10n,
        quoteAmount: 10n ** 15n,
        lpLeft: 0n,
        lpOwner: DEPLOYER
      })
    )
  }),
  "90 % lie in an own Whirlpool": hiddenIn("whirlpool", (world, mint, vault, pool) => {
    const quoteVault = wallet("whirlpool quote")
    world.accounts.set(quoteVault, encodeTokenAccount(at.USDC, pool, 1_000_000n))
    world.accounts.set(
      pool,
      account(
        at.program.orcaWhirlpool,
        bytes(653, [
          [0, anchorType("Whirlpool")],
          [49, u128(0n)],
          [65, u128(1n << 70n)],
          [101, mint],
          [133, vault],
          [181, at.USDC],
          [213, quoteVault]
        ])
      )
    )
  }),
  "90 % lie in a one-sided DLMM wall": hiddenIn("wall", (world, mint, vault, pool) => {
    const quoteVault = wallet("wall quote")
    world.accounts.set(quoteVault, encodeTokenAccount(at.USDC, pool, 0n))
    world.accounts.set(
      pool,
      account(
        at.program.meteoraDlmm,
        bytes(904, [
          [0, anchorType("LbPair")],
          [76, u16(500)],
          [80, u16(100)],
          [88, mint],
          [120, at.USDC],
          [152, vault],
          [184, quoteVault],
          [848, DEPLOYER]
        ])
      )
    )
  }),
  "90 % lie in a pool nobody lists": hiddenIn("unlisted", (world, mint, _vault, pool) => {
    world.accounts.set(pool, account(at.program.raydiumClmm, new Uint8Array(1544)))
    world.pairs.set(mint, (world.pairs.get(mint) ?? []).slice(0, 1))
  })
}

const liquidity: Readonly<Record<string, Scenario>> = {
  "all LP tokens are the deployer's, RugCheck says 100 % locked": changed(
    (world, placed) => {
      withLpHolders(world, placed, [[DEPLOYER, 1000]])
      const report = world.reports.get(placed.mint) ?? emptyReport
      world.reports.set(placed.mint, {
        ...report,
        markets: report.markets.map((market) => ({ ...market, lpLockedPct: 100 }))
      })
    },
    { lpLeft: LP }
  ),
  "60 % of the LP tokens are one stranger's": changed(
    (world, placed) => withLpHolders(world, placed, [[wallet("provider"), 600], ...holdersOf(8, 50)]),
    { lpLeft: LP }
  ),
  "who holds the LP tokens cannot be read": changed((world, { lpMint }) => {
    world.accounts.set(lpMint, encodeMint({ supply: LP, decimals: 9 }))
  }),
  "a look-alike locker's program holds the LP tokens": changed(
    (world, placed) => withLpHolders(world, placed, [[programAddress("locker?"), 1000]]),
    { lpLeft: LP }
  ),
  "a graduate's LP tokens were never burned": sync((world) =>
    placeGraduate(world, { label: "unburned", sol: 80, burned: false })
  ),
  "a pool that does not exist has 9 million dollars": changed((world, { mint, pool }) => {
    world.accounts.delete(pool)
    world.pairs.set(mint, [
      pairOf(wallet("ghost"), at.USDC, { liquidityUsd: 9_000_000, liquidityQuote: 4_500_000, priceUsd: 42 })
    ])
  }),
  "the liquidity is 40 dollars": changed(() => undefined, { dollars: 20n }),
  "the LP is locked in Streamflow until next week": changed((world, placed) => {
    const contract = programAddress("contract")
    withLpHolders(world, placed, [[contract, 1000]])
    world.accounts.set(
      contract,
      account(
        at.TIME_LOCKERS.streamflow,
        bytes(1104, [
          [33, 1_790_400_000n],
          [113, DEPLOYER],
          [417, LP]
        ])
      )
    )
  }),
  "DAMM v2 with nothing locked, its positions unread": damm("free", { locked: 0 })
}

const terms: Readonly<Record<string, Scenario>> = {
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

const reputation: Readonly<Record<string, Scenario>> = {
  "RugCheck: creator with a history of rugs": risk("Creator history of rugged tokens", "danger"),
  "RugCheck: correlated holders": risk("High holder correlation", "danger"),
  "RugCheck: a danger of a name nobody knows": risk("Something new", "danger"),
  "RugCheck: copy": risk("Copycat token", "danger"),
  "named BONK": copyOf("BONK"),
  "named JUP": copyOf("JUP"),
  "named WIF": copyOf("WIF"),
  "named TRUMP": copyOf("TRUMP"),
  "named USDC with an Armenian letter": copyOf("ՍSDC"),
  "named USDC with a digit": copyOf("U5DC"),
  "named elsewhere, by a pointer to an account that cannot be read": changed(() => undefined, {
    mint: {
      extensions: [
        [
          18,
          bytes(64, [
            [0, DEPLOYER],
            [32, wallet("elsewhere")]
          ])
        ]
      ]
    }
  }),
  "silent third parties and a whale": changed((world, placed) => {
    withHolders(world, placed, [[wallet("whale"), 450]])
    thirdPartiesSilent(world)
  }),
  "a stake pool's name without its account": changed(() => undefined, {
    mint: { mintAuthority: programAddress("stake pool?") }
  })
}

export const hazards: Readonly<Record<string, Scenario>> = {
  ...concentration,
  ...hidden,
  ...liquidity,
  ...terms,
  ...reputation
}
