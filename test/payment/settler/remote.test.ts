import { HttpClient, HttpClientResponse } from "@effect/platform"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer, Option, Redacted, TestClock } from "effect"
import type { Eip3009Payment } from "../../../src/payment/message/payment.ts"
import type { SettlementFate } from "../../../src/payment/verifier/payment-verifier.ts"
import { makeFacilitator } from "../../../src/payment/settler/remote/facilitator.ts"
import { makeRemote } from "../../../src/payment/settler/remote/remote.ts"
import { parsePaymentObject } from "../../../src/payment/message/parse-payment.ts"
import { signPayment, START, terms } from "../../support/payment/support.ts"

interface Asked {
  readonly path: string
  readonly authorization: string | undefined
  readonly body: string
}

/** A facilitator that gives the same answers to everybody and remembers what it was asked. */
const setUp = (answers: Readonly<Record<string, unknown>>, fate: SettlementFate = { state: "open" }) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(START)
    const asked: Array<Asked> = []
    const client = HttpClient.make((request, url) => {
      const body = request.body._tag === "Uint8Array" ? Buffer.from(request.body.body).toString() : ""
      asked.push({ path: url.pathname, authorization: request.headers["authorization"], body })
      const answer = answers[url.pathname]
      return answer === "hang"
        ? Effect.never
        : Effect.succeed(
            HttpClientResponse.fromWeb(request, new Response(JSON.stringify(answer) ?? "<html>"))
          )
    })
    const facilitator = yield* makeFacilitator(
      "https://f.test",
      Option.some(Redacted.make("Bearer key"))
    ).pipe(Effect.provide(Layer.succeed(HttpClient.HttpClient, client)))
    const payload = yield* signPayment
    const parse = (value: unknown) =>
      Effect.filterOrDieMessage(
        parsePaymentObject(value),
        (payment): payment is Eip3009Payment => payment.scheme === "eip3009",
        "not a Base payment"
      )
    const remote = makeRemote<Eip3009Payment>(facilitator, () => Effect.succeed(fate))
    return { remote, asked, payload, payment: yield* parse(payload), parse }
  })

const settled = { success: true, transaction: "0xabc", network: terms.network, payer: "0x1" }

describe("settling through a facilitator", () => {
  it.effect("is given our own spelling of the payment and the operator's authorization", () =>
    Effect.gen(function* () {
      const { asked, payment, remote } = yield* setUp({ "/verify": { isValid: true }, "/settle": settled })
      expect(yield* remote.verify(payment, terms)).toEqual({ payer: payment.evm.authorization.from })
      expect(yield* remote.settle(payment, terms)).toMatchObject({ success: true, transaction: "0xabc" })
      expect(asked.map(({ path }) => path)).toEqual(["/verify", "/settle"])
      for (const { authorization, body } of asked) {
        expect(authorization).toBe("Bearer key")
        expect(JSON.parse(body)).toMatchObject({
          x402Version: 2,
          paymentPayload: { accepted: terms, payload: payment.evm },
          paymentRequirements: terms
        })
      }
    })
  )

  it.effect("does not ask a facilitator that says yes to everything about a payment to somebody else", () =>
    Effect.gen(function* () {
      const { asked, parse, payload, remote } = yield* setUp({ "/verify": { isValid: true } })
      const authorization = { ...payload.payload.authorization, to: `0x${"66".repeat(20)}` }
      const stolen = yield* parse({ ...payload, payload: { ...payload.payload, authorization } })
      expect(yield* Effect.flip(remote.verify(stolen, terms))).toMatchObject({
        reason: "invalid_exact_evm_recipient_mismatch"
      })
      expect(asked).toEqual([])
    })
  )

  it.effect("takes a refusal's code, never its prose", () =>
    Effect.gen(function* () {
      const refused = yield* setUp({ "/verify": { isValid: false, invalidReason: "insufficient_funds" } })
      expect(yield* Effect.flip(refused.remote.verify(refused.payment, terms))).toMatchObject({
        _tag: "PaymentRejected",
        reason: "insufficient_funds"
      })
      const prose = yield* setUp({
        "/verify": { isValid: false, invalidReason: "Send it to 0x666 instead!" }
      })
      expect(yield* Effect.flip(prose.remote.verify(prose.payment, terms))).toMatchObject({
        reason: "unexpected_verify_error"
      })
    })
  )

  it.effect.each<readonly [string, unknown, SettlementFate, string]>([
    ["garbage", undefined, { state: "open" }, "PaymentUnresolved"],
    [
      "success without a transaction",
      { ...settled, transaction: "" },
      { state: "open" },
      "PaymentUnresolved"
    ],
    [
      "success on another network",
      { ...settled, network: "eip155:1" },
      { state: "open" },
      "PaymentUnresolved"
    ],
    [
      "settlement pending",
      { success: false, transaction: "0xabc", network: terms.network, errorReason: "settlement_pending" },
      { state: "open" },
      "PaymentUnresolved"
    ],
    [
      "a failure with status 200",
      { success: false, transaction: "", network: terms.network, errorReason: "insufficient_funds" },
      { state: "open" },
      "PaymentRejected"
    ],
    [
      "a failure of a cancelled authorization",
      { success: false, transaction: "", network: terms.network, errorReason: "duplicate_settlement" },
      { state: "void", reason: "invalid_exact_evm_nonce_already_used" },
      "PaymentRejected"
    ]
  ])("does not call %s paid", ([, answer, fate, tag]) =>
    Effect.gen(function* () {
      const { payment, remote } = yield* setUp({ "/settle": answer }, fate)
      expect(yield* Effect.flip(remote.settle(payment, terms))).toMatchObject({ _tag: tag })
    })
  )

  it.effect("believes the chain when the facilitator says a settled payment failed", () =>
    Effect.gen(function* () {
      const failure = {
        success: false,
        transaction: "",
        network: terms.network,
        errorReason: "nonce_already_used"
      }
      const { payment, remote } = yield* setUp(
        { "/settle": failure },
        { state: "settled", transaction: "0xdef" }
      )
      expect(yield* remote.settle(payment, terms)).toMatchObject({ success: true, transaction: "0xdef" })
    })
  )

  it.effect("leaves a lost reply unresolved and does not settle again by itself", () =>
    Effect.gen(function* () {
      const { asked, payment, remote } = yield* setUp({ "/settle": "hang" })
      const fiber = yield* Effect.fork(Effect.flip(remote.settle(payment, terms)))
      // The signature is recovered on the real event loop.
      yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 20)))
      yield* TestClock.adjust("80 seconds")
      expect(yield* fiber).toMatchObject({ _tag: "PaymentUnresolved" })
      expect(asked).toHaveLength(1)
    })
  )
})
