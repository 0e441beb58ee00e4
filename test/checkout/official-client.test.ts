import { describe, expect, it } from "@effect/vitest"
import { x402Client } from "@x402/core/client"
import { ExactEvmScheme } from "@x402/evm/exact/client"
import { Effect } from "effect"
import { privateKeyToAccount } from "viem/accounts"
import { BASE_NETWORK } from "../../src/domain/chain.ts"
import { createCheckout, shop, verify } from "../support/checkout/shop.ts"

const client = new ExactEvmScheme(privateKeyToAccount(`0x${"21".repeat(32)}`))

const pay = (amountUsd: string, maxAmountPerPayment?: string) =>
  Effect.gen(function* () {
    const payer = x402Client.fromConfig({
      schemes: [{ network: BASE_NETWORK, client }],
      ...(maxAmountPerPayment === undefined ? {} : { spendControls: { maxAmountPerPayment } })
    })
    const terms = yield* createCheckout({ amountUsd })
    const resource = { url: terms.url, description: "checkout", mimeType: "application/json" }
    const challenge = { x402Version: 2, resource, accepts: [{ ...terms }] }
    const payload = yield* Effect.tryPromise(() => payer.createPaymentPayload(challenge))
    const payment = Buffer.from(JSON.stringify(payload), "utf8").toString("base64")
    return JSON.parse((yield* verify(terms.checkoutId, payment)).receipt).status
  }).pipe(Effect.either, Effect.provide(shop()))

describe("the official client", () => {
  it.live("pays up to a dollar as it is, and more only where its owner says how much", () =>
    Effect.gen(function* () {
      expect(yield* pay("1")).toMatchObject({ right: "paid" })
      expect(yield* pay("1.01")).toMatchObject({ _tag: "Left", left: { _tag: "UnknownException" } })
      expect(yield* pay("12.5", "$20")).toMatchObject({ right: "paid" })
      expect(yield* pay("20.01", "$20")).toMatchObject({ _tag: "Left", left: { _tag: "UnknownException" } })
    })
  )
})
