import { HttpClient, HttpClientResponse } from "@effect/platform"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer, Option, Redacted, TestClock } from "effect"
import { SOLANA_NETWORK } from "../../../src/domain/chain.ts"
import { evidenceKey, open, type SettlementOutcome } from "../../../src/payment/outcome.ts"
import { VerifiedPayment } from "../../../src/payment/verifier/verified-payment.ts"
import { makeFacilitator } from "../../../src/payment/settler/remote/facilitator.ts"
import { makeRemote } from "../../../src/payment/settler/remote/remote.ts"
import type { Trust } from "../../../src/payment/settler/remote/trust.ts"
import type { Settle } from "../../../src/payment/verifier/payment-verifier.ts"
import { parsePaymentObject } from "../../../src/payment/message/parse-payment.ts"
import { closed, evidenceOf, signPayment, START, terms } from "../../support/payment/support.ts"

interface Asked {
  readonly path: string
  readonly authorization: string | undefined
  readonly body: string
}

/** A facilitator that gives the same answers to everybody and remembers what it was asked. */
const setUp = (
  answers: Readonly<Record<string, unknown>>,
  onChain: (verified: VerifiedPayment) => SettlementOutcome = () => open(),
  trust?: Trust,
  status = 200,
  added: Readonly<Record<string, unknown>> = {}
) =>
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
            HttpClientResponse.fromWeb(request, new Response(JSON.stringify(answer) ?? "<html>", { status }))
          )
    })
    const facilitator = yield* makeFacilitator(
      "https://f.test",
      Option.some(Redacted.make("Bearer key"))
    ).pipe(Effect.provide(Layer.succeed(HttpClient.HttpClient, client)))
    const payload = yield* signPayment
    const looked: Array<string | null> = []
    const look: Settle = (verified, begun) =>
      Effect.sync(() => {
        looked.push(begun.transaction)
        return onChain(verified)
      })
    const remote = makeRemote(facilitator, look, trust)
    const { accepted } = payload
    const extra = { ...accepted.extra, ...added }
    const payment = yield* parsePaymentObject({ ...payload, accepted: { ...accepted, extra } })
    if (payment.scheme === "unsupported") return yield* Effect.dieMessage("not a payment")
    const verified = yield* VerifiedPayment.verify({ payment, requirements: terms })
    return { remote, asked, looked, payment, verified }
  })

const TRANSACTION = `0x${"ab".repeat(32)}`
const settled = { success: true, transaction: TRANSACTION, network: terms.network, payer: "0x1" }
const begun = { transaction: null, since: 1 }
const failure = { ...settled, success: false, transaction: "", errorReason: "insufficient_funds" }

