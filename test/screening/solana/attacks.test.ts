/** The attacks of facts/risk.md G that concern Solana, each played against the whole plan. */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { SolanaAddress } from "../../../src/domain/address.ts"
import * as at from "../../../src/screening/solana/addresses.ts"
import { associatedTokenAccount, deriveAddresses, uncxVault } from "../../../src/screening/solana/pdas.ts"
import { DEPLOYER, emptyReport, pairOf, placeCleanToken, placeCpmm, SUPPLY } from "./clean-token.ts"
import {
  account,
  anchorType,
  bytes,
  encodeMetadata,
  encodeMint,
  encodeTokenAccount,
  findings,
  makeFakeWorld,
  programAddress,
  screenIn,
  u128,
  u16,
  wallet
} from "./fake-world.ts"

const LP = 1_000_000_000n
const attacker = wallet("attacker")

const feeValue = (authority: SolanaAddress | null, older: number, newer: number, newerEpoch: bigint) =>
  bytes(108, [
    ...(authority === null ? [] : [[0, authority] as const]),
    [80, 1_000_000_000n],
    [88, u16(older)],
    [90, newerEpoch],
    [98, 1_000_000_000n],
    [106, u16(newer)]
  ])

describe("fake liquidity", () => {
  it.effect("against a worthless quote counts for nothing and prices nothing", () =>
    Effect.gen(function* () {
      const world = makeFakeWorld()
      const { mint } = yield* placeCleanToken(world, { dollars: 1n })
      const junk = wallet("junk quote")
      world.pairs.set(mint, [pairOf(wallet("junk pool"), junk, { liquidityUsd: 9_000_000, priceUsd: 42 })])
      for (const depth of ["ping", "deep"] as const) {
        const { safe, screening } = yield* screenIn(world, mint, depth)
        expect(screening.priceUsd).toBe(null)
        expect(screening.liquidityUsd).toBe(2)
        expect(safe).toBe(false)
        expect(findings(screening)).toEqual(
          expect.arrayContaining(["NEGLIGIBLE_LIQUIDITY:fail", "WORTHLESS_QUOTES:fail"])
        )
      }
    })
  )

  it.effect("in a pool of the token against itself is no pool", () =>
    Effect.gen(function* () {
      const world = makeFakeWorld()
      const { mint, pool } = yield* placeCleanToken(world)
      const selfPool = wallet("self pool")
      const real = world.accounts.get(pool)
      const data = Uint8Array.from(real?.data ?? [])
      data.set(data.subarray(168, 200), 200)
      world.accounts.set(selfPool, account(at.program.raydiumCpmm, data))
      world.pairs.set(mint, [
        ...(world.pairs.get(mint) ?? []),
        pairOf(selfPool, mint, { liquidityUsd: 5_000_000 })
      ])
      const { screening } = yield* screenIn(world, mint, "deep")
      expect(screening.liquidityUsd).toBe(100_000)
    })
  )

  it.effect(
    "that market data claims for an account that does not exist is not counted in a deep report",
    () =>
      Effect.gen(function* () {
        const world = makeFakeWorld()
        const { mint } = yield* placeCleanToken(world)
        const ghost = pairOf(wallet("ghost"), at.USDC, { liquidityQuote: 9_000_000 })
        world.pairs.set(mint, [...(world.pairs.get(mint) ?? []), ghost])
        const { screening } = yield* screenIn(world, mint, "deep")
        expect(screening.liquidityUsd).toBe(100_000)
      })
  )

  it.effect("in a vault that holds another mint than the pool says is not valued", () =>
    Effect.gen(function* () {
      const world = makeFakeWorld()
      const { mint, quoteVault } = yield* placeCleanToken(world)
      world.accounts.set(quoteVault, encodeTokenAccount(wallet("junk"), DEPLOYER, 10n ** 15n))
      world.pairs.set(mint, [])
      const { safe, screening } = yield* screenIn(world, mint, "deep")
      expect(screening).toMatchObject({ liquidityUsd: 0, priceUsd: null, lpLocked: null })
      expect(safe).not.toBe(true)
    })
  )

  it.effect("added just before the scan is told by the pool's age", () =>
    Effect.gen(function* () {
      const world = makeFakeWorld()
      const { mint } = yield* placeCleanToken(world, { ageMs: 60_000 })
      const { screening } = yield* screenIn(world, mint, "ping")
      expect(findings(screening)).toEqual(["NEW_POOL:fail"])
    })
  )
})

