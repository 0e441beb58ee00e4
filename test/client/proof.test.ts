/** What a client concludes of a payment it has sent, from answers that prove nothing, or that lie. */
import { afterEach, beforeEach, describe, expect, it, vi } from "@effect/vitest"
import { BASE_NETWORK, createTokenRiskClient, PolicyRefusal, TokenRiskError } from "../../src/client/index.ts"
import { challengeFor, header, pingResult } from "../support/answers.ts"
import { termsFor } from "../support/payment/terms.ts"

const ORIGIN = "https://risk.test"
const TOKEN = "0x4200000000000000000000000000000000000006"
const PRICE = 5_000n

const challenge = challengeFor(`${ORIGIN}/x`, [
  { ...termsFor("0x0000000000000000000000000000000000000001", PRICE), extra: {} }
])
const unpaid = () => new Response("{}", { status: 402, headers: { "payment-required": header(challenge) } })
const delivered = () =>
  new Response(JSON.stringify(pingResult(true)), {
    headers: { "payment-response": header({ success: true, transaction: "0x1", network: BASE_NETWORK }) }
  })

/** A client whose paid calls are answered in this order; the last answer stands for the rest. */
const paidWith = async (...answers: ReadonlyArray<() => Response>) => {
  let signatures = 0
  const sent: Array<string> = []
  const client = await createTokenRiskClient({
    baseUrl: ORIGIN,
    wallet: { networks: [BASE_NETWORK], sign: async () => `signature-${(signatures += 1)}` },
    policy: { maxPerCall: PRICE, budget: 10n * PRICE, networks: [BASE_NETWORK], maxTimeoutSeconds: 120 },
    fetch: async (_url, init) => {
      const payment = new Headers(init.headers).get("payment-signature")
      if (payment === null) return unpaid()
      const answer = (answers[sent.length] ?? answers.at(-1) ?? delivered)()
      sent.push(payment)
      return answer
    }
  })
  const ping = async () => {
    const ended = client.ping("base", TOKEN).catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(120_000)
    return ended
  }
  return { client, ping, sent, signatures: () => signatures }
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const html = (status: number) => () =>
  new Response("<h1>Not for you</h1>", { status, headers: { "content-type": "text/html" } })

const NO_PROOF = [
  ["a firewall's 403", html(403)],
  ["a gateway's 404", html(404)],
  ["a gateway's 404 in JSON", () => new Response('{"error":"no such path"}', { status: 404 })],
  [
    "another service's 404 that says what paths it has",
    () => new Response('{"error":"no such path: /openapi.json lists every operation"}', { status: 404 })
  ],
  ["a proxy's 408", () => new Response('{"error":"time-out"}', { status: 408 })],
  ["a redirect", () => new Response(null, { status: 302, headers: { location: "https://login.test" } })],
  ["a portal's page with status 200", html(200)],
  ["a 402 without the service's own refusal", unpaid]
] as const

describe("a payment that was sent", () => {
  it.each(NO_PROOF)(
    "is open after %s: it is sent again, and no second one is signed",
    async (_what, answer) => {
      const { client, ping, sent, signatures } = await paidWith(answer, delivered)
      const error = await ping()
      expect(error).toBeInstanceOf(TokenRiskError)
      expect(error).toMatchObject({ charged: null, payment: "signature-1" })
      expect(await client.spent()).toBe(PRICE)
      expect(await ping()).toMatchObject({ receipt: { success: true } })
      expect(sent).toEqual(["signature-1", "signature-1"])
      expect(signatures()).toBe(1)
      expect(await client.spent()).toBe(PRICE)
    }
  )

  it("is paid where its receipt says so, whatever else the answer is", async () => {
    const rubbish = () =>
      new Response("{}", {
        headers: { "payment-response": header({ success: true, transaction: "0x1", network: BASE_NETWORK }) }
      })
    const { ping, signatures } = await paidWith(rubbish)
    expect(await ping()).toMatchObject({ code: "unexpected_answer", charged: true })
    expect(signatures()).toBe(1)
  })

  it("costs at most twice the budget where the service keeps the money and says it refused it", async () => {
    const liar = () => new Response('{"error":"no pools found for this token"}', { status: 404 })
    const { ping, signatures } = await paidWith(liar)
    for (let call = 0; call < 30; call += 1) await ping()
    expect(await ping()).toBeInstanceOf(PolicyRefusal)
    expect(signatures()).toBe(20)
  })
})
