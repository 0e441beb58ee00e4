import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { UpstreamError } from "../../../src/domain/errors.ts"
import type { Evidence, VoidProof } from "../../../src/payment/outcome.ts"
import { holdsForGood, makeHoldsForGood } from "../../../src/payment/sale/proofs.ts"
import type { ChainView } from "../../../src/payment/verifier/payment-verifier.ts"
import { VerifiedPayment } from "../../../src/payment/verifier/verified-payment.ts"
import { parsePaymentObject } from "../../../src/payment/message/parse-payment.ts"
import { signPayment, terms } from "../../support/payment/support.ts"

const FINAL = 10
const place = {
  network: terms.network,
  transaction: "0xabc",
  payer: "payer",
  payTo: terms.payTo,
  amount: terms.amount
}
const seenAt = (height: number) => ({ node: "node", height, blockHash: "0xdef" })
const closed: VoidProof = { kind: "window-closed", closed: 1, seen: seenAt(99) }
const failed = (height: number): VoidProof => ({
  kind: "transaction-failed",
  transaction: "0xabc",
  seen: seenAt(height)
})
const elsewhere = (height: number): VoidProof => ({
  kind: "nonce-used-elsewhere",
  transaction: "0xabc",
  index: 3,
  seen: seenAt(height)
})

/** A view of a chain, and what it was asked for. */
const viewThat = (held: boolean | undefined) => {
  const asked: Array<Evidence> = []
  const view: ChainView = {
    head: 20,
    final: FINAL,
    holds: (evidence) => Effect.sync(() => (asked.push(...evidence), evidence.map(() => held)))
  }
  return { asked, view }
}

describe("a proof that a payment did not settle", () => {
  it.effect(
    "holds for good without a question where its window is over, or its transaction failed for good",
    () =>
      Effect.gen(function* () {
        const { asked, view } = viewThat(false)
        expect(yield* holdsForGood(closed, place, view)).toBe(true)
        expect(yield* holdsForGood(failed(FINAL), place, view)).toBe(true)
        expect(yield* holdsForGood(failed(FINAL + 1), place, view)).toBe(false)
        expect(asked).toEqual([])
      })
  )

  it.effect("that rests on a block holds while that one is in the chain, and for good once it is final", () =>
    Effect.gen(function* () {
      for (const held of [true, false, undefined]) {
        const { asked, view } = viewThat(held)
        expect(yield* holdsForGood(elsewhere(FINAL + 1), place, view)).toBe(false)
        expect(asked).toEqual([])
        expect(yield* holdsForGood(elsewhere(FINAL), place, view)).toBe(held === true)
        expect(asked).toEqual([{ ...place, index: 0, height: FINAL, blockHash: "0xdef" }])
      }
      const { asked, view } = viewThat(true)
      yield* holdsForGood({ kind: "absent", seen: { node: "node", height: FINAL } }, place, view)
      expect(asked).toEqual([{ ...place, index: 0, height: FINAL }])
    })
  )

  it.effect(
    "of one that was not sold is asked about where it says, and does not hold while no node answers",
    () =>
      Effect.gen(function* () {
        const payment = yield* parsePaymentObject(yield* signPayment)
        if (payment.scheme === "unsupported") return yield* Effect.dieMessage("not a payment")
        const verified = VerifiedPayment.recorded({ payment, requirements: terms }, "payer")
        const { asked, view } = viewThat(true)
        const holds = makeHoldsForGood({ view: () => Effect.succeed(view) })
        expect(yield* holds(verified, elsewhere(FINAL))).toBe(true)
        expect(yield* holds(verified, { kind: "absent", seen: seenAt(FINAL) })).toBe(true)
        expect(asked.map(({ transaction }) => transaction)).toEqual(["0xabc", ""])
        const down = new UpstreamError({ upstream: "base-rpc", kind: "transport", detail: "down" })
        const unknown = makeHoldsForGood({ view: () => down })
        expect(yield* unknown(verified, elsewhere(FINAL))).toBe(false)
        expect(yield* unknown(verified, closed)).toBe(true)
      })
  )
})
