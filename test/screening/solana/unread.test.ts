/** What lies in pools that nobody here has read. */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import type { SolanaAddress } from "../../../src/domain/address.ts"
import { known, missing } from "../../../src/domain/fact.ts"
import { USDC, WSOL } from "../../../src/screening/solana/addresses.ts"
import { unreadUsd } from "../../../src/screening/solana/pools/unread.ts"
import { deriveAddresses } from "../../../src/screening/solana/reads/pdas.ts"
import { pairOf, placeCleanToken } from "../../support/solana/clean-token.ts"
import { wallet } from "../../support/solana/encode.ts"
import { findings, makeFakeWorld, screenIn } from "../../support/solana/fake-world.ts"

const mint = wallet("mint")
const elsewhere = (quote: SolanaAddress, liquidityQuote: number | null) =>
  pairOf(wallet(`elsewhere ${quote}`), quote, { liquidityQuote })
const unread = (sol: number | null, ...pairs: ReadonlyArray<ReturnType<typeof elsewhere>>) =>
  unreadUsd(
    {
      book: new Map(),
      candidates: [],
      derived: deriveAddresses(mint),
      largest: known([]),
      market: known(pairs)
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

  it("has no known worth where SOL has none: it is not taken for nothing", () => {
    expect(unread(null, elsewhere(USDC, 300), elsewhere(WSOL, 2)).known).toBe(false)
  })

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