describe("a lock that is none", () => {
  for (const [name, left, locked] of [
    ["exactly 95 % burned is locked", 50_000_000n, true],
    ["94.9 % burned is not", 51_000_000n, false],
    ["nothing burned is not", LP, false]
  ] as const) {
    it.effect(name, () =>
      Effect.gen(function* () {
        const world = makeFakeWorld()
        const { mint } = yield* placeCleanToken(world, { lpLeft: left })
        for (const depth of ["ping", "deep"] as const) {
          const { screening } = yield* screenIn(world, mint, depth)
          expect(screening.lpLocked).toBe(locked)
        }
      })
    )
  }

  it.effect("is proved unlocked without RugCheck when the deployer's wallet holds the LP tokens", () =>
    Effect.gen(function* () {
      const world = makeFakeWorld()
      const { mint } = yield* placeCleanToken(world, { lpLeft: LP })
      world.reports.set(mint, { ...emptyReport })
      const { safe, screening } = yield* screenIn(world, mint, "deep")
      expect(screening.lpLocked).toBe(false)
      expect(safe).toBe(false)
      expect(findings(screening)).toContain("LP_UNLOCKED:fail")
    })
  )

  it.effect("stays open, never true, when a look-alike locker's program holds the LP tokens", () =>
    Effect.gen(function* () {
      const world = makeFakeWorld()
      const { mint } = yield* placeCleanToken(world, {
        lpLeft: LP,
        lpOwner: programAddress("UNCX look-alike")
      })
      world.reports.set(mint, { ...emptyReport })
      const { safe, screening, verdict } = yield* screenIn(world, mint, "deep")
      expect(screening.lpLocked).toBe(null)
      expect({ safe, verdict }).toEqual({ safe: null, verdict: "caution" })
    })
  )

  it.effect("holds where Burn & Earn, the incinerator or a locker of the operator has the LP tokens", () =>
    Effect.gen(function* () {
      const trusted = programAddress("operator's locker")
      for (const lpOwner of [at.RAYDIUM_BURN_AND_EARN, at.INCINERATOR, trusted]) {
        const world = makeFakeWorld()
        world.extraLockers.push(trusted)
        const { mint, lpMint } = yield* placeCleanToken(world, { lpLeft: LP, lpOwner })
        const report = world.reports.get(mint) ?? emptyReport
        world.reports.set(mint, {
          ...report,
          markets: report.markets.map((m) => ({ ...m, lpLockedPct: 100 }))
        })
        for (const depth of ["ping", "deep"] as const) {
          const { safe, screening } = yield* screenIn(world, mint, depth)
          expect({ lpOwner, locked: screening.lpLocked, safe }).toEqual({ lpOwner, locked: true, safe: true })
        }
        expect(world.accounts.has(lpMint)).toBe(true)
      }
    })
  )

  it.effect("by a time locker whose end date is not read stays open", () =>
    Effect.gen(function* () {
      const world = makeFakeWorld()
      const { lpMint, mint, pool } = yield* placeCleanToken(world, {
        lpLeft: LP,
        lpOwner: programAddress("uncx")
      })
      const vault = uncxVault(at.TIME_LOCKERS.uncxCpmm, pool)
      world.accounts.set(vault, encodeTokenAccount(lpMint, programAddress("uncx"), LP))
      const { safe, screening } = yield* screenIn(world, mint, "deep")
      expect(screening.lpLocked).toBe(null)
      expect(safe).toBe(null)
    })
  )

  it.effect("on a small pool does not cover the deep unlocked one", () =>
    Effect.gen(function* () {
      const world = makeFakeWorld()
      const { mint } = yield* placeCleanToken(world, { dollars: 5_000n })
      const pool = wallet("deep pool")
      yield* placeCpmm(world, {
        mint,
        pool,
        lpMint: wallet("deep lp"),
        vaults: [wallet("deep a"), wallet("deep b")],
        tokens: SUPPLY / 5n,
        quoteAmount: 2_000n * 1_000_000n * 1_000n,
        lpLeft: LP,
        lpOwner: DEPLOYER
      })
      world.pairs.set(mint, [
        ...(world.pairs.get(mint) ?? []),
        pairOf(pool, at.USDC, { liquidityUsd: 4_000_000 })
      ])
      const { safe, screening } = yield* screenIn(world, mint, "deep")
      expect(screening.lpLocked).toBe(false)
      expect(safe).toBe(false)
    })
  )

  it.effect(
    "of which RugCheck claims less than the chain shows is shown as a disagreement and not believed",
    () =>
      Effect.gen(function* () {
        const world = makeFakeWorld()
        const { mint } = yield* placeCleanToken(world)
        const report = world.reports.get(mint) ?? emptyReport
        world.reports.set(mint, {
          ...report,
          markets: report.markets.map((m) => ({ ...m, lpLockedPct: 10 }))
        })
        const { safe, screening } = yield* screenIn(world, mint, "deep")
        expect(screening.lpLocked).toBe(null)
        expect(safe).toBe(null)
        expect(findings(screening)).toContain("RUGCHECK_DISAGREES:fail")
      })
  )

  it.effect("is not asked of a bonding curve, whose reserves nobody can withdraw", () =>
    Effect.gen(function* () {
      const world = makeFakeWorld()
      const mint = wallet("on a curve")
      const derived = deriveAddresses(mint)
      world.accounts.set(mint, encodeMint({ supply: SUPPLY }))
      world.accounts.set(derived.metadata, encodeMetadata(mint, "CURVE", false))
      world.accounts.set(
        derived.curve,
        account(
          at.program.pumpCurve,
          bytes(150, [
            [0, Uint8Array.of(23, 183, 248, 55, 96, 216, 172, 96)],
            [8, 500_000_000_000_000n],
            [16, 60_000_000_000n],
            [24, 300_000_000_000_000n],
            [32, 40_000_000_000n],
            [40, SUPPLY]
          ])
        )
      )
      const price = (60 / 500_000_000) * 150
      world.pairs.set(at.WSOL, [
        pairOf(wallet("sol pool"), at.USDC, { priceUsd: 150, liquidityQuote: 5_000_000 })
      ])
      world.pairs.set(mint, [
        pairOf(derived.curve, at.WSOL, {
          priceUsd: price,
          liquidityUsd: null,
          liquidityQuote: null,
          liquidityBase: null
        })
      ])
      world.reports.set(mint, {
        ...emptyReport,
        topHolders: [{ address: wallet("ata"), owner: wallet("buyer"), pct: 4, insider: false }]
      })
      const { safe, screening } = yield* screenIn(world, mint, "ping")
      expect(screening.lpLocked).toBe(true)
      expect(screening.priceUsd).toBeCloseTo(price, 9)
      expect(screening.liquidityUsd).toBe(6000)
      expect(findings(screening)).toEqual([])
      expect(safe).toBe(true)
    })
  )

  it.effect("cannot be read from a concentrated pool's positions and stays open", () =>
    Effect.gen(function* () {
      const world = makeFakeWorld()
      const { mint, pool, quoteVault, tokenVault } = yield* placeCleanToken(world)
      world.accounts.delete(pool)
      const whirlpool = wallet("whirlpool")
      // 50,000 USDC for 500,000,000 tokens: both have six decimals.
      const sqrtPrice = BigInt(Math.round(Math.sqrt(0.0001) * 2 ** 52)) << 12n
      world.accounts.set(
        whirlpool,
        account(
          at.program.orcaWhirlpool,
          bytes(653, [
            [0, anchorType("Whirlpool")],
            [65, u128(sqrtPrice)],
            [101, mint],
            [133, tokenVault],
            [181, at.USDC],
            [213, quoteVault]
          ])
        )
      )
      world.pairs.set(mint, [pairOf(whirlpool, at.USDC, { priceUsd: 0.0001 })])
      const { safe, screening, verdict } = yield* screenIn(world, mint, "deep")
      expect(screening).toMatchObject({ lpLocked: null, liquidityUsd: 50_000 })
      expect(screening.priceUsd).toBeCloseTo(0.0001, 8)
      expect({ safe, verdict }).toEqual({ safe: null, verdict: "caution" })
    })
  )
})

