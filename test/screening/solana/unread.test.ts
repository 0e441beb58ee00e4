/** What lies in pools that nobody here has read. */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import type { SolanaAddress } from "../../../src/domain/address.ts"
import type { Fact } from "../../../src/domain/fact.ts"
import { known, missing } from "../../../src/domain/fact.ts"
import type { RugCheckMarket } from "../../../src/market/market-data.ts"
import { program, USDC, WSOL } from "../../../src/screening/solana/addresses.ts"
import { unreadUsd } from "../../../src/screening/solana/pools/unread.ts"
import type { AccountBook } from "../../../src/screening/solana/reads/account-book.ts"
import type { Reads } from "../../../src/screening/solana/reads/reads.ts"
import { deriveAddresses } from "../../../src/screening/solana/reads/pdas.ts"
import { emptyReport, pairOf, placeCleanToken } from "../../support/solana/clean-token.ts"
import { anchored, wallet } from "../../support/solana/encode.ts"
import { findings, makeFakeWorld, screenIn } from "../../support/solana/fake-world.ts"

const mint = wallet("mint")
const elsewhere = (quote: SolanaAddress, liquidityQuote: number | null) =>
  pairOf(wallet(`elsewhere ${quote}`), quote, {
    liquidityQuote,
    ...(liquidityQuote === null ? { liquidityUsd: null } : {})
  })
const unread = (sol: number | null, ...pairs: ReadonlyArray<ReturnType<typeof elsewhere>>) =>
  unreadBeside(new Map(), sol, pairs)
const unreadBeside = (
  book: AccountBook,
  sol: number | null,
  pairs: ReadonlyArray<ReturnType<typeof elsewhere>>
) =>
  unreadBy(
    { book, market: known(pairs), rugCheck: missing("not asked") },
    sol === null ? missing("sources differ") : known(sol)
  )
const unreadBy = (said: Pick<Reads, "book" | "market" | "rugCheck">, sol: Fact<number>) =>
  unreadUsd(
    { ...said, candidates: [], derived: deriveAddresses(mint), largest: known([]) },
    mint,
    sol,
    known(1)
  )
const marketOf = (figures: Pick<RugCheckMarket, "baseUsd" | "quoteUsd">): RugCheckMarket => ({
  pubkey: wallet(`elsewhere ${USDC}`),
  marketType: "elsewhere",
  lpLockedPct: null,
  lpMint: null,
  vaults: [],
  ...figures
})

describe("liquidity in pools that were not read", () => {
  it("is worth what its quote is, and nothing where nobody names any", () => {
    expect(unread(100, elsewhere(USDC, 300), elsewhere(WSOL, 2))).toEqual(known(500))
    expect(unread(null, elsewhere(USDC, 300), elsewhere(WSOL, 0), elsewhere(WSOL, null))).toEqual(known(300))
  })

  it("is at most what is said of both sides, where market data leaves out how much of the quote there is, or which it is", () => {
    const pair = { ...elsewhere(WSOL, null), liquidityUsd: 900 }
    expect(unread(null, pair)).toEqual(known(900))
    expect(unread(null, { ...pair, quoteAddress: null })).toEqual(known(900))
    expect(unread(null, { ...pair, quoteAddress: wallet("somebody's coin") })).toEqual(known(0))
  })

  it("is what RugCheck says of a pool of which market data gives no figure, by either side", () => {
    const reports = [
      marketOf({ quoteUsd: 700, baseUsd: 800 }),
      marketOf({ quoteUsd: null, baseUsd: 800 }),
      marketOf({ quoteUsd: null, baseUsd: null })
    ].map((market) => known({ ...emptyReport, markets: [market] }))
    const amounts = (market: Reads["market"]) =>
      reports.map((rugCheck) => unreadBy({ book: new Map(), market, rugCheck }, known(100)))
    const expected = [known(700), known(800), known(0)]
    expect(amounts(known([elsewhere(USDC, null)]))).toEqual(expected)
    expect(amounts(missing("silent"))).toEqual(expected)
    // Where market data gives a figure, that counts.
    expect(amounts(known([elsewhere(USDC, 300)]))).toEqual([known(300), known(300), known(300)])
  })

  // Status, and where it moves on to: a CPMM pool or where nobody here knows.
  it.each([
    ["a curve that has ended: what is said of it is over", 1, 1, 0],
    ["one that goes on, and was not understood", 0, 2, 300]
  ] as const)("is what is said of %s", (_, status, movesTo, usd) => {
    const curve = anchored(program.raydiumLaunchLab, "PoolState", 429, [
      [17, status],
      [20, movesTo],
      [205, mint]
    ])
    const pair = elsewhere(USDC, 300)
    expect(unreadBeside(new Map([[wallet(`elsewhere ${USDC}`), curve]]), 100, [pair])).toEqual(known(usd))
  })

  it("has no known worth where SOL has none: it is not taken for nothing", () => {
    expect(unread(null, elsewhere(USDC, 300), elsewhere(WSOL, 2)).known).toBe(false)
  })

  it.effect("is what RugCheck knows of where market data is silent", () =>
    Effect.gen(function* () {
      const world = makeFakeWorld()
      const { mint: clean } = yield* placeCleanToken(world)
      const report = world.reports.get(clean) ?? emptyReport
      const [market] = report.markets
      if (market === undefined) return yield* Effect.dieMessage("no market")
      const beside = {
        ...market,
        pubkey: wallet("elsewhere"),
        marketType: "raydium_stable",
        quoteUsd: 500_000
      }
      world.reports.set(clean, { ...report, markets: [market, beside] })
      expect((yield* screenIn(world, clean)).verdict).toBe("allow")
      world.down.add("dexscreener")
      expect((yield* screenIn(world, clean)).verdict).toBe("caution")
    })
  )

  // Nothing prices SOL in this world.
  it.effect(
    "keeps a token from being allowed, and its liquidity from being locked, where it is more than what was read, or of no known worth",
    () =>
      Effect.gen(function* () {
        const judged = [elsewhere(USDC, 100_000_000), elsewhere(WSOL, 2), elsewhere(USDC, 1)].map((beside) =>
          Effect.gen(function* () {
            const world = makeFakeWorld()
            const { mint: clean } = yield* placeCleanToken(world)
            world.pairs.set(clean, [...(world.pairs.get(clean) ?? []), beside])
            const report = yield* screenIn(world, clean)
            const isUnread = findings(report.screening).includes("UNREAD_VENUE:unknown")
            return [report.verdict, isUnread, report.screening.lpLocked]
          })
        )
        expect(yield* Effect.all(judged)).toEqual([
          ["caution", true, null],
          ["caution", true, null],
          ["allow", false, true]
        ])
      })
  )
})
