/** The page for people in a real browser, against the sandbox: what it shows, what it asks for, and of whom. */
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import { mkdirSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { BrowserPage, View } from "../support/browser/devtools.ts"
import { openBrowser } from "../support/browser/devtools.ts"
import { useService } from "../support/stage.ts"

const SHOTS = process.env["SCREENSHOTS"] ?? join(tmpdir(), "token-risk-screenshots")
const PHONE = { width: 390, height: 844, mobile: true, scheme: "light" } as const
const DESKTOP = { width: 1280, height: 900, mobile: false, scheme: "light" } as const
const VIEWS: ReadonlyArray<readonly [string, View]> = [
  ["phone-light", PHONE],
  ["phone-dark", { ...PHONE, scheme: "dark" }],
  ["desktop-light", DESKTOP],
  ["desktop-dark", { ...DESKTOP, scheme: "dark" }]
]

const { service, stage } = useService(() => ({ PUBLIC_URL: undefined }))

let browser: ReturnType<typeof openBrowser>
beforeAll(() => {
  mkdirSync(SHOTS, { recursive: true })
  browser = openBrowser()
})
afterAll(() => browser.close())

const textOf = (page: BrowserPage, selector: string) =>
  page.read(`document.querySelector(${JSON.stringify(selector)}).textContent.trim()`)
const count = (page: BrowserPage, selector: string) =>
  page.read(`document.querySelectorAll(${JSON.stringify(selector)}).length`)

/** Opens the page as a stranger with free calls of its own. */
const open = async (view: View = PHONE): Promise<BrowserPage> => {
  const page = await browser.page()
  await page.view(view)
  await page.goto(`${service().url}/`)
  return page
}

const screen = async (page: BrowserPage, chain: string, address: string) => {
  await page.read(`(() => {
    document.getElementById("chain").value = ${JSON.stringify(chain)};
    document.getElementById("address").value = ${JSON.stringify(address)};
    document.getElementById("try").requestSubmit();
  })()`)
  await page.until('!document.getElementById("go").disabled')
}

const shoot = async (page: BrowserPage, name: string) => {
  for (const [label, view] of VIEWS) {
    await page.view(view)
    await page.screenshot(join(SHOTS, `home-${name}-${label}.png`))
  }
}

/** Nothing may be wider than the screen: people would have to scroll sideways. */
const overflow = (page: BrowserPage) =>
  page.read("document.documentElement.scrollWidth - document.documentElement.clientWidth")

describe("the home page", () => {
  it("shows an honeypot as one: verdict, gauge, reasons, every signal with state and source, attested", async () => {
    const { base } = stage().sandbox
    const page = await open()
    await screen(page, "base", base.tokens.honeypot.address)
    expect(await textOf(page, "#verdict")).toBe("Avoid")
    expect(await page.read('document.getElementById("gauge").getAttribute("aria-label")')).toMatch(
      /^Risk score \d+ of 100, band critical/
    )
    expect(await page.read("getComputedStyle(document.getElementById('needle')).left")).not.toBe("0px")
    expect(await textOf(page, "#reasons")).toContain("A fresh buyer can buy and cannot sell.")
    expect(await textOf(page, "#attestation")).toContain("verified in this browser")
    const report: { signals: ReadonlyArray<{ id: string; state: string }> } = JSON.parse(
      String(await page.read("shown"))
    )
    const rows = await page.read(
      "JSON.stringify([...document.querySelectorAll('.topic li')].map(({ dataset }) => [dataset.id, dataset.state]))"
    )
    const shown = JSON.parse(String(rows))
    expect(shown.toSorted()).toEqual(report.signals.map(({ id, state }) => [id, state]).toSorted())
    expect(await textOf(page, '[data-id="HONEYPOT"]')).toMatch(/^✗.*failed · simulated trades · critical/)
    expect(await overflow(page)).toBe(0)
    await shoot(page, "avoid")
  })

  it("shows what is left of the price when somebody sells, on Solana", async () => {
    const { solana } = stage().sandbox
    const page = await open(DESKTOP)
    await screen(page, "solana", solana.tokens.clean.address)
    expect(await textOf(page, "#verdict")).toBe("Allow")
    expect(await count(page, "#topic-holders .bar")).toBe(3)
    expect(await textOf(page, "#topic-holders")).toMatch(
      /% of the price is left if the largest holder sells all/
    )
    await shoot(page, "allow")
    await screen(page, "solana", solana.tokens.mintable.address)
    expect(await textOf(page, "#verdict")).toBe("Caution")
    await shoot(page, "caution")
  })

  it("never shows a verdict whose attestation does not verify", async () => {
    const { base } = stage().sandbox
    const page = await open()
    // Somebody between the service and the browser turns the verdict round.
    await page.read(`(() => {
      const real = fetch;
      window.fetch = async (url, init) => {
        const answer = await real(url, init);
        if (!String(url).includes("/deep")) return answer;
        return new Response((await answer.text()).replace('"verdict":"avoid"', '"verdict":"allow"'), answer);
      };
    })()`)
    await screen(page, "base", base.tokens.honeypot.address)
    expect(await textOf(page, "#verdict")).toBe("Not verified")
    expect(await page.read("document.getElementById('summary').dataset.tone")).toBe("fail")
    for (const part of [".gauge", "#reasons", ".topics"])
      expect(await page.read(`getComputedStyle(document.querySelector("${part}")).display`)).toBe("none")
    await shoot(page, "not-verified")
  })

  it("works with the keyboard alone, and moves to the verdict", async () => {
    const { base } = stage().sandbox
    const page = await open(DESKTOP)
    await page.press("Tab")
    expect(await textOf(page, ":focus")).toBe("Skip to the content")
    await page.press("Enter")
    for (const id of ["chain", "address"]) {
      await page.press("Tab")
      expect(await page.read("document.activeElement.id")).toBe(id)
    }
    await page.type(base.tokens.clean.address)
    await page.press("Enter")
    await page.until('document.activeElement.id === "summary"')
    expect(await textOf(page, "#verdict")).toBe("Allow")
    await page.press("Tab")
    expect(await page.read("document.activeElement.tagName")).toBe("SUMMARY")
  })
})

describe("what the home page says when there is no report", () => {
  it("an unknown token, a wrong address", async () => {
    const page = await open()
    await screen(page, "base", stage().sandbox.base.tokens.unlisted.address)
    expect(await textOf(page, "#note")).toContain("No pool of this token was found")
    expect(await page.read("document.getElementById('report').hidden")).toBe(true)
    await shoot(page, "unknown")
    await screen(page, "base", "0x12")
    expect(await textOf(page, "#note")).toMatch(
      /^Please correct it\. address: must be .*0x and 40 hex digits/
    )
  })

  it.each([
    [402, "Your free calls are used up"],
    [429, "Too many requests from your address."],
    [503, "says nothing rather than something unproven"]
  ])("status %i", async (status, words) => {
    const page = await open()
    await page.answer("/v1/deep", status)
    await screen(page, "base", stage().sandbox.base.tokens.clean.address)
    expect(await textOf(page, "#note")).toContain(words)
    expect(await page.read("document.getElementById('report').hidden")).toBe(true)
    if (status === 429) await shoot(page, "too-many")
  })

  it("no network; and it says so in its status", async () => {
    const page = await open()
    await page.until('document.getElementById("status").textContent.includes("ready to answer")')
    await page.offline(true)
    await screen(page, "base", stage().sandbox.base.tokens.clean.address)
    expect(await textOf(page, "#note")).toMatch(/^(?:You are offline|No connection to the service)\./)
    await page.until('document.getElementById("status").textContent.includes("not reachable")')
    await shoot(page, "offline")
  })
})

describe("the pages", () => {
  it("are small, ask nobody else, break no policy, and fit a phone", async () => {
    const { base } = stage().sandbox
    const page = await open()
    await screen(page, "base", base.tokens.clean.address)
    for (const path of [
      "/docs",
      "/docs/quickstart",
      "/docs/answer",
      "/docs/signals",
      "/docs/errors",
      "/docs/attestation",
      "/docs/checkout",
      "/docs/operations"
    ]) {
      await page.goto(service().url + path)
      expect([path, await overflow(page)]).toEqual([path, 0])
      const { transferSize } = JSON.parse(
        String(await page.read("JSON.stringify(performance.getEntriesByType('navigation')[0])"))
      )
      expect(transferSize).toBeLessThan(150_000)
    }
    const origins = new Set(page.requests().map((url) => new URL(url).origin))
    expect([...origins]).toEqual([service().url])
    expect(page.complaints()).toEqual([])
  })
})