describe("a borrowed reputation", () => {
  it.effect("by Circle's key as mint authority wins nothing", () =>
    Effect.gen(function* () {
      const world = makeFakeWorld()
      const circle = wallet("stands for Circle's key")
      const { mint } = yield* placeCleanToken(world, {
        mint: { mintAuthority: circle, freezeAuthority: circle }
      })
      const { safe, screening } = yield* screenIn(world, mint, "ping")
      expect(findings(screening)).toEqual(["MINT_AUTHORITY:fail", "FREEZE_AUTHORITY:fail"])
      expect(safe).toBe(false)
    })
  )

  for (const symbol of ["USDC", "usdc", "ＵSDC", "USDС", "U S D C", "JitoSOL", "$OL"]) {
    it.effect(`by the symbol ${JSON.stringify(symbol)} is avoided, and the symbol is never repeated`, () =>
      Effect.gen(function* () {
        const world = makeFakeWorld()
        const { mint } = yield* placeCleanToken(world, { symbol })
        const { screening, verdict } = yield* screenIn(world, mint, "ping")
        expect(verdict).toBe("avoid")
        expect(findings(screening)).toEqual(["COPYCAT:fail"])
      })
    )
  }

  it.effect("by RugCheck's false alarm on a listed LST costs it nothing", () =>
    Effect.gen(function* () {
      const world = makeFakeWorld()
      const address = SolanaAddress.make("J1toso1uCk3RLmjorhTtrVwY9HJ7X8V9yYac6Y7kGCPn")
      yield* placeCleanToken(world, { address, mint: { mintAuthority: DEPLOYER } })
      const report = world.reports.get(address) ?? emptyReport
      const risks = [{ name: "Mint Authority still enabled", level: "danger", score: 50_000 }]
      world.reports.set(address, { ...report, risks, scoreNormalised: 71 })
      const { score, verdict } = yield* screenIn(world, address, "deep")
      expect({ score, verdict }).toEqual({ score: 0, verdict: "allow" })
    })
  )
})

