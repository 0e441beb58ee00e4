/** Whose money may go back, and to which account: who is one payer, and who are two. */
import { describe, expect, it } from "@effect/vitest"
import { journalOf, type Transfer } from "../../src/checkout/journal.ts"
import { hasSigned, payersOf, refundableTo } from "../../src/checkout/refunds/refund.ts"
import { checkoutAt, NOW } from "../support/checkout/rows.ts"

const { terms } = checkoutAt("order")

const came = (payer: string, amount: bigint, via: Transfer["via"] = "wallet", after = amount): Transfer => ({
  evidence: `${payer} ${amount} ${via}`,
  checkoutId: "order",
  via,
  transaction: "tx",
  payer,
  amount,
  at: NOW + Number(after)
})

describe("a payer on Base", () => {
  const [mixed, lower, other] = [`0x${"aB".repeat(20)}`, `0x${"ab".repeat(20)}`, `0x${"cd".repeat(20)}`]
  const journal = journalOf(terms, [came(mixed, 5n), came(lower, 6n), came(other, 7n, "verify")])

  it("is one account in whatever letter case it is written, and another one is another", () => {
    expect(payersOf(journal)).toEqual([mixed, other])
    expect([mixed, lower, other].map((payer) => refundableTo(journal, payer, []))).toEqual([11n, 11n, 7n])
    expect(refundableTo(journal, `0x${"ef".repeat(20)}`, [])).toBe(0n)
  })

  it("has signed where a payment of this very account came through us", () => {
    expect([mixed, lower, other].map((payer) => hasSigned(journal, payer))).toEqual([false, false, true])
    expect(hasSigned(journal, `0x${"CD".repeat(20)}`)).toBe(true)
  })

  it("gets back what came from there less what went back there", () => {
    const after = journalOf(terms, [...journal.entries, came(lower, 4n, "refund", 8n)])
    expect([mixed, other].map((payer) => refundableTo(after, payer, []))).toEqual([7n, 7n])
  })
})

describe("a payer on Solana", () => {
  it("is another account in other letters", () => {
    const journal = journalOf(terms, [came("Payer", 5n), came("payer", 6n)])
    expect(payersOf(journal)).toEqual(["Payer", "payer"])
    expect(["Payer", "payer"].map((payer) => refundableTo(journal, payer, []))).toEqual([5n, 6n])
  })
})
