/** The checkout's HTTP channel over a shop. */
import { HttpApiBuilder, HttpServer } from "@effect/platform"
import { expect } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { makeApi } from "../../../src/api/api.ts"
import { CheckoutLive } from "../../../src/http/checkout.ts"
import { MerchantLive } from "../../../src/http/merchant.ts"
import { ErrorBoundary } from "../../../src/http/error-boundary.ts"
import { PurchasesHttpLive } from "../../../src/http/purchases.ts"
import { TokenRiskLive } from "../../../src/http/token-risk.ts"
import { fakeServices, toWeb } from "../channels.ts"
import { mockPurchases } from "../mocks.ts"
import { MERCHANT, shop, sign } from "./shop.ts"

export const ROOT = "https://any.test/api/checkout/v1/checkout"

const openShop = (settings: Readonly<Record<string, string>>) => {
  const app = HttpApiBuilder.api(makeApi("checkout")).pipe(
    Layer.provide([CheckoutLive, MerchantLive, TokenRiskLive, PurchasesHttpLive]),
    Layer.merge(ErrorBoundary),
    Layer.provide(shop(settings)),
    Layer.provide([fakeServices({}), mockPurchases({})]),
    Layer.merge(HttpServer.layerContext)
  )
  return toWeb(app)
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

export const withShop = <A>(
  use: (ask: (request: Request) => Promise<Answer>) => Promise<A>,
  settings: Readonly<Record<string, string>> = {}
): Promise<A> => {
  const { dispose, handler } = openShop(settings)
  const ask = async (request: Request): Promise<Answer> => {
    const response = await handler(request)
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  return use(ask).finally(dispose)
}

export const post = (path: string, body?: unknown, headers: Record<string, string> = {}) =>
  new Request(`${ROOT}${path}`, {
    method: "POST",
    headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) })
  })

export const get = (id: string, accept = "application/json") =>
  new Request(`${ROOT}/${id}`, { headers: { accept } })

export const request = { network: "base", merchantPayTo: MERCHANT, amountUsd: "12.5", memo: "order-1" }

export const json = ({ text }: Answer) => JSON.parse(text)
export const pay = (terms: Parameters<typeof sign>[0], options?: Parameters<typeof sign>[1]) =>
  Effect.runPromise(sign(terms, options))
export const errorOnly = (answer: Answer) => {
  expect(Object.keys(json(answer))).toEqual(["error"])
  return json(answer).error
}
