/** Accounts of mainnet as nodes returned them, decoded to what the programs' own SDKs compute from the same bytes. */
import { describe, expect, it } from "@effect/vitest"
import { getAddressDecoder } from "@solana/kit"
import { SolanaAddress } from "../../../src/domain/address.ts"
import * as at from "../../../src/screening/solana/addresses.ts"
import { decodePool } from "../../../src/screening/solana/pools/decode.ts"
import type { DecodedPool } from "../../../src/screening/solana/pools/decoded-pool.ts"
import { decodeBondingCurve } from "../../../src/screening/solana/pools/layouts/pump.ts"
import { depthOf, rawPriceOf } from "../../../src/screening/solana/pools/reserves.ts"
import { feeAt, hasOpened } from "../../../src/screening/solana/pools/terms.ts"
import { readMint } from "../../../src/screening/solana/power/mint.ts"
import { isStakePoolOf, stakePoolOf } from "../../../src/screening/solana/power/stake-pool.ts"
import { bytesOf } from "../../../src/screening/solana/reads/bytes.ts"
import {
  clmmVault,
  cpmmVault,
  dammVault,
  dlmmReserve,
  launchLabCurve
} from "../../../src/screening/solana/reads/pdas.ts"
import { encodeTokenAccount, wallet } from "../../support/solana/encode.ts"
import { entry, files } from "../../support/solana/real-accounts.ts"

const mint = (text: string) => SolanaAddress.make(text)
const NOW = { seconds: 1_790_000_000, slot: 400_000_000n }

const bookOf = (file: string) =>
  new Map(
    (files[file] ?? []).map((_, index) => {
      const { account, address } = entry(file, index)
      return [address, account] as const
    })
  )

const decode = (file: string, index: number, token: SolanaAddress): DecodedPool => {
  const { account, address } = entry(file, index)
  const pool = decodePool(address, account, token, bookOf(file))
  if (pool === null) throw new Error(`${file} ${index} did not decode`)
  return pool
}

/** Whole quote per whole token, from what the account and its vaults say. */
const priceOf = (
  pool: DecodedPool,
  token: SolanaAddress,
  file: string,
  decimals: number,
  quoteDecimals: number
) => {
  const book = bookOf(file)
  const { quoteMint, quoteVault } = pool
  if (quoteVault !== null && quoteMint !== null && !book.has(quoteVault))
    book.set(quoteVault, encodeTokenAccount(quoteMint, wallet("v"), 10n ** 15n))
  const depth = "rawPrice" in pool.reserves ? null : depthOf(pool, token, book, NOW.seconds)
  const raw =
    "rawPrice" in pool.reserves ? pool.reserves.rawPrice : depth === null ? Number.NaN : rawPriceOf(depth)
  return raw * 10 ** (decimals - quoteDecimals)
}

/** The first mint of a pair. */
const dlmmToken = (index: number): SolanaAddress =>
  bytesOf(entry("meteora-dlmm", index).account.data).address(88)

const expectNear = (price: number, expected: number) =>
  expect(Math.abs(price / expected - 1)).toBeLessThan(0.001)

