/** What market data names in pools that nobody here has read. */
import { describe, expect, it } from "@effect/vitest"
import type { SolanaAddress } from "../../../src/domain/address.ts"
import { known, missing } from "../../../src/domain/fact.ts"
import { USDC, WSOL } from "../../../src/screening/solana/addresses.ts"
import { unreadUsd } from "../../../src/screening/solana/pools/unread.ts"
import { deriveAddresses } from "../../../src/screening/solana/reads/pdas.ts"
import { pairOf } from "../../support/solana/clean-token.ts"
import { wallet } from "../../support/solana/encode.ts"

const mint = wallet("mint")
const elsewhere = (quote: SolanaAddress, liquidityQuote: number | null) =>
  pairOf(wallet(`elsewhere ${quote}`), quote, { liquidityQuote })
const unread = (sol: number | null, ...pairs: ReadonlyArray<ReturnType<typeof elsewhere>>) =>
  unreadUsd(
    { book: new Map(), candidates: [], derived: deriveAddresses(mint), market: known(pairs) },
    mint,
    sol === null ? missing("sources differ") : known(sol)
  )

describe("liquidity in pools that were not read", () => {
  it("is worth what its quote is, and nothing where nobody names any", () => {
    expect(unread(100, elsewhere(USDC, 300), elsewhere(WSOL, 2))).toEqual(known(500))
    expect(unread(null, elsewhere(USDC, 300), elsewhere(WSOL, 0), elsewhere(WSOL, null))).toEqual(known(300))
  })

  it("has no known worth where SOL has none: it is not taken for nothing", () => {
    expect(unread(null, elsewhere(USDC, 300), elsewhere(WSOL, 2)).known).toBe(false)
  })
})
