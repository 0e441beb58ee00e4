/** What strangers try on merchants and their buyers over HTTP, and what becomes of it. */
import { describe, expect, it } from "@effect/vitest"
import { HttpApp } from "@effect/platform"
import { Effect } from "effect"
import { cors } from "../../src/http/cors.ts"
import { NO_SETTINGS } from "../../src/domain/merchant.ts"
import { type Desk, orderOf, stranger, victim, wallet, withDesk } from "../support/checkout/desk.ts"
import { PUBLIC_URL } from "../support/checkout/shop.ts"

/** Everything a token opens, as somebody asks for it who knows the merchant's ids. */
const requestsOn = (checkoutId: string, tokenId: string) =>
  [
    ["GET", "/merchant", undefined],
    ["GET", "/merchant/tokens", undefined],
    ["GET", "/merchant/checkouts", undefined],
    ["GET", "/merchant/transfers", undefined],
    ["PATCH", "/merchant", { displayName: "Mallory" }],
    ["DELETE", `/merchant/tokens/${tokenId}`, undefined],
    ["POST", `/checkout/${checkoutId}/cancel`, {}],
    ["POST", `/checkout/${checkoutId}/refund`, {}],
    ["POST", `/checkout/${checkoutId}/events/msg_${checkoutId}_paid/replay`, {}]
  ] as const

const profileOf = async ({ ask }: Desk, bearer: string) => (await ask("/merchant", { token: bearer })).json

describe("a page of another site, in the browser of a merchant", () => {
  it(
    "has no authority to borrow: neither cookies nor addresses nor forms open anything",
    withDesk(async (desk) => {
      const { bearer, checkoutId, token, tokenId } = await victim(desk)
      for (const [method, path, body] of requestsOn(checkoutId, tokenId)) {
        const cookie = { cookie: `authorization=${bearer}; token=${token}; Bearer=${token}` }
        const asked = { method, headers: cookie, ...(body === undefined ? {} : { body }) }
        const byCookie = await desk.ask(path, asked)
        const byAddress = await desk.ask(`${path}?authorization=${token}&access_token=${token}`, asked)
        for (const { headers, status, text } of [byCookie, byAddress]) {
          expect([400, 401]).toContain(status)
          expect(headers.get("set-cookie")).toBeNull()
          expect(text).not.toContain(token)
        }
      }
      // What a form can send without asking first carries no token, whatever it says of itself.
      for (const type of ["text/plain", "application/x-www-form-urlencoded"]) {
        const form = { method: "PATCH", body: `displayName=Mallory&authorization=${bearer}` }
        const answer = await desk.ask("/merchant", { ...form, headers: { "content-type": type } })
        expect([400, 401, 415]).toContain(answer.status)
      }
      expect((await profileOf(desk, bearer)).settings.displayName).toBeNull()
    })
  )

  it("may read what it asks for without credentials, and never with them", async () => {
    const preflight = new Request("https://any.test/api/checkout/v1/merchant", {
      method: "OPTIONS",
      headers: { origin: "https://evil.example", "access-control-request-method": "PATCH" }
    })
    const answer = await HttpApp.toWebHandler(cors(Effect.die("a preflight reaches no handler")))(preflight)
    expect(answer.headers.get("access-control-allow-origin")).toBe("*")
    expect(answer.headers.get("access-control-allow-credentials")).toBeNull()
  })

  it(
    "cannot put the buyer's page into a frame, nor make it load anything or send a form",
    withDesk(async (desk) => {
      const { checkoutId } = await victim(desk)
      const page = await desk.ask(`/checkout/${checkoutId}`, { headers: { accept: "text/html" } })
      expect(page.headers.get("x-frame-options")).toBe("DENY")
      const policy = page.headers.get("content-security-policy") ?? ""
      for (const rule of [
        "default-src 'none'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "form-action 'none'"
      ])
        expect(policy).toContain(rule)
      expect(policy).not.toContain("unsafe")
    })
  )
})

