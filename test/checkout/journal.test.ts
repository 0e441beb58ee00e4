import { describe, expect, it } from "@effect/vitest"
import { journalOf, type Transfer } from "../../src/checkout/journal.ts"
import { SOLANA_NETWORK } from "../../src/domain/chain.ts"
import { refundTerms } from "../support/checkout/refund-terms.ts"

const AT = 1_790_000_000_000
const terms = refundTerms(SOLANA_NETWORK, "shop", {
  checkoutId: "chk_1",
  expiresAt: new Date(AT + 3_600_000).toISOString(),
  extra: {}
})
const price = BigInt(terms.amount)

const transfer = (evidence: string, amount: bigint, block: number | null): Transfer => ({
  evidence,
  checkoutId: terms.checkoutId,
  via: "wallet",
  transaction: evidence,
  payer: null,
  amount,
  at: AT,
  block
})

const kindsOf = (...transfers: ReadonlyArray<Transfer>) =>
  journalOf(terms, transfers).entries.map(({ evidence, kind }) => `${evidence} ${kind}`)

describe("transfers of one second", () => {
  it("stand in the order of their blocks: what paid first stays what paid", () => {
    expect(kindsOf(transfer("a", price / 2n, 2), transfer("b", price, 1))).toEqual(["b paid", "a extra"])
    expect(kindsOf(transfer("b", price / 2n, 2), transfer("a", price, 1))).toEqual(["a paid", "b extra"])
  })

  it("come after those that were read where no block is known yet", () => {
    expect(kindsOf(transfer("a", price / 2n, null), transfer("b", price, 1))).toEqual(["b paid", "a extra"])
    expect(kindsOf(transfer("a", price, null), transfer("b", price, null))).toEqual(["a paid", "b extra"])
  })
})
