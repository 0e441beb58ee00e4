/** A merchant's checkout, paid by a buyer with the official client: the terms are x402 requirements as they stand. */
import { Effect, Schema } from "effect"
import { CheckoutReceipt, CheckoutTerms } from "../../src/domain/checkout.ts"
import { solanaBuyer } from "../sandbox/buyer.ts"
import type { Sandbox } from "../sandbox/sandbox.ts"
import { request } from "./answers.ts"
import { DemoFailure, dollars, expectThat, held } from "./checks.ts"

const PRICE_USD = "0.25"
const PRICE = 250_000n

const post = (body: unknown): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body)
})

const decode = <A, I>(schema: Schema.Schema<A, I>, body: unknown) =>
  Effect.mapError(Schema.decodeUnknown(schema)(body), ({ message }) => new DemoFailure({ message }))

/** Signs the terms as any x402 client would sign an entry of a challenge. */
const sign = ({ solana }: Sandbox, terms: CheckoutTerms) =>
  Effect.tryPromise({
    try: async () => {
      const { amount, asset, extra, maxTimeoutSeconds, network, payTo, scheme } = terms
      const payment = await solanaBuyer(solana.accounts.payer, solana.url).client.createPaymentPayload({
        x402Version: 2,
        resource: { url: terms.url, description: "Checkout", mimeType: "application/json" },
        accepts: [{ scheme, network, amount, asset, payTo, maxTimeoutSeconds, extra: { ...extra } }]
      })
      return Buffer.from(JSON.stringify(payment), "utf8").toString("base64")
    },
    catch: (cause) => new DemoFailure({ message: `the client did not sign the terms: ${String(cause)}` })
  })

/** Create, pay, verify, verify again: one transfer, and the same receipt twice. */
export const checkoutOnSolana = (sandbox: Sandbox, service: string) =>
  Effect.gen(function* () {
    const { solana } = sandbox
    const merchant = solana.accounts.shop.address
    const base = `${service}/api/checkout/v1/checkout`
    const before = yield* solana.usdcBalance(merchant)
    const created = yield* request(
      fetch,
      `${base}/create`,
      post({ network: "solana", merchantPayTo: merchant, amountUsd: PRICE_USD, memo: "order-1042" })
    )
    yield* expectThat(
      created.status === 200,
      `expected 200, got ${created.status} ${JSON.stringify(created.body)}`
    )
    const terms = yield* decode(CheckoutTerms, created.body)
    const verify = post({ paymentSignature: yield* sign(sandbox, terms) })
    const paid = yield* request(fetch, `${base}/${terms.checkoutId}/verify`, verify)
    yield* expectThat(paid.status === 200, `expected 200, got ${paid.status} ${JSON.stringify(paid.body)}`)
    const receipt = yield* decode(CheckoutReceipt, paid.body)
    const again = yield* request(fetch, `${base}/${terms.checkoutId}/verify`, verify)
    yield* expectThat(
      JSON.stringify(again.body) === JSON.stringify(paid.body),
      "the same payment gets the same receipt"
    )
    const received = (yield* solana.usdcBalance(merchant)) - before
    yield* expectThat(received === PRICE, `the merchant received ${dollars(received)}, not ${dollars(PRICE)}`)
    return held([
      `checkout ${terms.checkoutId} for ${dollars(PRICE)}, memo "${terms.memo}"`,
      `status ${receipt.status}, bound by ${receipt.binding}, in ${receipt.transaction}`,
      "verified twice: one transfer, the same receipt"
    ])
  })