describe("settling through a facilitator", () => {
  it.effect("whose answer does not end reads no more of it than any answer has", () =>
    Effect.gen(function* () {
      let given = 0
      const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
        given += 65_536
        if (given > 64 * 1_048_576) controller.close()
        else controller.enqueue(new Uint8Array(65_536).fill(32))
      }
      const client = HttpClient.make((request) =>
        Effect.succeed(HttpClientResponse.fromWeb(request, new Response(new ReadableStream({ pull }))))
      )
      const facilitator = yield* makeFacilitator("https://f.test", Option.none()).pipe(
        Effect.provide(Layer.succeed(HttpClient.HttpClient, client))
      )
      const { payment } = yield* setUp({})
      expect(yield* Effect.flip(facilitator.settle(payment, terms))).toMatchObject({ kind: "malformed" })
      expect(given).toBeLessThan(2 * 1_048_576)
    })
  )

  it.effect("is given our own spelling of the payment and the operator's authorization", () =>
    Effect.gen(function* () {
      const answers = { "/verify": { isValid: true }, "/settle": settled }
      const { asked, verified, payment, remote } = yield* setUp(
        answers,
        (seen) => ({ state: "settled", evidence: evidenceOf(seen, 2) }),
        undefined,
        200,
        { clients: "own" }
      )
      yield* remote.examine(verified)
      expect(yield* remote.settle(verified, begun)).toMatchObject({ state: "settled" })
      expect(asked.map(({ path }) => path)).toEqual(["/verify", "/settle"])
      for (const { authorization, body } of asked) {
        expect(authorization).toBe("Bearer key")
        expect(JSON.parse(body)).toMatchObject({
          x402Version: 2,
          paymentPayload: { payload: payment.scheme === "eip3009" ? payment.evm : {} },
          paymentRequirements: terms
        })
        // What the client added is its own.
        expect(JSON.parse(body).paymentPayload.accepted).toEqual(terms)
      }
    })
  )

  it.effect("takes a refusal's code, never its prose", () =>
    Effect.gen(function* () {
      const refused = yield* setUp({ "/verify": { isValid: false, invalidReason: "insufficient_funds" } })
      expect(yield* Effect.flip(refused.remote.examine(refused.verified))).toMatchObject({
        _tag: "PaymentRejected",
        reason: "insufficient_funds"
      })
      const prose = yield* setUp({
        "/verify": { isValid: false, invalidReason: "Send it to 0x666 instead!" }
      })
      expect(yield* Effect.flip(prose.remote.examine(prose.verified))).toMatchObject({
        reason: "unexpected_verify_error"
      })
    })
  )

  it.effect.each<readonly [number, string]>([
    [500, "invalid_exact_evm_signature"],
    [503, "invalid_exact_evm_insufficient_balance"],
    [401, "unauthorized"],
    [403, "forbidden"],
    [408, "insufficient_funds"],
    [200, "unexpected_verify_error"]
  ])("takes status %s with %s for trouble of its own, and not for a refusal", ([status, invalidReason]) =>
    Effect.gen(function* () {
      const answers = { "/verify": { isValid: false, invalidReason } }
      const { verified, remote } = yield* setUp(answers, () => open(), undefined, status)
      expect((yield* Effect.flip(remote.examine(verified)))._tag).toBe("PaymentUnavailable")
    })
  )

  it.effect("is asked again where it was asked too much, and refuses nobody for that", () =>
    Effect.gen(function* () {
      const answers = { "/verify": { isValid: false, invalidReason: "insufficient_funds" } }
      const { asked, verified, remote } = yield* setUp(answers, () => open(), undefined, 429)
      const examining = yield* Effect.fork(Effect.flip(remote.examine(verified)))
      yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 20)))
      for (let waits = 0; waits < 3; waits++) {
        yield* TestClock.adjust("2 seconds")
        yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 20)))
      }
      expect((yield* examining)._tag).toBe("PaymentUnavailable")
      expect(asked).toHaveLength(3)
    })
  )

  it.effect("is looked for where it was known to be when a facilitator names no transaction", () =>
    Effect.gen(function* () {
      const { looked, verified, remote } = yield* setUp({ "/settle": { ...failure, transaction: "0x1" } })
      const before = `0x${"cd".repeat(32)}`
      yield* remote.settle(verified, { transaction: before, since: 1 })
      expect(new Set(looked)).toEqual(new Set([before]))
    })
  )

  it.effect("looks where a failed settlement points, whatever its status", () =>
    Effect.gen(function* () {
      const answers = { "/settle": { ...failure, transaction: TRANSACTION } }
      const { looked, verified, remote } = yield* setUp(answers, () => open(), undefined, 500)
      expect(yield* remote.settle(verified, begun)).toMatchObject({ state: "open" })
      expect(new Set(looked)).toEqual(new Set([TRANSACTION]))
    })
  )

  it.effect.each<readonly [string, unknown]>([
    ["garbage", undefined],
    ["a failure with status 200", failure],
    ["settlement pending", { ...failure, transaction: TRANSACTION, errorReason: "settlement_pending" }]
  ])("calls %s neither paid nor unpaid: it is open", ([, answer]) =>
    Effect.gen(function* () {
      const { verified, remote } = yield* setUp({ "/settle": answer })
      expect(yield* remote.settle(verified, begun)).toMatchObject({ state: "open" })
    })
  )

  it.effect("does not believe a success that our own node does not show", () =>
    Effect.gen(function* () {
      const { verified, looked, remote } = yield* setUp({ "/settle": settled })
      const fiber = yield* Effect.fork(remote.settle(verified, begun))
      yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 20)))
      yield* TestClock.adjust("30 seconds")
      expect(yield* fiber).toMatchObject({ state: "open" })
      expect(new Set(looked)).toEqual(new Set([TRANSACTION]))
    })
  )

  it.effect("believes the chain when the facilitator says a settled payment failed", () =>
    Effect.gen(function* () {
      const { verified, remote } = yield* setUp({ "/settle": failure }, (seen) => ({
        state: "settled",
        evidence: evidenceOf(seen, 2)
      }))
      expect(yield* remote.settle(verified, begun)).toMatchObject({ state: "settled" })
    })
  )

  it.effect("is unpaid when the chain proves it", () =>
    Effect.gen(function* () {
      const { verified, remote } = yield* setUp({ "/settle": failure }, () => ({
        state: "void",
        reason: "expired",
        proof: closed
      }))
      expect(yield* remote.settle(verified, begun)).toMatchObject({ state: "void", reason: "expired" })
    })
  )

  it.effect("leaves a lost reply open and does not settle again by itself", () =>
    Effect.gen(function* () {
      const { asked, verified, remote } = yield* setUp({ "/settle": "hang" })
      const fiber = yield* Effect.fork(remote.settle(verified, begun))
      yield* TestClock.adjust("80 seconds")
      expect(yield* fiber).toMatchObject({ state: "open" })
      expect(asked).toHaveLength(1)
    })
  )

  const dark = Effect.fail("no node answers")
  const light = Effect.succeed(1)
  /** A ping is 5,000. */
  const small = 5_001n

  /** What becomes of a payment whose settlement a facilitator answers while our own look shows nothing. */
  const settling = (answer: unknown, trust: Trust) =>
    Effect.gen(function* () {
      const { verified, remote } = yield* setUp({ "/settle": answer }, () => open(), trust)
      const fiber = yield* Effect.fork(remote.settle(verified, begun))
      yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 20)))
      yield* TestClock.adjust("30 seconds")
      return yield* fiber
    })

  it.effect("takes its word for a small payment while no node of ours answers", () =>
    Effect.gen(function* () {
      const first = yield* settling(settled, { below: small, read: dark })
      const shouted = { ...settled, transaction: `0x${"AB".repeat(32)}` }
      const second = yield* settling(shouted, { below: small, read: dark })
      // In one spelling: found on chain, it is the same transfer.
      for (const one of [first, second])
        expect(one).toMatchObject({ state: "settled", evidence: { transaction: TRANSACTION } })
      // Two payments that it says one transaction carries are two transfers, where no log tells them apart.
      const keys = [first, second].map((one) => (one.state === "settled" ? evidenceKey(one.evidence) : ""))
      expect(new Set(keys).size).toBe(2)
    })
  )

  it.effect.each<readonly [string, unknown, Trust]>([
    ["a node that answers does not show it", settled, { below: small, read: light }],
    ["the amount is not small", settled, { below: 5_000n, read: dark }],
    ["nothing was configured", settled, { below: 0n, read: dark }],
    ["it says that it failed", failure, { below: small, read: dark }],
    [
      "it says that it failed, and in which transaction",
      { ...failure, transaction: TRANSACTION },
      { below: small, read: dark }
    ],
    ["it names no transaction", { ...settled, transaction: "0x1" }, { below: small, read: dark }],
    ["it names another network's", { ...settled, network: SOLANA_NETWORK }, { below: small, read: dark }],
    [
      "no transaction of the network has such a name",
      { ...settled, transaction: "5".repeat(88) },
      { below: small, read: dark }
    ]
  ])("does not take its word where %s", ([, answer, trust]) =>
    Effect.map(settling(answer, trust), (outcome) => expect(outcome).toMatchObject({ state: "open" }))
  )
})
