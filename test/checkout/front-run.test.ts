import { expect, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { usdc } from "../../scripts/sandbox/base/abi.ts"
import { BASE_USDC } from "../../src/domain/chain.ts"
import { CheckoutReceipt, CheckoutTerms } from "../../src/domain/checkout.ts"
import { Eip3009Payload } from "../../src/domain/x402.ts"
import { hex } from "../support/authorizations.ts"
import { baseBuyer, LocalSandbox, serviceEnvironment, startService } from "../support/sandbox.ts"

const decodeTerms = Schema.decodeUnknownSync(CheckoutTerms)
const decodeReceipt = Schema.decodeUnknownSync(CheckoutReceipt)
const decodePayload = Schema.decodeUnknownSync(Eip3009Payload)

const post = (url: string, body: unknown) =>
  Effect.promise(async () => {
    const headers = { "content-type": "application/json" }
    const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) })
    const json: unknown = await answer.json()
    return { status: answer.status, json }
  })

layer(LocalSandbox.layer, { excludeTestServices: true, timeout: 120_000 })("a checkout on Base", (it) => {
  it.scoped(
    "whose authorization somebody else has broadcast already counts as paid, once",
    () =>
      Effect.gen(function* () {
        const sandbox = yield* LocalSandbox
        const { base } = sandbox
        const { url } = yield* startService(serviceEnvironment(sandbox), { output: "quiet" })
        const payTo = base.accounts.shop.address
        const body = { network: "base", merchantPayTo: payTo, amountUsd: "0.75", memo: "order-1" }
        const before = yield* base.usdcBalance(payTo)
        const terms = decodeTerms((yield* post(`${url}/api/checkout/v1/checkout/create`, body)).json)
        const resource = { url: terms.url, description: "checkout", mimeType: "application/json" }
        const payment = yield* Effect.promise(() =>
          baseBuyer(base.accounts.payer).client.createPaymentPayload({
            x402Version: 2,
            resource,
            accepts: [{ ...terms }]
          })
        )
        const { authorization, signature } = decodePayload(payment.payload)
        const transaction = yield* Effect.promise(() =>
          base.devnet.write(base.accounts.trader.address, BASE_USDC, usdc, "transferWithAuthorization", [
            hex(authorization.from),
            hex(authorization.to),
            BigInt(authorization.value),
            BigInt(authorization.validAfter),
            BigInt(authorization.validBefore),
            hex(authorization.nonce),
            hex(signature)
          ])
        )
        const paymentSignature = Buffer.from(JSON.stringify(payment), "utf8").toString("base64")
        const verify = post(`${terms.url}/verify`, { paymentSignature })
        const first = yield* verify
        expect(first.status).toBe(200)
        expect(decodeReceipt(first.json)).toMatchObject({ status: "paid", transaction })
        expect(yield* verify).toEqual(first)
        expect((yield* base.usdcBalance(payTo)) - before).toBe(750_000n)
      }),
    120_000
  )
})
