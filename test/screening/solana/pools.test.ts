import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import type { SolanaAddress } from "../../../src/domain/address.ts"
import * as at from "../../../src/screening/solana/addresses.ts"
import { decodePool } from "../../../src/screening/solana/pools/decode.ts"
import type { DecodedPool } from "../../../src/screening/solana/pools/decoded-pool.ts"
import { decodeBondingCurve } from "../../../src/screening/solana/pools/layouts/pump.ts"
import { account, anchored, anchorType, laidOut, u128, u16, wallet } from "../../support/solana/encode.ts"
import { compounded } from "../../support/solana/hazards/fees.ts"
import { screened } from "../../support/solana/screened.ts"

const token = wallet("token")
const [vaultA, vaultB, lpMint, creator] = [
  wallet("vault a"),
  wallet("vault b"),
  wallet("lp"),
  wallet("creator")
]
const { program } = at

/** sqrt(price) in Q64.64 for a price of B in A. */
const sqrtX64 = (price: number): bigint => BigInt(Math.round(Math.sqrt(price) * 2 ** 52)) << 12n

type Sides = readonly [SolanaAddress, SolanaAddress]

const accounts = {
  "raydium-amm-v4": ([a, b]: Sides) =>
    laidOut(program.raydiumAmmV4, 752, [
      [336, vaultA],
      [368, vaultB],
      [400, a],
      [432, b],
      [464, lpMint],
      [720, 77n]
    ]),
  "raydium-cpmm": ([a, b]: Sides) =>
    anchored(program.raydiumCpmm, "PoolState", 637, [
      [40, creator],
      [72, vaultA],
      [104, vaultB],
      [136, lpMint],
      [168, a],
      [200, b],
      [333, 77n]
    ]),
  pumpswap: ([a, b]: Sides) =>
    anchored(program.pumpSwap, "Pool", 245, [
      [11, creator],
      [43, a],
      [75, b],
      [107, lpMint],
      [139, vaultA],
      [171, vaultB],
      [203, 77n]
    ]),
  "raydium-clmm": ([a, b]: Sides) =>
    anchored(program.raydiumClmm, "PoolState", 1544, [
      [41, creator],
      [73, a],
      [105, b],
      [137, vaultA],
      [169, vaultB],
      [253, u128(sqrtX64(4))]
    ]),
  "meteora-damm-v2": ([a, b]: Sides) =>
    anchored(program.meteoraDammV2, "Pool", 1112, [
      [168, a],
      [200, b],
      [232, vaultA],
      [264, vaultB],
      [360, u128(1000n << 64n)],
      [456, u128(sqrtX64(4))],
      [552, u128(990n << 64n)],
      [648, creator]
    ]),
  "meteora-dlmm": ([a, b]: Sides) =>
    anchored(program.meteoraDlmm, "LbPair", 904, [
      [76, Uint8Array.of(139, 0, 0, 0)],
      [80, u16(100)],
      [88, a],
      [120, b],
      [152, vaultA],
      [184, vaultB]
    ]),
  "orca-whirlpool": ([a, b]: Sides) =>
    anchored(program.orcaWhirlpool, "Whirlpool", 653, [
      [65, u128(sqrtX64(4))],
      [101, a],
      [133, vaultA],
      [181, b],
      [213, vaultB]
    ])
}

const rawPrices: Readonly<Record<keyof typeof accounts, number | null>> = {
  "raydium-amm-v4": null,
  "raydium-cpmm": null,
  pumpswap: null,
  "raydium-clmm": 4,
  "meteora-damm-v2": 4,
  "meteora-dlmm": 1.01 ** 139,
  "orca-whirlpool": 4
}

const claims: Readonly<Record<keyof typeof accounts, unknown>> = {
  "raydium-amm-v4": { kind: "lp-tokens", lpMint, issued: 77n, locked: 0n },
  "raydium-cpmm": { kind: "lp-tokens", lpMint, issued: 77n, locked: 0n },
  pumpswap: { kind: "lp-tokens", lpMint, issued: 77n, locked: 0n },
  "raydium-clmm": { kind: "positions", locked: 0 },
  "meteora-damm-v2": { kind: "positions", locked: 0.99 },
  "meteora-dlmm": { kind: "positions", locked: 0 },
  "orca-whirlpool": { kind: "positions", locked: 0 }
}

/** The price an account names itself; null where the vaults' ratio is the price. */
const rawPrice = (pool: DecodedPool | null): number | null =>
  pool !== null && "rawPrice" in pool.reserves ? pool.reserves.rawPrice : null

const kinds = [
  "raydium-amm-v4",
  "raydium-cpmm",
  "pumpswap",
  "raydium-clmm",
  "meteora-damm-v2",
  "meteora-dlmm",
  "orca-whirlpool"
] as const