describe("a real pool is priced as its SDK prices it", () => {
  const graduate = mint("J5reXJehdCV86HPHg2ewbeGYfMkxQT2YmLcg4DVfpump")
  const rows = [
    ["PumpSwap with virtual reserves", "pumpswap", 0, graduate, 6, 9, 4.337730876e-8],
    ["PumpSwap without", "pumpswap", 3, at.USDC, 6, 9, 0.01185848047],
    ["DAMM v2", "meteora-damm-v2", 0, at.WSOL, 9, 6, 175.1396917],
    ["another DAMM v2", "meteora-damm-v2", 1, at.WSOL, 9, 6, 165.4244213],
    ["DBC", "meteora-dbc", 0, mint("QS4QLW6vZWMmQE3j3LAnGfCZbXWbVfDuVDeVfgT2dzM"), 6, 9, 5.710184671e-8],
    ["DLMM", "meteora-dlmm", 0, mint("B4rGSdcBrmLEPUQXpZa91PMsRE3GqNcjLd6EMvM3yaj2"), 9, 9, 1],
    [
      "DLMM far from bin 0",
      "meteora-dlmm",
      3,
      mint("FzytSxQv6nBgH3dByVJtgMVg6rANTZaZPzU6dcRbpump"),
      6,
      9,
      2.252159563e-7
    ],
    ["Whirlpool", "orca-whirlpool", 0, at.WSOL, 9, 6, 73.20551387],
    ["an older Whirlpool", "orca-whirlpool", 1, at.WSOL, 9, 6, 40.36222565],
    ["CLMM", "raydium-clmm", 0, at.WSOL, 9, 6, 1232182.109],
    [
      "LaunchLab",
      "raydium-launchlab",
      0,
      mint("ALvT2usBGUC8C21dDiXpwAGVwA3x1GBKtut3VFWQcX8x"),
      6,
      6,
      5.09142036e-7
    ]
  ] as const
  for (const [name, file, index, token, decimals, quoteDecimals, expected] of rows) {
    it(`${name}`, () => {
      const pool = decode(file, index, token)
      const price = priceOf(pool, token, file, decimals, quoteDecimals)
      expectNear(price, expected)
    })
  }

  it("the graduate's real quote is what a seller can get, its effective quote what prices it", () => {
    const pool = decode("pumpswap", 0, graduate)
    expect(pool.reserves).toMatchObject({ virtualQuote: 17_584_505_540n })
    const depth = depthOf(pool, graduate, bookOf("pumpswap"), NOW.seconds)
    expect(depth).toEqual({ token: 637_486_385_438_484, quote: 27_652_443_770, real: 10_067_938_230 })
  })

  it("pump.fun's curves: one trading, one complete, one of a young Token-2022 coin", () => {
    const curve = (index: number) => decodeBondingCurve(entry("pump-curve", index).account, null)
    const price = (index: number) => {
      const reserves = curve(index)?.pool?.reserves
      return reserves?.kind === "curve" ? Number(reserves.quote) / Number(reserves.token) : Number.NaN
    }
    // Both figures of the source are whole SOL per whole token; 6 and 9 decimals lie between.
    expectNear(price(0) / 1000, 9.545531688e-8)
    expectNear(price(2) / 1000, 2.801464056e-8)
    expect(curve(1)).toMatchObject({ complete: true, pool: null })
    expect(curve(2)).toMatchObject({ complete: false, isMayhem: false })
  })

  it("Moonshot's curve: what was raised is what the account holds beyond its rent", () => {
    const pool = decode("moonshot", 0, mint("3cBFsM1wosTJi9yun6kcHhYHyJcut1MNQY28zjC4moon"))
    if (pool.reserves.kind !== "curve") throw new Error("no curve")
    const raised = Number(pool.reserves.realQuote)
    expect(raised).toBeGreaterThan(590_000_000)
    expect(raised).toBeLessThanOrEqual(601_049_596)
    expect(pool).toMatchObject({ quoteMint: at.WSOL, claim: { kind: "curve" } })
  })

  it("AMM v4 and CPMM: status, fees owed, and who holds the LP tokens", () => {
    expect(decode("raydium-amm-v4", 0, at.WSOL)).toMatchObject({
      quoteMint: at.USDC,
      trading: { kind: "open" },
      reserves: { owedToken: 0n, owedQuote: 0n },
      fee: { kind: "constant", rate: 0.0025 },
      claim: { issued: 41_370_974_544_428n, lpMint: "8HoQnePLqPj4M7PUDzfw8e3Ymdwgc7NLGnaTUapubyvu" }
    })
    const cpmm = decode("raydium-cpmm", 0, mint("oHo3ssTsm9bxtegyRMpYsvASVGQAF2SYqeX1JjJWXRA"))
    expect(cpmm).toMatchObject({
      reserves: { owedToken: 19_905_730_496_642n + 73_117_231_019_654n, owedQuote: 1_142_213n + 4_189_415n },
      claim: { issued: 123_375_991_500_693n }
    })
    expect(hasOpened(cpmm.trading, NOW)).toBe(true)
    expect(hasOpened(cpmm.trading, { ...NOW, seconds: 1_773_063_179 })).toBe(false)
  })

  it("PumpSwap's pools: the LP mint, what was issued of it, and the creator", () => {
    expect(decode("pumpswap", 0, graduate)).toMatchObject({
      quoteMint: at.WSOL,
      claim: { issued: 4_193_388_312_603n, lpMint: "2m4VPfo4CiP5w1EWUynFXf9eymbok6mX6CwqV7s4WETa" },
      creator: "BDPcUUQ9nNS9vSkXCcETQCratuMbqFceraMb3W21WmEL"
    })
    expect(decode("pumpswap", 3, at.USDC)).toMatchObject({
      reserves: { virtualQuote: 0n },
      claim: { issued: 4_209_578_042_884n, lpMint: "97w26BXNbjXmigPaaRPcRbuPRnnPV49PFyD3oLiwryg4" },
      creator: "CbAF99HGQnAtnvw67nHesZH7ZwaQZeboYceCH5xNhr4s"
    })
  })

  it("DLMM pairs: which of the arrays that a seller reaches first hold something", () => {
    const [held, beside] = [0, 3].map((index) => decode("meteora-dlmm", index, dlmmToken(index)).reserves)
    expect(held).toMatchObject({ kind: "bins", filled: new Set(held?.kind === "bins" ? held.arrays : []) })
    // Its money lies two arrays above the price: of those at it none is counted.
    expect(beside).toMatchObject({ kind: "bins", filled: new Set() })
  })

  it("Whirlpools, CLMM and DLMM: what trades now, for what fee", () => {
    const [deepest, older] = [0, 1].map((index) => decode("orca-whirlpool", index, at.WSOL))
    expect(deepest).toMatchObject({
      quoteMint: at.USDC,
      reserves: { liquidity: 689_480_494_328_519 },
      fee: { kind: "constant", rate: 0.0004 }
    })
    expect(older).toMatchObject({ reserves: { liquidity: 179_999_872_843_830 } })
    expect(decode("raydium-clmm", 0, at.WSOL)).toMatchObject({
      quoteMint: "4kzLMxfMZVf6UztzjMcAmyLfBYgFcr9FfpwusrqgEjiH",
      reserves: { liquidity: 3_464_101_788_356 },
      trading: { kind: "open" }
    })
    for (const [index, token] of [
      [0, "B4rGSdcBrmLEPUQXpZa91PMsRE3GqNcjLd6EMvM3yaj2"],
      [3, "FzytSxQv6nBgH3dByVJtgMVg6rANTZaZPzU6dcRbpump"]
    ] as const)
      expect(hasOpened(decode("meteora-dlmm", index, mint(token)).trading, NOW)).toBe(true)
  })

  it("LaunchLab's curve: what was sold and raised, against a quote that is not SOL", () => {
    expect(
      decode("raydium-launchlab", 0, mint("ALvT2usBGUC8C21dDiXpwAGVwA3x1GBKtut3VFWQcX8x"))
    ).toMatchObject({
      quoteMint: "SNAPcESrvnH8yUdgeMF6xm1hym9b6hW6s8YeqeHdZFz",
      reserves: {
        kind: "curve",
        token: 1_073_025_605_605_344n - 2_715_477_040_975n,
        quote: 543_560_805n + 1_379_073n,
        realQuote: 1_379_073n
      },
      creator: "qaVvuapBm4RvJVZ1dESSCM5KFBPps6bL56r8nGtXweK"
    })
  })

  it("LaunchLab's curve stands at the address that follows from its two mints", () => {
    const [token, quote] = [
      mint("ALvT2usBGUC8C21dDiXpwAGVwA3x1GBKtut3VFWQcX8x"),
      mint("SNAPcESrvnH8yUdgeMF6xm1hym9b6hW6s8YeqeHdZFz")
    ]
    expect(launchLabCurve(token, quote)).toBe("7L2sWFH3rjHCBbjye28oHXDW1H9Vkt2WNeMJcW4B1hUK")
  })

  it("DBC: the goal, and that the next pool's liquidity is locked", () => {
    const curve = decode("meteora-dbc", 0, mint("QS4QLW6vZWMmQE3j3LAnGfCZbXWbVfDuVDeVfgT2dzM"))
    expect(curve).toMatchObject({ handedOut: 0, trading: { kind: expect.not.stringMatching("closed") } })
    expect(curve.reserves).toMatchObject({
      ownQuote: 11_725_382_491,
      ownTokens: 722_427_194_010_288
    })
  })

  it("two coins' transfer hooks are seen", () => {
    const hooked = (files["mints"] ?? []).flatMap((_, index) => {
      const reading = readMint(entry("mints", index).account)
      const hook = reading.kind === "mint" ? reading.mint.walk.extensions.transferHook : undefined
      return hook?.programId == null ? [] : [hook.programId]
    })
    expect(hooked.length).toBe(2)
  })

  it("FluxBeam's swap names both its mints and its LP mint", () => {
    const { account } = entry("fluxbeam", 0)
    const key = (offset: number) => mint(getAddressDecoder().decode(account.data, offset))
    const pool = decode("fluxbeam", 0, key(131))
    expect(pool).toMatchObject({
      kind: "fluxbeam",
      quoteMint: key(163),
      fee: { kind: "constant", rate: 0.002 }
    })
  })

  it("DAMM v2 and DBC: the fees in force, and what is locked for good", () => {
    const pool = decode("meteora-damm-v2", 0, at.WSOL)
    expect(feeAt(pool.fee, NOW)).toEqual({ now: 0.0025, lasting: 0.0025 })
    expect(pool.claim).toMatchObject({ kind: "positions", locked: expect.closeTo(0.0002, 4) })
    const curve = decode("meteora-dbc", 0, mint("QS4QLW6vZWMmQE3j3LAnGfCZbXWbVfDuVDeVfgT2dzM"))
    expect(curve).toMatchObject({ quoteMint: at.WSOL, claim: { kind: "curve" } })
    expect(feeAt(curve.fee, NOW)?.now).toBeLessThanOrEqual(0.02)
  })

  it("JitoSOL's authority is its stake pool's own, by the pool's account; mSOL's is not", () => {
    const pool = entry("stake-pool", 0)
    const jito = mint("J1toso1uCk3RLmjorhTtrVwY9HJ7X8V9yYac6Y7kGCPn")
    const reading = readMint(entry("mints", 4).account)
    if (reading.kind !== "mint") throw new Error("no mint")
    const found = { address: pool.address, owner: pool.account.owner, data: pool.account.data }
    expect(isStakePoolOf(found, jito, reading.mint)).toBe(true)
    expect(stakePoolOf(found)).toMatchObject({ kept: 0.001 })
    expect(isStakePoolOf({ ...found, owner: at.TOKEN_PROGRAM }, jito, reading.mint)).toBe(false)
    expect(isStakePoolOf({ ...found, address: wallet("other pool") }, jito, reading.mint)).toBe(false)
    const other = readMint(entry("mints", 5).account)
    expect(other.kind === "mint" && isStakePoolOf(found, jito, other.mint)).toBe(false)
  })

  it("every mint reads, Token-2022 extensions included", () => {
    for (const [index] of (files["mints"] ?? []).entries()) {
      const reading = readMint(entry("mints", index).account)
      expect(reading.kind === "mint" && reading.mint.walk.kind).toBe("complete")
    }
  })
})