describe("a signed challenge", () => {
  it(
    "sent ten times at once gives one token",
    withDesk(async ({ post, prove }) => {
      const proof = await prove()
      const answers = await Promise.all(Array.from({ length: 10 }, () => post("/merchant/token", proof)))
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(400)])
    })
  )

  it.each<[string, (message: string) => string]>([
    ["another domain", (text) => text.replaceAll(new URL(PUBLIC_URL).host, "evil.example")],
    ["our domain as a part of another", (text) => text.replace(/^/, "evil.example@")],
    ["another address to use it at", (text) => text.replace(/URI: .*/, "URI: https://evil.example")],
    ["another chain", (text) => text.replace("Chain ID: 8453", "Chain ID: 1")],
    ["a nonce of the signer's own", (text) => text.replace(/Nonce: .*/, `Nonce: ${"a".repeat(32)}`)],
    ["a second nonce", (text) => text.replace(/(Nonce: .*)/, `Nonce: ${"b".repeat(32)}\n$1`)],
    [
      "an end moved to later",
      (text) => text.replace(/Expiration Time: .*/, "Expiration Time: 2999-01-01T00:00:00.000Z")
    ],
    [
      "a beginning moved to later",
      (text) => text.replace(/Issued At: .*/, "Issued At: 2999-01-01T00:00:00.000Z")
    ],
    ["another statement", (text) => text.replace("This moves no money.", "")],
    ["resources added", (text) => `${text}\nResources:\n- https://evil.example`],
    ["other line ends", (text) => text.replaceAll("\n", "\r\n")]
  ])("with %s is none of ours, whoever signed it", (_name, changed) =>
    withDesk(async ({ post, prove }) => {
      const { message } = await prove()
      const forged = changed(message)
      expect(forged).not.toBe(message)
      const signature = await wallet.signMessage({ message: forged })
      const answer = await post("/merchant/token", { message: forged, signature })
      expect([answer.status, Object.keys(answer.json)]).toEqual([400, ["error"]])
    })()
  )

  it(
    "for one account gives no token for another, in whichever way they are mixed",
    withDesk(async ({ post, prove }) => {
      const [mine, theirs] = [await prove(stranger, stranger), await prove(wallet, wallet)]
      // The victim's challenge under the attacker's signature: asked of the account's contract, whose node is not there.
      expect((await post("/merchant/token", { ...theirs, signature: mine.signature })).status).toBe(503)
      const swapped = theirs.message.replace(wallet.address, stranger.address)
      const signature = await stranger.signMessage({ message: swapped })
      expect((await post("/merchant/token", { message: swapped, signature })).status).toBe(400)
    })
  )
})

/** Invalid, unknown, or no path at all; never an outage. */
const REFUSED = [400, 404, 405]

describe("the token of another merchant", () => {
  it(
    "opens nothing of this one, and changes nothing",
    withDesk(async (desk) => {
      const { bearer, checkoutId, tokenId } = await victim(desk)
      const mallory = await desk.signIn(stranger)
      for (const [method, path, body] of requestsOn(checkoutId, tokenId)) {
        const asked = { method, token: mallory.bearer, ...(body === undefined ? {} : { body }) }
        const answer = await desk.ask(path, asked)
        // Its own list, its own profile; nothing under this merchant's ids.
        expect(answer.status).toBe(/^.merchant(?:$|.(?:tokens|checkouts|transfers)$)/.test(path) ? 200 : 404)
        expect(answer.text).not.toContain(checkoutId)
        expect(answer.text).not.toContain(tokenId)
      }
      const asVictim = await desk.post("/checkout/create", orderOf(wallet), mallory.bearer)
      expect([asVictim.status, asVictim.json.error]).toEqual([400, expect.stringContaining("merchantPayTo")])
      expect(await profileOf(desk, bearer)).toMatchObject({ settings: NO_SETTINGS })
      const mine = await desk.ask("/merchant/checkouts", { token: bearer })
      expect(mine.json.checkouts).toMatchObject([{ checkoutId, status: "open" }])
    })
  )

  it(
    "takes no Idempotency-Key away, and reads nobody's answer by one",
    withDesk(async (desk) => {
      const { bearer } = await victim(desk)
      const mallory = await desk.signIn(stranger)
      const create = (token: string | undefined, memo: string, signer = wallet) =>
        desk.ask("/checkout/create", {
          method: "POST",
          body: { ...orderOf(signer), memo },
          headers: { "idempotency-key": "order-1042" },
          ...(token === undefined ? {} : { token })
        })
      // The key is taken first by a stranger, and by another merchant, each for the victim's account or its own.
      const first = await create(undefined, "junk")
      const second = await create(mallory.bearer, "junk", stranger)
      const own = await create(bearer, "secret order")
      expect(own.status).toBe(200)
      expect(own.json.memo).toBe("secret order")
      // Afterwards each still gets its own answer by the same key, and nobody the victim's.
      expect((await create(undefined, "junk")).json).toEqual(first.json)
      expect((await create(mallory.bearer, "junk", stranger)).json).toEqual(second.json)
      expect((await create(bearer, "secret order")).json).toEqual(own.json)
    })
  )

  it.each(["%00", "chk_%00", "%ED%A0%80", "..%2f..%2fmerchant", "'%20OR%201=1--", "x".repeat(4_000)])(
    "reaches no database and no other path by the id %s",
    (id) =>
      withDesk(async (desk) => {
        const { bearer: token } = await victim(desk)
        for (const path of [
          `/checkout/${id}/cancel`,
          `/checkout/${id}/refund`,
          `/checkout/${id}/events/${id}/replay`
        ])
          expect(REFUSED).toContain((await desk.post(path, {}, token)).status)
        expect(REFUSED).toContain(
          (await desk.ask(`/merchant/tokens/${id}`, { method: "DELETE", token })).status
        )
        expect(REFUSED).toContain((await desk.ask(`/checkout/${id}`)).status)
      })()
  )
})
