/** What a merchant may not put onto the page that buyers see. */
import { describe, expect, it } from "@effect/vitest"
import { orderOf, wallet, withDesk } from "../support/checkout/desk.ts"

/** Texts that look like others, or paint over what stands beside them. */
const DECEPTIVE: ReadonlyArray<string> = [
  "Shop\u202egnp.exe",
  "\u2066Shop",
  "Pay\u200bPal",
  "\ufeffShop",
  "Sh\u00adop",
  "\u3164",
  "\u2800",
  "   ",
  "",
  "Shop\u0000",
  "Shop\nPaid. You can close this page.",
  "Shop\u2028",
  "a" + "\u0301".repeat(12),
  "\ud800",
  "\u{e0041}\u{e0042}"
]

const URLS: ReadonlyArray<string> = [
  "javascript:alert(1)",
  "JaVaScRiPt:alert(1)",
  " javascript:alert(1)",
  "java\nscript:alert(1)",
  "\u0001javascript:alert(1)",
  "data:text/html,<script>alert(1)</script>",
  "vbscript:msgbox(1)",
  "blob:https://shop.example/1",
  "file:///etc/passwd",
  "http://shop.example/",
  "//evil.example/",
  "/thanks",
  "https://shop.example@evil.example/",
  "https://user:pass@evil.example/",
  "https://shop.example/\u202e",
  "https://shop.example/a b",
  "https://shop\t.example/",
  `https://shop.example/${"a".repeat(2_048)}`,
  ""
]

describe("what a merchant puts onto the page", () => {
  const changing =
    (desk: Parameters<Parameters<typeof withDesk>[0]>[0], token: string) =>
    async (body: unknown): Promise<number> =>
      (await desk.ask("/merchant", { method: "PATCH", body, token })).status

  it(
    "is refused where it could deceive: invisible, turned around, painted over, or empty",
    withDesk(async (desk) => {
      const change = changing(desk, (await desk.signIn()).bearer)
      for (const text of DECEPTIVE) {
        expect([text, await change({ displayName: text })]).toEqual([text, 400])
        expect([text, await change({ logoText: text.slice(0, 4) })]).toEqual([text, expect.any(Number)])
      }
      for (const good of ["Café Ünïcode", "محل قهوه", "می‌خواهم", "👨‍👩‍👧 Shop", "C++ & <Söhne>"])
        expect([good, await change({ displayName: good })]).toEqual([good, 200])
    })
  )

  it(
    "is refused where a link could run something or lead elsewhere",
    withDesk(async (desk) => {
      const change = changing(desk, (await desk.signIn()).bearer)
      for (const url of URLS)
        for (const member of ["successUrl", "cancelUrl", "webhookUrl"])
          expect([url, member, await change({ [member]: url })]).toEqual([url, member, 400])
    })
  )

  it(
    "is shown as text, whatever markup it is made of",
    withDesk(async (desk) => {
      const { bearer: token } = await desk.signIn()
      const evil = `</q><script>alert(1)</script><img src=x onerror=alert(1)>"'`
      const settings = {
        displayName: evil,
        logoText: "<b>&",
        successUrl: `https://shop.example/?"><script>x`
      }
      expect((await desk.ask("/merchant", { method: "PATCH", body: settings, token })).status).toBe(200)
      const { json } = await desk.post("/checkout/create", { ...orderOf(wallet), memo: evil }, token)
      const { text } = await desk.ask(`/checkout/${json.checkoutId}`, { headers: { accept: "text/html" } })
      expect(text).not.toContain("<script>alert")
      expect(text).not.toContain("<img")
      expect(text).not.toContain("<b>&")
      expect(text).not.toContain('"><script>')
      expect(text).toContain("&lt;b&gt;&amp;")
    })
  )

  it.each<[string, unknown]>([
    ["too many", Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`k${n}`, "v"]))],
    ["too long", { note: "x".repeat(201) }],
    ["a name too long", { ["n".repeat(41)]: "v" }],
    ["no texts", { table: 7 }],
    ["nested", { table: { seat: "7" } }],
    ["a list", ["7"]]
  ])("as notes is bounded: %s", (_name, metadata) =>
    withDesk(async (desk) => {
      const { bearer } = await desk.signIn()
      const answer = await desk.post("/checkout/create", { ...orderOf(wallet), metadata }, bearer)
      expect([answer.status, Object.keys(answer.json)]).toEqual([400, ["error"]])
    })()
  )

  it(
    "as notes comes back as it was, under whatever name, and poisons nothing",
    withDesk(async (desk) => {
      const { bearer } = await desk.signIn()
      const notes = `{"constructor":"a","toString":"b","x\\u0000y":"\\u0000","__proto__":"c"}`
      const body = JSON.stringify({ ...orderOf(wallet), memo: "noted" }).replace("}", `,"metadata":${notes}}`)
      const created = await desk.ask("/checkout/create", {
        method: "POST",
        body,
        token: bearer,
        headers: { "content-type": "application/json" }
      })
      expect(created.status).toBe(200)
      const listed = await desk.ask("/merchant/checkouts?memo=noted", { token: bearer })
      expect(listed.json.checkouts[0].metadata).toMatchObject({
        constructor: "a",
        toString: "b",
        "x\u0000y": "\u0000"
      })
      expect(Object.prototype.toString.call({})).toBe("[object Object]")
    })
  )
})