describe("where a pool keeps its two sides follows from its address", () => {
  const pools = [
    ["raydium-cpmm", cpmmVault, { sides: [168, 200], vaults: [72, 104] }],
    ["meteora-dlmm", dlmmReserve, { sides: [88, 120], vaults: [152, 184] }],
    ["meteora-damm-v2", dammVault, { sides: [168, 200], vaults: [232, 264] }]
  ] as const
  for (const [file, vaultOf, { sides, vaults }] of pools) {
    it(`${file}`, () => {
      const { account, address } = entry(file, 0)
      const bytes = bytesOf(account.data)
      const derived = sides.map((offset) => vaultOf(address, bytes.address(offset)))
      expect(derived).toEqual(vaults.map((offset) => bytes.address(offset)))
    })
  }

  it("Raydium's CLMM, by the vaults of its deepest SOL/USDC pool", () => {
    const [, pool] = at.SOL_USDC_POOLS
    const vaults = pool === undefined ? [] : [at.WSOL, at.USDC].map((side) => clmmVault(pool, side))
    expect(vaults).toEqual([
      "4ct7br2vTPzfdmY3S5HLtTxcGSBfn6pnw98hsS6v359A",
      "5it83u57VRrVgc51oNV19TTmAJuffPx5GtGwQr7gQNUo"
    ])
  })
})
