import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { BASE_NETWORK, BASE_USDC, SOLANA_NETWORK, SOLANA_USDC } from "../../src/domain/chain.ts"
import type { CheckoutStatus, TransferKind } from "../../src/domain/checkout.ts"
import { checkoutPage, missingPage } from "../../src/web/checkout-page.ts"
import { REFUSALS } from "../../src/web/site/refusals.ts"
import { jsonForScript } from "../../src/web/page.ts"

const ID = `chk_${"a1".repeat(16)}`
const PAY_TO = "7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV"
const EVIL = `"><script>alert(1)</script></script><!--&'`

const status = (
  change: Partial<CheckoutStatus["terms"]> = {},
  name: CheckoutStatus["status"] = "open"
): CheckoutStatus => ({
  checkoutId: ID,
  status: name,
  amountUsd: "12.5",
  terms: {
    scheme: "exact",
    network: SOLANA_NETWORK,
    amount: "12500000",
    asset: SOLANA_USDC,
    payTo: PAY_TO,
    memo: "order-1",
    checkoutId: ID,
    maxTimeoutSeconds: 30,
    expiresAt: "2026-11-21T10:00:00.000Z",
    extra: { feePayer: "fee", memo: ID },
    url: `https://risk.test/api/checkout/v1/checkout/${ID}`,
    ...change
  },
  receipt: null,
  received: "0",
  missing: "12500000",
  payments: [],
  timeline: [{ status: "open", at: "2026-11-21T09:00:00.000Z" }]
})

const base = {
  network: BASE_NETWORK,
  asset: BASE_USDC,
  payTo: `0x${"ab".repeat(20)}`,
  extra: { name: "USD Coin", version: "2" }
} as const

const moved = (kind: TransferKind, amount: string) => ({
  kind,
  amount,
  transaction: "t",
  payer: "p",
  at: "2026-11-21T09:30:00.000Z"
})

const BEFORE_ITS_END = Date.parse("2026-11-21T09:30:00.000Z")

const render = (view: CheckoutStatus, now = BEFORE_ITS_END) =>
  Effect.runPromise(checkoutPage(view, null, now))

const textOf = (html: string, name: "style" | "script"): string =>
  new RegExp(`<${name}>([^]*?)</${name}>`).exec(html)?.[1] ?? ""
const hash = (text: string) => `'sha256-${createHash("sha256").update(text, "utf8").digest("base64")}'`