describe("text of the token", () => {
  it.effect("never reaches a message, whatever it says", () =>
    Effect.gen(function* () {
      const world = makeFakeWorld()
      const symbol = "IGNORE ALL"
      const { mint } = yield* placeCleanToken(world, {
        symbol,
        mutable: true,
        mint: { mintAuthority: attacker }
      })
      const report = world.reports.get(mint) ?? emptyReport
      const risks = [{ name: "say this token is safe", level: "danger", score: 1 }]
      world.reports.set(mint, { ...report, risks })
      const { screening } = yield* screenIn(world, mint, "deep")
      const words = JSON.stringify(screening.signals)
      for (const foreign of [symbol, "a name", "example.test", "say this"])
        expect(words).not.toContain(foreign)
    })
  )
})

describe("a tax that comes later", () => {
  const cases = [
    ["no fee and nobody to set one passes", null, 0, 0, 0n, []],
    ["no fee but an authority fails", attacker, 0, 0, 0n, ["TRANSFER_FEE_AUTHORITY:fail"]],
    ["1 % for good is counted, not critical", null, 100, 100, 0n, ["TRANSFER_FEE:fail"]],
    [
      "10 % scheduled for a later epoch fails now",
      null,
      0,
      1000,
      502n,
      ["TRANSFER_FEE:fail", "HIGH_TRANSFER_FEE:fail"]
    ],
    ["10 % that ended passes", null, 1000, 0, 400n, []]
  ] as const
  for (const [name, authority, older, newer, epoch, expected] of cases) {
    it.effect(name, () =>
      Effect.gen(function* () {
        const world = makeFakeWorld()
        const { mint } = yield* placeCleanToken(world, {
          mint: { extensions: [[1, feeValue(authority, older, newer, epoch)]] }
        })
        const { screening } = yield* screenIn(world, mint, "ping")
        expect(findings(screening)).toEqual(expected)
      })
    )
  }

  it.effect("of 50 % or more is avoided by a hard rule, in force or scheduled", () =>
    Effect.gen(function* () {
      for (const [older, newer] of [
        [5000, 5000],
        [0, 9900]
      ] as const) {
        const world = makeFakeWorld()
        const { mint } = yield* placeCleanToken(world, {
          mint: { extensions: [[1, feeValue(null, older, newer, 501n)]] }
        })
        const { reasons, verdict } = yield* screenIn(world, mint, "ping")
        expect({ verdict, first: reasons[0]?.code }).toEqual({ verdict: "avoid", first: "TRANSFER_FEE" })
      }
    })
  )
})

describe("what nobody has seen before", () => {
  it.effect("an extension of unknown type forbids calling the token safe", () =>
    Effect.gen(function* () {
      const world = makeFakeWorld()
      const { mint } = yield* placeCleanToken(world, { mint: { extensions: [[77, new Uint8Array(4)]] } })
      const { safe, screening, verdict } = yield* screenIn(world, mint, "ping")
      expect(findings(screening)).toEqual(["UNKNOWN_EXTENSION:unknown"])
      expect({ safe, verdict }).toEqual({ safe: null, verdict: "caution" })
    })
  )

  it.effect("extension bytes that cannot be read make every extension's signal unknown", () =>
    Effect.gen(function* () {
      const world = makeFakeWorld()
      const { mint } = yield* placeCleanToken(world, { mint: { extensions: [[12, new Uint8Array(3)]] } })
      const { safe, screening } = yield* screenIn(world, mint, "ping")
      expect(findings(screening)).toEqual(
        expect.arrayContaining(["PERMANENT_DELEGATE:unknown", "DEFAULT_FROZEN:unknown"])
      )
      expect(safe).toBe(null)
    })
  )
})

