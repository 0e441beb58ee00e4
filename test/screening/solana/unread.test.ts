/** What lies in pools that nobody here has read. */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import type { SolanaAddress } from "../../../src/domain/address.ts"
import { known, missing } from "../../../src/domain/fact.ts"
import { program, USDC, WSOL } from "../../../src/screening/solana/addresses.ts"
import { unreadUsd } from "../../../src/screening/solana/pools/unread.ts"
import type { AccountBook } from "../../../src/screening/solana/reads/account-book.ts"
import { deriveAddresses } from "../../../src/screening/solana/reads/pdas.ts"
import { emptyReport, pairOf, placeCleanToken } from "../../support/solana/clean-token.ts"
import { anchored, wallet } from "../../support/solana/encode.ts"
import { findings, makeFakeWorld, screenIn } from "../../support/solana/fake-world.ts"

const mint = wallet("mint")
const elsewhere = (quote: SolanaAddress, liquidityQuote: number | null) =>
  pairOf(wallet(`elsewhere ${quote}`), quote, { liquidityQuote })
const unread = (sol: number | null, ...pairs: ReadonlyArray<ReturnType<typeof elsewhere>>) =>
  unreadBeside(new Map(), sol, pairs)
const unreadBeside = (
  book: AccountBook,
  sol: number | null,
  pairs: ReadonlyArray<ReturnType<typeof elsewhere>>
) =>
  unreadUsd(
    {
      book,
      candidates: [],
      derived: deriveAddresses(mint),
      largest: known([]),
      market: known(pairs),
      rugCheck: missing("not asked")
    },
    mint,
    sol === null ? missing("sources differ") : known(sol),
    known(1)
  )

describe("liquidity in pools that were not read", () => {
  it("is worth what its quote is, and nothing where nobody names any", () => {
    expect(unread(100, elsewhere(USDC, 300), elsewhere(WSOL, 2))).toEqual(known(500))
    expect(unread(null, elsewhere(USDC, 300), elsewhere(WSOL, 0), elsewhere(WSOL, null))).toEqual(known(300))
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
