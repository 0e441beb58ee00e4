/** The checkout over HTTP in front of the fake chain, with a wallet that proves its account. */
import { HttpApiBuilder, HttpServer } from "@effect/platform"
import { expect } from "@effect/vitest"
import { Layer } from "effect"
import { privateKeyToAccount } from "viem/accounts"
import { makeApi } from "../../../src/api/api.ts"
import { CheckoutLive } from "../../../src/http/checkout.ts"
import { ErrorBoundary } from "../../../src/http/error-boundary.ts"
import { MerchantLive } from "../../../src/http/merchant.ts"
import { PurchasesHttpLive } from "../../../src/http/purchases.ts"
import { TokenRiskLive } from "../../../src/http/token-risk.ts"
import { Purchases } from "../../../src/operations/purchases.ts"
import { fakeServices, toWeb } from "../channels.ts"
import { shop } from "./shop.ts"

const ROOT = "https://any.test/api/checkout/v1"
export const wallet = privateKeyToAccount(`0x${"07".repeat(32)}`)
export const stranger = privateKeyToAccount(`0x${"08".repeat(32)}`)
export const accountOf = ({ address }: typeof wallet) => ({ network: "base", merchantPayTo: address })

/** The order of a merchant who is this wallet. */
export const orderOf = (signer: Parameters<typeof accountOf>[0]) => ({
  ...accountOf(signer),
  amountUsd: "1",
  memo: "order-1"
})

export interface Asked {
  readonly method?: string
  readonly token?: string
  /** An object is sent as JSON, a text as it is. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export const openDesk = () => {
  const database = shop()
  const app = HttpApiBuilder.api(makeApi("checkout")).pipe(
    Layer.provide([CheckoutLive, MerchantLive, PurchasesHttpLive, TokenRiskLive]),
    Layer.merge(ErrorBoundary),
    Layer.provideMerge(database),
    Layer.provide([fakeServices({}), Layer.mock(Purchases, {})]),
    Layer.merge(HttpServer.layerContext)
  )
  const { dispose, handler } = toWeb(app)
  const ask = async (path: string, { body, headers, method = "GET", token }: Asked = {}) => {
    const answer = await handler(
      new Request(ROOT + path, {
        method,
        headers: {
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...(token === undefined ? {} : { authorization: token }),
          ...headers
        },
        ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) })
      })
    )
    const text = await answer.text()
    const isJson = answer.headers.get("content-type")?.includes("json") === true
    return { status: answer.status, headers: answer.headers, text, json: isJson ? JSON.parse(text) : null }
  }
  const post = (path: string, body: unknown = {}, token?: string) =>
    ask(path, { method: "POST", body, ...(token === undefined ? {} : { token }) })
  /** A challenge for an account, signed by a wallet that may be another. */
  const prove = async (signer = wallet, of = wallet) => {
    const { json } = await post("/merchant/challenge", accountOf(of))
    return { message: String(json.message), signature: await signer.signMessage({ message: json.message }) }
  }
  const signIn = async (signer = wallet) => {
    const { json, status } = await post("/merchant/token", {
      ...(await prove(signer, signer)),
      label: "till"
    })
    expect(status).toBe(200)
    return { ...json, bearer: `Bearer ${json.token}` }
  }
  return { ask, post, prove, signIn, dispose }
}

export const withDesk = (use: (desk: ReturnType<typeof openDesk>) => Promise<void>) => async () => {
  const desk = openDesk()
  await use(desk).finally(desk.dispose)
}

export type Desk = ReturnType<typeof openDesk>

/** A merchant with a token and an open checkout. */
export const victim = async ({ post, signIn }: Desk) => {
  const { bearer, token, tokenId } = await signIn()
  const { json } = await post("/checkout/create", orderOf(wallet), bearer)
  return { bearer, token, tokenId, checkoutId: String(json.checkoutId) }
}