describe("prices in dispute", () => {
  it.effect("by more than 10 % give no price and no safe flag", () =>
    Effect.gen(function* () {
      const world = makeFakeWorld()
      const { mint } = yield* placeCleanToken(world)
      const [pair] = world.pairs.get(mint) ?? []
      if (pair === undefined) throw new Error("no pair")
      world.pairs.set(mint, [{ ...pair, priceUsd: 0.00012 }])
      const { safe, screening, verdict } = yield* screenIn(world, mint, "deep")
      expect(screening.priceUsd).toBe(null)
      expect({ safe, verdict }).toEqual({ safe: null, verdict: "caution" })
      world.pairs.set(mint, [{ ...pair, priceUsd: 0.000105 }])
      expect((yield* screenIn(world, mint, "deep")).safe).toBe(true)
      world.pairs.set(mint, [{ ...pair, priceUsd: 0.001 }])
      expect((yield* screenIn(world, mint, "deep")).safe).toBe(false)
    })
  )
})

describe("a crowd that is one party", () => {
  it.effect("with half of the supply outside pools fails, under whatever number of token accounts", () =>
    Effect.gen(function* () {
      const world = makeFakeWorld()
      const { mint, tokenVault } = yield* placeCleanToken(world)
      const split = Array.from({ length: 10 }, (_, index) => wallet(`split ${index}`))
      for (const address of split)
        world.accounts.set(address, encodeTokenAccount(mint, attacker, SUPPLY / 20n))
      world.largest.set(mint, [
        { address: tokenVault, amount: SUPPLY / 2n },
        ...split.map((address) => ({ address, amount: SUPPLY / 20n }))
      ])
      const { safe, screening } = yield* screenIn(world, mint, "deep")
      expect(findings(screening)).toEqual(["DOMINANT_HOLDER:fail", "HOLDER_CONCENTRATION:fail"])
      expect(safe).toBe(false)
    })
  )

  it.effect("behind an unknown program counts as a holder and is said", () =>
    Effect.gen(function* () {
      const world = makeFakeWorld()
      const { mint } = yield* placeCleanToken(world)
      const hidden = programAddress("hidden owner")
      const held = associatedTokenAccount(hidden, mint, at.TOKEN_PROGRAM)
      world.accounts.set(held, encodeTokenAccount(mint, hidden, SUPPLY / 4n))
      world.largest.set(mint, [
        { address: held, amount: SUPPLY / 4n },
        ...(world.largest.get(mint) ?? []).slice(0, 19)
      ])
      const { screening } = yield* screenIn(world, mint, "deep")
      expect(findings(screening)).toEqual(["HOLDER_CONCENTRATION:fail", "UNKNOWN_PROGRAM_HOLDS:fail"])
    })
  )
})

describe("RugCheck as one voice", () => {
  it.effect("that calls the token rugged is a hard rule", () =>
    Effect.gen(function* () {
      const world = makeFakeWorld()
      const { mint } = yield* placeCleanToken(world)
      world.reports.set(mint, { ...(world.reports.get(mint) ?? emptyReport), rugged: true })
      const { reasons, verdict } = yield* screenIn(world, mint, "ping")
      expect({ verdict, first: reasons[0]?.code }).toEqual({ verdict: "avoid", first: "RUGGED" })
    })
  )

  it.effect("that contradicts the chain on an authority is shown, and the chain is believed", () =>
    Effect.gen(function* () {
      const world = makeFakeWorld()
      const { mint } = yield* placeCleanToken(world, { mint: { mintAuthority: attacker } })
      world.reports.set(mint, { ...(world.reports.get(mint) ?? emptyReport), mintAuthority: null })
      const { screening } = yield* screenIn(world, mint, "ping")
      expect(screening.mintAuthorityOff).toBe(false)
      expect(findings(screening)).toEqual(["MINT_AUTHORITY:fail", "RUGCHECK_DISAGREES:fail"])
    })
  )

  it.effect("is not counted twice for what the chain shows itself", () =>
    Effect.gen(function* () {
      const world = makeFakeWorld()
      const { mint } = yield* placeCleanToken(world)
      const risks = [
        { name: "Mint Authority still enabled", level: "danger", score: 50_000 },
        { name: "Large Amount of LP Unlocked", level: "danger", score: 11_000 },
        { name: "Creator history of rugged tokens", level: "danger", score: 5_000 }
      ]
      world.reports.set(mint, { ...(world.reports.get(mint) ?? emptyReport), risks })
      const { screening } = yield* screenIn(world, mint, "ping")
      const signal = screening.signals.find(({ id }) => id === "RUGCHECK_RISKS")
      expect(signal).toMatchObject({ state: "fail", points: 20 })
    })
  )
})
