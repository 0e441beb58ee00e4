import { describe, expect, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import type { Journal, JournalEntry } from "../../src/checkout/journal.ts"
import { payersOf, refundableTo } from "../../src/checkout/refunds/refund.ts"

const entry = (payer: string, amount: bigint, kind: JournalEntry["kind"]): JournalEntry => ({
  evidence: "",
  checkoutId: "",
  via: kind === "refunded" ? "refund" : "wallet",
  transaction: "",
  payer,
  amount,
  at: 0,
  kind
})
const entries = fc.array(
  fc
    .tuple(
      fc.constantFrom("a", "b", "c"),
      fc.bigInt(1n, 100n),
      fc.constantFrom("paid" as const, "late" as const, "refunded" as const)
    )
    .map(([payer, amount, kind]) => entry(payer, amount, kind)),
  { maxLength: 12 }
)
const total = (all: ReadonlyArray<JournalEntry>) => all.reduce((sum, { amount }) => sum + amount, 0n)

describe("what may go back", () => {
  it.prop(
    "is never more than a payer's own, or than is left, whoever is refunded in turn",
    [entries],
    ([all]) => {
      const journal: Journal = {
        entries: all,
        received: total(all.filter(({ kind }) => kind !== "refunded")),
        refunded: total(all.filter(({ kind }) => kind === "refunded")),
        missing: 0n,
        isPaid: true
      }
      let given = 0n
      const open = payersOf(journal).map((payer, index) => {
        const so = { id: "", checkoutId: "", lifetime: "", validUntil: null, lookedTo: 0, preparedAt: index }
        return { ...so, payer, amount: 0n, state: "open" as const }
      })
      for (const [index, refund] of open.entries()) {
        const { payer } = refund
        const amount = refundableTo(journal, payer, open)
        const own = (kinds: boolean) =>
          total(all.filter((one) => one.payer === payer && (one.kind === "refunded") === kinds))
        expect(amount === 0n || amount <= own(false) - own(true)).toBe(true)
        open[index] = { ...refund, amount }
        given += amount
      }
      const left = journal.received - journal.refunded
      expect(given <= (left > 0n ? left : 0n)).toBe(true)
    }
  )
})
