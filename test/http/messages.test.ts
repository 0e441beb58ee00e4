import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { parsePayment } from "../../src/payment/message/parse-payment.ts"
import { openHttp } from "../support/channels.ts"

const PATH = "https://risk.test/api/token-risk/v1/ping"
const WETH = "0x4200000000000000000000000000000000000006"

const errorOf = async (request: Request): Promise<string> => {
  const { dispose, handler } = openHttp()
  const response = await handler(request)
  expect(response.status).toBe(400)
  const { error } = await response.json()
  await dispose()
  return error
}

const get = (query: Record<string, string>) => new Request(`${PATH}?${new URLSearchParams(query).toString()}`)
const post = (body: unknown) =>
  new Request(PATH, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body)
  })

describe("messages about the input", () => {
  it.each([
    [{ chain: "ethereum", address: WETH }, /^chain: must be "solana" or "base"$/],
    [{ address: WETH }, /^chain: is missing, must be "solana" or "base"$/],
    [{ chain: "base", address: "0x123" }, /^address: must be .*0x and 40 hex digits.*base58 of 32 bytes/],
    [{ chain: "base", address: "0x" + "g".repeat(40) }, /^address: must be 0x and 40 hex digits on base$/],
    [{ chain: "solana", address: WETH }, /^address: must be base58 of 32 bytes on solana$/]
  ])("%j name what is allowed, by GET and by POST", async (token, message) => {
    expect(await errorOf(get({ ...token }))).toMatch(message)
    expect(await errorOf(post(token))).toMatch(message)
  })

  it.effect("of a payment of version 1 says which version is spoken and what to sign", () =>
    Effect.gen(function* () {
      const payment = { x402Version: 1, scheme: "exact", network: "base", payload: {} }
      const header = Buffer.from(JSON.stringify(payment)).toString("base64")
      const { message } = yield* Effect.flip(parsePayment(header))
      expect(message).toMatch(/version 1.*accepts.*version 2/)
    })
  )
})
