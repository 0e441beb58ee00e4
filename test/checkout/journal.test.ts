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

describe("transfers of one block", () => {
  it("stand in the order of their evidence, however they were read", () => {
    const [a, b] = [transfer("a", price, 1), transfer("b", price, 1)]
    expect(kindsOf(a, b)).toEqual(["a paid", "b extra"])
    expect(kindsOf(b, a)).toEqual(["a paid", "b extra"])
  })
})

describe("an order's end", () => {
  const deadline = Date.parse(terms.expiresAt)
  const at = (moment: number, amount: bigint, via: Transfer["via"] = "wallet"): Transfer => ({
    ...transfer(via, amount, null),
    at: moment,
    via
  })

  it("is the last moment that pays it", () => {
    expect(journalOf(terms, [at(deadline, price)])).toMatchObject({ isPaid: true, missing: 0n })
    expect(journalOf(terms, [at(deadline + 1, price)])).toMatchObject({ isPaid: false, missing: price })
  })

  it("is the last moment at which too little is short and not late", () => {
    expect(kindsOf(at(deadline, 1n))).toEqual(["wallet short"])
    expect(kindsOf(at(deadline + 1, 1n))).toEqual(["wallet late"])
  })

  it("is none for a payment through verify, which pays by itself", () => {
    const verified = at(deadline + 1, price, "verify")
    expect(journalOf(terms, [at(deadline, 1n), verified])).toMatchObject({ isPaid: true, missing: 0n })
    expect(kindsOf(at(deadline, 1n), verified)).toEqual(["wallet extra", "verify paid"])
  })
})

describe("money that went back before the order was paid", () => {
  const back = (evidence: string, amount: bigint, block: number): Transfer => ({
    ...transfer(evidence, amount, block),
    via: "refund"
  })
  const part = (price * 9n) / 10n

  it("pays nothing: a buyer who had nine tenths refunded owes them again", () => {
    const rows = [transfer("a", part, 1), back("b", part, 2), transfer("c", price - part, 3)]
    const journal = journalOf(terms, rows)
    expect(journal).toMatchObject({ isPaid: false, missing: part, received: price, refunded: part })
    expect(journal.entries.map(({ kind }) => kind)).toEqual(["short", "refunded", "short"])
    expect(journalOf(terms, [...rows, transfer("d", part, 4)]).isPaid).toBe(true)
  })

  it("takes nothing from an order that was paid before, and no more than came in time", () => {
    expect(journalOf(terms, [transfer("a", price, 1), back("b", price, 2)])).toMatchObject({
      isPaid: true,
      missing: 0n
    })
    expect(journalOf(terms, [back("a", part, 1), transfer("b", price, 2)]).isPaid).toBe(true)
  })
})

describe("a transfer that a reorganisation took away", () => {
  const lost = (evidence: string, amount: bigint, block: number): Transfer => ({
    ...transfer(evidence, amount, block),
    lostAt: AT + 1
  })

  it("pays nothing, is counted nowhere, and is told as lost", () => {
    const journal = journalOf(terms, [lost("a", price, 1), transfer("b", 1n, 2)])
    expect(journal).toMatchObject({ isPaid: false, missing: price - 1n, received: 1n, refunded: 0n })
    expect(kindsOf(lost("a", price, 1), transfer("b", price, 2))).toEqual(["a lost", "b paid"])
  })

  it("takes nothing back, where it was a refund", () => {
    const back: Transfer = { ...lost("b", price, 2), via: "refund" }
    const journal = journalOf(terms, [transfer("a", price - 1n, 1), back, transfer("c", 1n, 3)])
    expect(journal).toMatchObject({ isPaid: true, missing: 0n, received: price, refunded: 0n })
    expect(journal.entries.map(({ kind }) => kind)).toEqual(["paid", "lost", "paid"])
  })
})

describe("an order that was paid too much", () => {
  it("misses nothing, and not less than nothing", () => {
    const rows = [transfer("a", price - 1n, 1), transfer("b", price, 2)]
    expect(journalOf(terms, rows)).toMatchObject({ isPaid: true, missing: 0n, received: 2n * price - 1n })
  })
})

describe("an order that strangers send dust to", () => {
  it("costs as much more as there are more transfers", () => {
    let reads = 0
    const dust = Array.from({ length: 2_000 }, (_, at) =>
      Object.defineProperty(transfer(`dust ${at}`, 1n, at), "amount", {
        enumerable: true,
        get: () => {
          reads += 1
          return 1n
        }
      })
    )
    expect(journalOf(terms, dust).missing).toBe(price - 2_000n)
    expect(reads).toBeLessThan(20_000)
  })
})
