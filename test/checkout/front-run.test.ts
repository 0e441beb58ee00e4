import { expect } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { usdc } from "../../scripts/sandbox/base/abi.ts"
import { BASE_USDC } from "../../src/domain/chain.ts"
import { bindingNonce } from "../../src/checkout/verify/binding.ts"
import { CheckoutReceipt, CheckoutTerms } from "../../src/domain/checkout.ts"
import { hex, transferArguments } from "../../scripts/sandbox/base/eip3009.ts"
import { authorize } from "../support/authorizations.ts"
import { againstService, RunningService } from "../support/service.ts"

const decodeTerms = Schema.decodeUnknownSync(CheckoutTerms)
const decodeReceipt = Schema.decodeUnknownSync(CheckoutReceipt)

const post = (url: string, body: unknown) =>
  Effect.promise(async () => {
    const headers = { "content-type": "application/json" }
    const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) })
    const json: unknown = await answer.json()
    return { status: answer.status, json }
  })

/** A shop's order on Base with the payment its buyer signed; `salt` binds what is signed to this order. */
const signedOrder = (salt?: string) =>
  Effect.gen(function* () {
    const {
      sandbox: { base },
      service: { url }
    } = yield* RunningService
    const payTo = base.accounts.shop.address
    const body = { network: "base", merchantPayTo: payTo, amountUsd: "0.75", memo: "order-1" }
    const terms = decodeTerms((yield* post(`${url}/api/checkout/v1/checkout/create`, body)).json)
    const bound = salt === undefined ? {} : { nonceSalt: salt }
    const accepted = { ...terms, extra: { ...terms.extra, ...bound } }
    const nonce = salt === undefined ? {} : { nonce: hex(bindingNonce(terms, salt)) }
    const payload = yield* Effect.promise(() => authorize(base.accounts.payer, { ...terms }, nonce))
    const { authorization, signature } = payload
    const transaction = yield* Effect.promise(() =>
      base.devnet.write(base.accounts.trader.address, BASE_USDC, usdc, "transferWithAuthorization", [
        ...transferArguments(authorization, signature)
      ])
    )
    const payment = { x402Version: 2, accepted, payload }
    const paymentSignature = Buffer.from(JSON.stringify(payment), "utf8").toString("base64")
    return { transaction, verify: post(`${terms.url}/verify`, { paymentSignature }), payTo }
  })

againstService("a checkout on Base", (it) => {
  it.scoped(
    "whose own authorization somebody else has broadcast already counts as paid, once",
    () =>
      Effect.gen(function* () {
        const { base } = (yield* RunningService).sandbox
        const before = yield* base.usdcBalance(base.accounts.shop.address)
        const { payTo, transaction, verify } = yield* signedOrder(`0x${"5a".repeat(32)}`)
        const first = yield* verify
        expect(first.status).toBe(200)
        expect(decodeReceipt(first.json)).toMatchObject({ status: "paid", transaction })
        expect(yield* verify).toEqual(first)
        expect((yield* base.usdcBalance(payTo)) - before).toBe(750_000n)
      }),
    120_000
  )

  it.scoped(
    "is not paid by a transfer that was made before we saw it and names no order: it may have bought something else",
    () =>
      Effect.gen(function* () {
        const { verify } = yield* signedOrder()
        // Nor is its payer told that nothing was charged: his money is with the merchant.
        expect(yield* verify).toEqual({
          status: 409,
          json: {
            error:
              "this payment was used before, and its money may have moved then: ask the merchant before you pay again"
          }
        })
      }),
    120_000
  )
})