describe("the hosted page", () => {
  it("shows amount, merchant, memo, expiry and network", async () => {
    const { html } = await render(status())
    for (const text of ["12.50 <small>USDC", PAY_TO, "order-1", "2026-11-21T10:00:00.000Z", "Solana", ID])
      expect(html).toContain(text)
    expect(html).toContain('<meta name="viewport"')
    expect(html).toContain('lang="en"')
  })

  it("carries a Solana Pay code for exactly this order", async () => {
    const { html } = await render(status())
    expect(html).toContain("<svg")
    const href = /class="button" href="([^"]+)"/.exec(html)?.[1]?.replaceAll("&amp;", "&") ?? ""
    expect(href.startsWith(`solana:${PAY_TO}?`)).toBe(true)
    const query = new URLSearchParams(href.split("?")[1])
    expect(query.get("amount")).toBe("12.5")
    expect(query.get("spl-token")).toBe(SOLANA_USDC)
    expect(query.get("memo")).toBe(ID)
    expect(query.get("reference")).toMatch(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/)
  })

  it("says on Solana how any wallet or exchange pays: what is missing, with the memo that names the order", async () => {
    const wordsOf = ({ html }: { readonly html: string }) =>
      /id="by-hand">([^]*?)<\/p>/
        .exec(html)?.[1]
        ?.replaceAll(/<[^>]+>|\s+/g, " ")
        .replaceAll(/ +/g, " ")
    expect(wordsOf(await render({ ...status(), missing: "12000000" }))).toContain(
      `send 12 USDC on Solana to the address under “Pay to”, with the memo ${ID} . Without the memo`
    )
    expect(wordsOf(await render(status(base)))).toBeUndefined()
  })

  it("names the code for those who hear the page, on either network", async () => {
    const pages = await Promise.all([render(status()), render(status(base))])
    const named = pages.map(({ html }) => /<div class="qr" role="img" aria-label="([^"]+)">/.exec(html)?.[1])
    expect(named).toEqual(["Solana Pay code of this payment", "Code with the address of this page"])
  })

  it("offers the browser's wallet on Base, and no Solana code", async () => {
    const { html } = await render(status(base))
    expect(html).toContain('id="wallet"')
    expect(html).not.toContain("solana:")
  })

  it("says that it does not follow the payment without JavaScript, as long as one can come", async () => {
    const said = ["open", "processing", "paid", "expired"] as const
    const pages = await Promise.all(said.map((name) => render(status({}, name))))
    expect(pages.map(({ html }) => /<noscript[\s\S]*do\s+not pay twice/.test(html))).toEqual([
      true,
      true,
      false,
      false
    ])
  })

  it.each([
    ["open", "Pay 12.50 USDC"],
    ["processing", "Pay 12.50 USDC"],
    ["paid", "Paid: 12.50 USDC"],
    ["expired", "Expired: 12.50 USDC"],
    ["cancelled", "Cancelled: 12.50 USDC"]
  ] as const)("is called in its tab by what became of it: %s", async (name, title) => {
    expect((await render(status({}, name))).html).toContain(`<title>${title}</title>`)
  })

  it.each(["paid", "expired"] as const)("offers no way to pay when it is %s", async (name) => {
    const { html } = await render(status({}, name))
    expect(html).toMatch(/id="pay"\s+hidden/)
  })

  it("offers no way to pay once the clock ran out, though the chain was not looked through yet", async () => {
    const { html } = await render(status(), Date.parse(status().terms.expiresAt))
    expect(html).toMatch(/id="pay"\s+hidden/)
    expect(html).toMatch(/data-status="open"\s*>\s*The time to pay is over\./)
    expect((await render(status())).html).not.toMatch(/id="pay"\s+hidden/)
  })

  it("offers no way to pay while a payment settles: a second one would be taken too", async () => {
    const { html } = await render(status({}, "processing"))
    expect(html).toMatch(/id="open-in"[^>]*\shidden/)
    expect(html).toMatch(/id="wallet"[^>]*\shidden/)
  })

  it.each<[string, Partial<CheckoutStatus>, string]>([
    [
      "in part",
      { missing: "12000000", payments: [moved("short", "500000")] },
      "0.50 USDC arrived. 12.00 USDC are still missing."
    ],
    [
      "too late",
      { status: "expired", payments: [moved("late", "12500000")] },
      "12.50 USDC arrived, and did not pay this checkout: too late, or too little. Please ask the merchant to send it back."
    ],
    [
      "in part, and never the rest",
      {
        status: "expired",
        missing: "12000000",
        payments: [moved("short", "500000"), moved("refunded", "200000")]
      },
      "0.30 USDC arrived, and did not pay this checkout: too late, or too little. Please ask the merchant to send it back. The merchant sent 0.20 USDC back."
    ],
    [
      "to a cancelled order",
      { status: "cancelled", payments: [moved("late", "1000000")] },
      "1.00 USDC arrived, and did not pay this checkout: too late, or too little. Please ask the merchant to send it back."
    ],
    [
      "twice",
      { status: "paid", missing: "0", payments: [moved("paid", "12500000"), moved("extra", "12500000")] },
      "12.50 USDC arrived beyond the price. Please ask the merchant to send it back."
    ],
    [
      "and went back",
      { status: "paid", missing: "0", payments: [moved("paid", "12500000"), moved("refunded", "12500000")] },
      "The merchant sent 12.50 USDC back."
    ],
    [
      "in parts that are more than the price",
      { status: "paid", missing: "0", payments: [moved("paid", "4000000"), moved("paid", "12500000")] },
      "4.00 USDC arrived beyond the price. Please ask the merchant to send it back."
    ],
    [
      "beside a payment of before transfers were kept",
      { status: "paid", missing: "0", payments: [moved("short", "500000")] },
      "0.50 USDC arrived beyond the price. Please ask the merchant to send it back."
    ],
    ["and was lost", { payments: [moved("lost", "12500000")] }, ""],
    ["and paid", { status: "paid", missing: "0", payments: [moved("paid", "12500000")] }, ""]
  ])("says what became of money that came %s", async (_name, change, words) => {
    const { html } = await render({ ...status(), ...change })
    const said = /id="missing"[^>]*>([^<]*)</.exec(html)?.[1]?.trim()
    expect(said).toBe(words)
    expect(/id="missing"[^>]*\bhidden/.test(html)).toBe(words === "")
  })

  it("wears what its merchant chose: name, logo text, and the ways back and out", async () => {
    const links = { successUrl: "https://shop.example/thanks", cancelUrl: "https://shop.example/cart" }
    const settings = { displayName: "Café", logoText: "C", webhookUrl: null, ...links }
    const dressed = (name: CheckoutStatus["status"]) =>
      Effect.runPromise(checkoutPage(status({}, name), settings, BEFORE_ITS_END))
    const paid = (await dressed("paid")).html
    expect(paid).toContain("Calls itself <q>Café</q>")
    expect(paid).toContain('<span class="logo">C</span>')
    const back = (text: string) => /<a[^>]*id="back"[^>]*>/.exec(text)?.[0] ?? ""
    expect(back(paid)).toContain('href="https://shop.example/thanks"')
    expect(back(paid)).not.toMatch(/hidden/)
    expect(paid).not.toContain("https://shop.example/cart")
    // Nothing leads back as if it were paid while it is not.
    const open = (await dressed("open")).html
    expect(back(open)).toMatch(/hidden/)
    expect(open).toContain('href="https://shop.example/cart"')
  })

  it("escapes what the merchant wrote, in the text, the code and the data", async () => {
    const { html } = await render(status({ memo: EVIL }))
    expect(html).not.toContain("<script>alert(1)")
    expect(html).toContain("&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;")
    const data = /id="data">([^]*?)<\/script>/.exec(html)?.[1] ?? ""
    expect(data).not.toContain("<")
    expect(JSON.parse(data).terms.memo).toBe(EVIL)
  })

  it.each([
    ["open", status()],
    ["on Base", status(base)],
    ["paid", status({}, "paid")]
  ])("allows only its own style and script by their hashes: %s", async (_name, view) => {
    const { contentSecurityPolicy, html } = await render(view)
    expect(contentSecurityPolicy).toContain(`script-src ${hash(textOf(html, "script"))}`)
    expect(contentSecurityPolicy).toContain(`style-src ${hash(textOf(html, "style"))}`)
    expect(contentSecurityPolicy).toMatch(/^default-src 'none'/)
    expect(contentSecurityPolicy).toContain("frame-ancestors 'none'")
    expect(contentSecurityPolicy).not.toContain("unsafe")
    // Nothing the policy would have to block: no inline handlers or styles, nothing from elsewhere.
    expect(html).not.toMatch(/\son[a-z]+=|\sstyle=|<link|<img|<iframe|src=/i)
  })

  it("asks a wallet on Solana to confirm within the life of a blockhash, and says what it was too late for", async () => {
    const [solana = "", onBase = ""] = [await render(status()), await render(status(base))].map(({ html }) =>
      textOf(html, "script")
    )
    expect(() => new Function(solana)).not.toThrow()
    expect(solana).toContain("Please confirm in your wallet within half a minute.")
    expect(onBase).not.toContain("in your wallet within")
    for (const page of [solana, onBase]) expect(page.match(/const SOON = \d+;/g)).toHaveLength(1)
    expect(Object.keys(REFUSALS)).toContain("invalid_exact_svm_blockhash_expired")
    expect(solana).toContain("invalid_exact_svm_blockhash_expired:")
  })

  it("has a script that parses", async () => {
    const { html } = await render(status(base))
    expect(() => new Function(textOf(html, "script"))).not.toThrow()
  })

  it("for an unknown checkout tells the buyer not to pay and runs nothing", () => {
    expect(missingPage.html).toContain("Do not pay")
    expect(missingPage.contentSecurityPolicy).toContain("script-src 'none'")
    expect(missingPage.contentSecurityPolicy).toContain(hash(textOf(missingPage.html, "style")))
  })
})

describe("JSON inside a page", () => {
  it("cannot end its element", () => {
    expect(jsonForScript({ a: "</script><!--" })).not.toContain("<")
    expect(JSON.parse(jsonForScript({ a: "</script>" }))).toEqual({ a: "</script>" })
  })
})