describe("decodePool", () => {
  for (const kind of kinds) {
    it(`reads ${kind} from both sides, with the price turned to the token's`, () => {
      const asA = decodePool(wallet("pool"), accounts[kind]([token, at.WSOL]), token)
      const asB = decodePool(wallet("pool"), accounts[kind]([at.WSOL, token]), token)
      expect(asA).toMatchObject({
        kind,
        quoteMint: at.WSOL,
        tokenVault: vaultA,
        quoteVault: vaultB,
        claim: claims[kind]
      })
      expect(asB).toMatchObject({
        kind,
        quoteMint: at.WSOL,
        tokenVault: vaultB,
        quoteVault: vaultA,
        claim: claims[kind]
      })
      const price = rawPrices[kind]
      if (price === null) expect([rawPrice(asA), rawPrice(asB)]).toEqual([null, null])
      else {
        expect(rawPrice(asA)).toBeCloseTo(price, 6)
        expect(rawPrice(asB)).toBeCloseTo(1 / price, 6)
      }
    })

    it(`does not take a ${kind} of other tokens, or of the token against itself, for a pool of the token`, () => {
      expect(decodePool(wallet("pool"), accounts[kind]([at.USDC, at.WSOL]), token)).toBe(null)
      expect(decodePool(wallet("pool"), accounts[kind]([token, token]), token)).toBe(null)
    })

    it(`does not believe ${kind} bytes under another program's name`, () => {
      const real = accounts[kind]([token, at.WSOL])
      expect(decodePool(wallet("pool"), { ...real, owner: wallet("fake amm") }, token)).toBe(null)
    })
  }

  it("does not take a longer account of AMM v4's, which names no type, for a pool", () => {
    const real = accounts["raydium-amm-v4"]([token, at.WSOL])
    const longer = laidOut(program.raydiumAmmV4, 2208, [[0, real.data]])
    expect(decodePool(wallet("pool"), real, token)).not.toBe(null)
    expect(decodePool(wallet("pool"), longer, token)).toBe(null)
  })

  it("never throws, whatever the bytes under a pool program", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.values(program)),
        fc.uint8Array({ maxLength: 800 }),
        fc.constantFrom("Pool", "PoolState", "LbPair", "Whirlpool"),
        (owner, noise, type) => {
          const data = Uint8Array.from([...anchorType(type), ...noise])
          expect(() => decodePool(wallet("pool"), account(owner, data), token)).not.toThrow()
          expect(() => decodeBondingCurve(account(owner, data), null)).not.toThrow()
        }
      )
    )
  })

  it("gives no pool where the price is zero or beyond numbers", () => {
    const zero = anchored(program.orcaWhirlpool, "Whirlpool", 653, [
      [101, token],
      [133, vaultA],
      [181, at.WSOL],
      [213, vaultB]
    ])
    expect(decodePool(wallet("pool"), zero, token)).toBe(null)
  })
})

describe("Raydium LaunchLab", () => {
  const curve = (status: number) =>
    anchored(program.raydiumLaunchLab, "PoolState", 429, [
      [17, status],
      [37, 1_000n],
      [45, 30n],
      [53, 500n],
      [61, 20n],
      [205, token],
      [237, at.WSOL],
      [269, vaultA],
      [301, vaultB],
      [333, creator]
    ])
  it("is a curve priced by its virtual and real reserves while it raises", () => {
    expect(decodePool(wallet("pool"), curve(0), token)).toMatchObject({
      kind: "raydium-launchlab",
      reserves: { kind: "curve", token: 500n, quote: 50n, realQuote: 20n },
      claim: { kind: "curve" }
    })
  })
  it.each([1, 2])("is no pool any more in status %i", (status) => {
    expect(decodePool(wallet("pool"), curve(status), token)).toBe(null)
  })
})

describe("pump.fun curve", () => {
  const discriminator = Uint8Array.of(23, 183, 248, 55, 96, 216, 172, 96)
  const curve = (size: number, complete: number, quote?: SolanaAddress) =>
    laidOut(program.pumpCurve, size, [
      [0, discriminator],
      [8, 1_073_000_000_000_000n],
      [16, 30_000_000_000n],
      [24, 793_100_000_000_000n],
      [32, 5n],
      [40, 1_000_000_000_000_000n],
      [48, complete],
      ...(size >= 81 ? [[49, creator] as const] : []),
      ...(quote === undefined ? [] : [[83, quote] as const])
    ])
  it("prices the token by its virtual reserves, against SOL in old and new layouts", () => {
    for (const size of [49, 81, 150]) {
      const { pool } = decodeBondingCurve(curve(size, 0), vaultA) ?? {}
      expect(pool).toMatchObject({
        quoteMint: at.WSOL,
        reserves: { token: 1_073_000_000_000_000n, quote: 30_000_000_000n, realQuote: 5n },
        tokenVault: vaultA,
        claim: { kind: "curve" }
      })
    }
  })
  it("reads another quote mint where the layout names one", () => {
    expect(decodeBondingCurve(curve(150, 0, at.USDC), null)?.pool?.quoteMint).toBe(at.USDC)
  })
  it.each([
    [0n, 0.0125],
    [30n, 0.0125],
    [300n, 0.0395]
  ])("takes its own creator's fee in place of the one of the tiers: %i", (creatorFee, fee) => {
    const { data, owner } = curve(150, 0)
    const own = laidOut(owner, 150, [
      [0, data],
      [115, creatorFee]
    ])
    const swap = accounts.pumpswap([token, at.WSOL])
    const pool = laidOut(swap.owner, 301, [
      [0, swap.data],
      [261, creatorFee]
    ])
    const rates = [decodeBondingCurve(own, null)?.pool, decodePool(wallet("pool"), pool, token)].map((one) =>
      one?.fee.kind === "constant" ? one.fee.rate : null
    )
    expect(rates[0]).toBeCloseTo(fee, 10)
    expect(rates[1]).toBeCloseTo(fee, 10)
  })
  it("is no pool once complete", () => {
    expect(decodeBondingCurve(curve(150, 1), null)).toMatchObject({ complete: true, creator, pool: null })
  })
  it("is nothing under another program", () => {
    expect(decodeBondingCurve({ ...curve(150, 0), owner: wallet("fake") }, null)).toBe(null)
  })
})

describe("Meteora DAMM v2", () => {
  it.effect("has what it has compounded besides what was put in", () =>
    Effect.gen(function* () {
      const { screening, verdict } = yield* screened(compounded)
      expect(verdict).toBe("allow")
      expect(screening.liquidityUsd).toBeCloseTo(200 * 150, 0)
    })
  )
})
