import { describe, expect, it } from "@effect/vitest"
import { Effect, Either } from "effect"
import { BASE_USDC, SOLANA_NETWORK } from "../../../src/domain/chain.ts"
import type { PaymentRequirements } from "../../../src/domain/x402.ts"
import { matchPayment } from "../../../src/payment/message/match.ts"
import { parsePaymentObject } from "../../../src/payment/message/parse-payment.ts"
import { termsFor } from "../../support/payment/terms.ts"

const PAY_TO = "0xAb5801a7D398351b8bE11C439e05C5B3259aeC9B"
const ours = termsFor(PAY_TO, 5_000n)
const resourceUrl = "https://risk.test/api/token-risk/v1/ping"

const match = (accepted: object, resource?: { readonly url: string }, accepts = [ours]) => {
  const authorization = {
    from: `0x${"11".repeat(20)}`,
    to: PAY_TO,
    value: "5000",
    validAfter: "0",
    validBefore: "1",
    nonce: `0x${"33".repeat(32)}`
  }
  const payment = Effect.runSync(
    parsePaymentObject({
      x402Version: 2,
      accepted,
      ...(resource === undefined ? {} : { resource }),
      payload: { signature: `0x${"44".repeat(65)}`, authorization }
    })
  )
  return Effect.runSync(Effect.either(matchPayment(payment, { accepts, resourceUrl })))
}

const reasonOf = (...asked: Parameters<typeof match>) =>
  Either.match(match(...asked), { onLeft: ({ reason }) => reason, onRight: () => "matched" })

describe("matching a payment with what we ask", () => {
  it("gives back our own terms, also when the client adds to extra", () => {
    const extended = { ...ours, extra: { ...ours.extra, more: 1 } }
    expect(Either.getOrThrow(match(extended)).requirements).toEqual(ours)
  })

  it.each([
    ["amount", { amount: "4999" }],
    ["amount spelled as a number", { amount: 5000 }],
    ["asset", { asset: `0x${"55".repeat(20)}` }],
    ["recipient", { payTo: `0x${"55".repeat(20)}` }],
    ["recipient in another letter case", { payTo: PAY_TO.toLowerCase() }],
    ["asset in another letter case", { asset: BASE_USDC.toLowerCase() }],
    ["member we never advertised", { discount: "100%" }],
    ["time-out", { maxTimeoutSeconds: 600 }],
    ["domain name", { extra: { name: "USDC", version: "2" } }],
    ["domain", { extra: undefined }],
    ["domain without its version", { extra: { name: ours.extra["name"] } }],
    ["version spelled as a list", { extra: { ...ours.extra, version: ["2"] } }]
  ])("refuses another %s", (_name, change) => {
    expect(reasonOf({ ...ours, ...change })).toBe("invalid_payment_requirements")
  })

  it.each(["amount", "asset", "payTo", "maxTimeoutSeconds"])("refuses terms that leave out %s", (member) => {
    const told = Object.entries(ours).filter(([name]) => name !== member)
    expect(reasonOf(Object.fromEntries(told))).toBe("invalid_payment_requirements")
  })

  it("tells a network that is not served from terms that are not ours, however many are served", () => {
    const elsewhere: PaymentRequirements = { ...ours, network: SOLANA_NETWORK }
    const cheaper = { ...ours, amount: "4999" }
    expect(reasonOf(cheaper, undefined, [elsewhere, ours])).toBe("invalid_payment_requirements")
    expect(reasonOf(cheaper, undefined, [elsewhere])).toBe("invalid_network")
    expect(reasonOf(ours, undefined, [elsewhere, ours])).toBe("matched")
  })

  it("refuses a payment for another origin or path, and ignores the query", () => {
    expect(reasonOf(ours, { url: `${resourceUrl}?chain=base&address=0x1` })).toBe("matched")
    expect(reasonOf(ours, { url: "https://risk.test/api/token-risk/v1/deep" })).toBe("resource_mismatch")
    expect(reasonOf(ours, { url: "https://other.test/api/token-risk/v1/ping" })).toBe("resource_mismatch")
    expect(reasonOf(ours, { url: "not a url" })).toBe("resource_mismatch")
  })
})
