/** Tokens an expert would buy, or at worst watch. */
import { Effect } from "effect"
import { SolanaAddress } from "../../../src/domain/address.ts"
import * as at from "../../../src/screening/solana/addresses.ts"
import {
  associatedTokenAccount,
  deriveAddresses,
  dlmmBinArray
} from "../../../src/screening/solana/reads/pdas.ts"
import type { PlacedToken } from "./clean-token.ts"
import { DEPLOYER, pairOf, SUPPLY } from "./clean-token.ts"
import type { FakeWorld } from "./fake-world.ts"
import {
  account,
  anchorType,
  bytes,
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
  placeGraduate,
  placePumpCurve,
  placeToken,
  sync,
  thirdPartiesSilent,
  withHolders,
  withLpHolders
} from "./scenarios.ts"

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

/** A listed mint with its issuer's powers on, its liquidity unlocked and its balances large. */
const listed = (text: string): Scenario =>
  changed(
    (world, placed) => {
      withHolders(world, placed, [[wallet("custody"), 600]])
      withLpHolders(world, placed, [[wallet("market maker"), 1000]])
    },
    {
      address: SolanaAddress.make(text),
      mint: { mintAuthority: wallet("issuer"), freezeAuthority: wallet("issuer") },
      lpLeft: LP
    }
  )

/** A large cap: pools hold little of the supply, holders are many and uneven, LP tokens are many parties'. */
const largeCap = (text: string, symbol: string): Scenario =>
  changed(
    (world, placed) => {
      withHolders(
        world,
        placed,
        holdersOf(19, (index) => 75 / (1 + index * 0.45)),
        30
      )
      withLpHolders(
        world,
        placed,
        holdersOf(20, (index) => 90 - index * 4).map(([owner, share]) => [owner, Math.round(share)] as const)
      )
    },
    { address: SolanaAddress.make(text), symbol, dollars: 2_000_000n, lpLeft: LP, ageMs: 900 * 86_400_000 }
  )

const locked = { price: 200e9 / (Number(SUPPLY) / 5), quoteAmount: 200_000_000_000n }

const dammLaunch = (label: string, options: Partial<Parameters<typeof dammV2>[0]> = {}): Scenario =>
  sync(
    (world) =>
      placeToken(
        world,
        { label, tokens: SUPPLY / 5n, quoteAmount: 200_000_000_000n },
        dammV2({ ...locked, ...options })
      ).mint
  )

/** A launch on Meteora's curve: 12 of 85 SOL raised. */
const dbc: Scenario = sync((world) => {
  const config = wallet("dbc config")
  const price = 40e9 / 9e14
  const placed = placeToken(
    world,
    { label: "dbc", tokens: (SUPPLY * 7n) / 10n, quoteAmount: 12_000_000_000n },
    ({ mint, quoteVault, tokenVault }) =>
      account(
        at.program.meteoraDbc,
        bytes(424, [
          [0, anchorType("VirtualPool")],
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
  )
  world.accounts.set(
    config,
    account(
      at.program.meteoraDbc,
      bytes(1048, [
        [0, anchorType("PoolConfig")],
        [8, at.WSOL],
        [104, 10_000_000n],
        [235, 6],
        [264, 85_000_000_000n],
        [408, u128(1n << 90n)],
        [424, u128(BigInt(Math.round(Math.sqrt(40e9 * 9e14))) << 64n)]
      ])
    )
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
})

const launchLab = (label: string, quote: SolanaAddress, raised: bigint, virtual: bigint): Scenario =>
  sync(
    (world) =>
      placeToken(
        world,
        { label, quote, tokens: (SUPPLY * 7n) / 10n, quoteAmount: raised },
        ({ mint, quoteVault, tokenVault }) =>
          account(
            at.program.raydiumLaunchLab,
            bytes(429, [
              [0, anchorType("PoolState")],
              [37, 1_073_000_000_000_000n],
              [45, virtual],
              [53, 300_000_000_000_000n],
              [61, raised],
              [69, raised * 4n],
              [205, mint],
              [237, quote],
              [269, tokenVault],
              [301, quoteVault],
              [333, DEPLOYER]
            ])
          )
      ).mint
  )

const moonshot: Scenario = sync((world) => {
  const placed = placeToken(world, { label: "moonshot", tokens: (SUPPLY * 6n) / 10n, quoteAmount: 0n }, () =>
    account(at.SYSTEM_PROGRAM, new Uint8Array())
  )
  const { moonshot: curve } = deriveAddresses(placed.mint)
  const left = 600_000_000_000_000_000n
  world.accounts.set(curve, {
    ...account(
      at.program.moonshot,
      bytes(409, [
        [0, anchorType("CurveAccount")],
        [8, 1_000_000_000_000_000_000n],
        [16, left],
        [24, placed.mint],
        [56, 9],
        [58, 1]
      ])
    ),
    lamports: 20_000_000_000n
  })
  const vault = associatedTokenAccount(curve, placed.mint, at.TOKEN_PROGRAM)
  world.accounts.set(vault, encodeTokenAccount(placed.mint, curve, (SUPPLY * 6n) / 10n))
  world.largest.set(placed.mint, [
    { address: vault, amount: (SUPPLY * 6n) / 10n },
    ...(world.largest.get(placed.mint) ?? []).slice(1)
  ])
  world.pairs.set(placed.mint, [pairOf(curve, at.WSOL, { priceUsd: null })])
  return placed.mint
})

const whirlpool = (positions: number): Scenario =>
  sync((world) => {
    const liquidity = 10n ** 15n
    const price = 200e9 / (Number(SUPPLY) / 5)
    const placed = placeToken(
      world,
      { label: `whirlpool of ${positions}`, tokens: SUPPLY / 5n, quoteAmount: 200_000_000_000n },
      ({ mint, quoteVault, tokenVault }) =>
        account(
          at.program.orcaWhirlpool,
          bytes(653, [
            [0, anchorType("Whirlpool")],
            [45, u16(3000)],
            [49, u128(liquidity * 1000n)],
            [65, u128(BigInt(Math.round(Math.sqrt(price) * 2 ** 60)) << 4n)],
            [101, mint],
            [133, tokenVault],
            [181, at.WSOL],
            [213, quoteVault]
          ])
        )
    )
    for (let index = 0; index < positions; index++)
      world.accounts.set(
        wallet(`position ${index}`),
        account(
          at.program.orcaWhirlpool,
          bytes(216, [
            [0, anchorType("Position")],
            [8, placed.pool],
            [40, wallet(`position mint ${index}`)],
            [72, u128(liquidity / BigInt(positions))],
            [88, Uint8Array.of(0, 0, 255, 255)],
            [92, Uint8Array.of(0, 0, 1, 0)]
          ])
        )
      )
    return placed.mint
  })

const dlmm: Scenario = sync((world) => {
  const price = 200e9 / (Number(SUPPLY) / 5)
  const activeId = Math.round(Math.log(price) / Math.log(1.008))
  const placed = placeToken(
    world,
    { label: "dlmm", tokens: SUPPLY / 5n, quoteAmount: 200_000_000_000n },
    ({ mint, quoteVault, tokenVault }) =>
      account(
        at.program.meteoraDlmm,
        bytes(904, [
          [0, anchorType("LbPair")],
          [8, u16(10_000)],
          [76, new Uint8Array(new Int32Array([activeId]).buffer)],
          [80, u16(80)],
          [88, mint],
          [120, at.WSOL],
          [152, tokenVault],
          [184, quoteVault]
        ])
      )
  )
  const array = dlmmBinArray(placed.pool, BigInt(Math.floor(activeId / 70)))
  const bins = Array.from({ length: 70 }, (_, bin) => [64 + bin * 144, 3_000_000_000n] as const)
  world.accounts.set(
    array,
    account(at.program.meteoraDlmm, bytes(10_136, [[0, anchorType("BinArray")], ...bins]))
  )
  for (let index = 0; index < 12; index++)
    world.accounts.set(
      wallet(`dlmm position ${index}`),
      account(
        at.program.meteoraDlmm,
        bytes(8120, [
          [8, placed.pool],
          [40, wallet(`provider ${index}`)],
          [72, u128(BigInt(10 + index) << 64n)]
        ])
      )
    )
  return placed.mint
})

const vesting: Scenario = changed((world, placed) => {
  const contract = programAddress("vesting contract")
  withHolders(world, placed, [[contract, 300], ...holdersOf(15, (index) => 10 - index * 0.4)])
  world.accounts.set(
    contract,
    account(
      at.TIME_LOCKERS.streamflow,
      bytes(1104, [
        [33, 4_000_000_000n],
        [113, wallet("team")],
        [177, placed.mint],
        [417, (SUPPLY * 3n) / 10n],
        [425, 1n],
        [441, 3_900_000_000n]
      ])
    )
  )
})

/** Somebody else's clean token, with a Whirlpool out of range and 9 million dollars of bids beside it. */
const griefed: Scenario = changed((world, placed) => {
  const [pool, quoteVault, vault] = [wallet("grief"), wallet("grief quote"), wallet("grief token")]
  world.accounts.set(quoteVault, encodeTokenAccount(at.USDC, pool, 9_000_000_000_000n))
  world.accounts.set(vault, encodeTokenAccount(placed.mint, pool, 0n))
  world.accounts.set(
    pool,
    account(
      at.program.orcaWhirlpool,
      bytes(653, [
        [0, anchorType("Whirlpool")],
        [65, u128(1n << 70n)],
        [101, placed.mint],
        [133, vault],
        [181, at.USDC],
        [213, quoteVault]
      ])
    )
  )
  world.pairs.set(placed.mint, [
    ...(world.pairs.get(placed.mint) ?? []),
    pairOf(pool, at.USDC, { liquidityUsd: 9_000_000, liquidityQuote: 9_000_000, priceUsd: 4096 })
  ])
})

/** A graduate whose quote is another graduate. */
const coinQuoted: Scenario = sync((world) => {
  const quote = placeGraduate(world, { label: "quote coin", sol: 5000 })
  const quoteCurve = deriveAddresses(quote).curve
  world.accounts.set(
    quoteCurve,
    account(
      at.program.pumpCurve,
      bytes(151, [
        [0, Uint8Array.of(23, 183, 248, 55, 96, 216, 172, 96)],
        [48, 1]
      ])
    )
  )
  const placed = placeToken(
    world,
    { label: "coin quoted", quote, tokens: SUPPLY / 5n, quoteAmount: SUPPLY / 100n },
    ({ mint, quoteVault, tokenVault }) =>
      account(
        at.program.pumpSwap,
        bytes(301, [
          [0, anchorType("Pool")],
          [11, DEPLOYER],
          [43, mint],
          [75, quote],
          [107, wallet("coin lp")],
          [139, tokenVault],
          [171, quoteVault],
          [203, LP]
        ])
      )
  )
  const lpMint = { ...placed, lpMint: wallet("coin lp") }
  withLpHolders(world, lpMint, [])
  return placed.mint
})

export const honest: Readonly<Record<string, Scenario>> = {
  "the clean token": changed(() => undefined),
  "the clean token, third parties silent": changed((world) => thirdPartiesSilent(world)),
  USDS: listed("USDSwr9ApdHk5bvJKMjzff41FfuX8bSxdKcR81vTwcA"),
  USDT: listed(at.USDT),
  PYUSD: listed("2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo"),
  JitoSOL: listed("J1toso1uCk3RLmjorhTtrVwY9HJ7X8V9yYac6Y7kGCPn"),
  jupSOL: listed("jupSoLaHXQiZZTSfEWMTRRgpnyFm8f6sZdosWBjx93v"),
  INF: listed("5oVNBeEEQvYi1cX3ir8Dx5n1P7pdxydbGF2X4TxVusJm"),
  "cbBTC, at most caution": listed("cbbtcf3aa214zXHbiAZQwf4122FBYbraNdFqgw4iMij"),
  "TSLAx, at most caution": listed("XsDoVfqeBukxuZHWhdvWHBhgEHjGNst4MLodqsJHzoB"),
  "JUP's shape": largeCap("JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN", "JUP"),
  "BONK's shape": largeCap("DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263", "Bonk"),
  "WIF's shape": largeCap("EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm", "$WIF"),
  "a young curve, 4 SOL raised": sync((world) => placePumpCurve(world, { label: "four", sol: 4 })),
  "a curve half way, 35 SOL raised": sync((world) => placePumpCurve(world, { label: "half", sol: 35 })),
  "a curve near its end, 80 SOL raised": sync((world) => placePumpCurve(world, { label: "end", sol: 80 })),
  "a young curve whose developer bought 3 %": sync((world) =>
    placePumpCurve(world, { label: "dev", sol: 6, holders: [[DEPLOYER, 30], ...holdersOf(15, 8)] })
  ),
  "a mayhem coin": sync((world) => placePumpCurve(world, { label: "mayhem", sol: 20, mayhem: true })),
  "a graduate": sync((world) => placeGraduate(world, { label: "plain", sol: 85 })),
  "a graduate with virtual reserves": sync((world) =>
    placeGraduate(world, { label: "virtual", sol: 85, virtual: 17.58 })
  ),
  "a graduate with negative virtual reserves": sync((world) =>
    placeGraduate(world, { label: "negative", sol: 85, virtual: -2 })
  ),
  "a graduate, third parties silent": sync((world) => {
    const mint = placeGraduate(world, { label: "silent", sol: 85 })
    thirdPartiesSilent(world)
    return mint
  }),
  "a graduate of twenty equal holders of 1 %": sync((world) =>
    placeGraduate(world, { label: "equal", sol: 85, holders: holdersOf(20, 10) })
  ),
  "a DBC launch": dbc,
  "a Moonshot curve": moonshot,
  "a DAMM v2 launch, locked for good": dammLaunch("locked"),
  "a DAMM v2 launch whose fee has fallen": dammLaunch("fallen", {
    cliff: 500_000_000n,
    fee: { mode: 0, periods: 10, every: 60n, reduction: 49_000_000n },
    activation: 1n
  }),
  "LaunchLab against SOL": launchLab("lab sol", at.WSOL, 20_000_000_000n, 30_000_000_000n),
  "LaunchLab against USD1": launchLab("lab usd1", at.USD1, 3_000_000_000n, 4_500_000_000n),
  "a Whirlpool of thirty positions": whirlpool(30),
  "a DLMM of twelve providers": dlmm,
  "a third of the supply vesting for years": vesting,
  "a clean token griefed by an out-of-range Whirlpool": griefed,
  "a graduate quoted in another graduate": coinQuoted,
  "LP tokens with Burn & Earn": changed(
    (world, placed) => withLpHolders(world, placed, [[at.RAYDIUM_BURN_AND_EARN, 1000]]),
    { lpLeft: LP }
  ),
  "mutable metadata": changed(() => undefined, { mutable: true }),
  "a 1 % transfer fee for good": changed(() => undefined, {
    mint: {
      extensions: [
        [
          1,
          bytes(108, [
            [80, 10n ** 18n],
            [88, u16(100)],
            [98, 10n ** 18n],
            [106, u16(100)]
          ])
        ]
      ]
    }
  })
}
