/** What the hosted page says while a wallet signs, when it refuses, when money comes late, and how wallets are found. */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { memoCodeOf, referenceOf } from "../../src/checkout/solana/solana-pay.ts"
import type { WalletAnswer } from "../support/browser/devtools.ts"
import { DESKTOP, PHONE, shoot } from "../support/browser/shots.ts"
import {
  BASE_WALLET,
  canPay,
  isStatus,
  saysHint,
  SOLANA_WALLET,
  text,
  useCheckoutPages
} from "../support/checkout/pages.ts"
import { walletPays } from "../support/checkout/solana-wallet.ts"

const { baseWallet, order, page: open, solanaWallet, stage } = useCheckoutPages()

/** A wallet that is put into the page long after it was loaded, as some extensions and wallets' browsers do. */
const LATE_ETHEREUM = `setTimeout(() => {
  window.ethereum = { request: ({ method, params }) => __ask(method, params) };
}, 700);`

/** A wallet of the Wallet Standard that registers itself when the page has already asked. */
const LATE_STANDARD = `addEventListener("load", () => setTimeout(() => { ${SOLANA_WALLET} }, 400));`

/** Another provider that announces itself beside the first one. */
const SECOND_WALLET = `${BASE_WALLET}
addEventListener("eip6963:requestProvider", () => {
  const info = { uuid: "other", name: "Other Wallet", icon: "", rdns: "other.wallet" };
  const provider = { request: ({ method, params }) => __ask("other " + method, params) };
  dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail: { info, provider } }));
});`

const isHidden = (selector: string) =>
  `document.querySelector(${JSON.stringify(selector)}).getClientRects().length === 0`
const isUnderWay = `${isHidden("#wallet")} && ${isHidden("#open-in")}`

/** The view a machine gets, in another state: what a page hears when the service says so. */
const showing = async (url: string, change: object) =>
  `show({ ...${JSON.stringify(await (await fetch(url)).json())}, ...${JSON.stringify(change)} })`

const statusOf = async (url: string) => (await (await fetch(url)).json()).status

describe("a wallet", () => {
  it.each([
    {
      what: "that appears as window.ethereum long after the page was loaded is found, and pays",
      chain: "base",
      late: () => open(baseWallet(), LATE_ETHEREUM),
      label: "Pay with Browser wallet"
    },
    {
      what: "of the Wallet Standard that registers late is found, and pays on Solana",
      chain: "solana",
      late: () => open(solanaWallet, LATE_STANDARD),
      label: "Pay with Test Wallet"
    }
  ] as const)("$what", async ({ chain, late, label }) => {
    const terms = await order(chain, "1")
    const page = await late()
    await page.goto(terms.url)
    await page.until(canPay)
    expect(await text(page, "#wallet")).toBe(label)
    await page.click("#wallet")
    await page.until(isStatus("paid"))
  })

  it("is chosen where there are several, and only the chosen one is asked", async () => {
    const terms = await order("base", "1")
    const asked: Array<string> = []
    const answer: WalletAnswer = async (method, params) => {
      asked.push(method)
      return baseWallet()(method.replace("other ", ""), params)
    }
    const page = await open(answer, SECOND_WALLET)
    await page.view(DESKTOP)
    await page.goto(terms.url)
    await page.until(`document.querySelectorAll("#wallets button").length === 2`)
    await shoot(page, "base-two-wallets")
    await page.read(`[...document.querySelectorAll("#wallets button")]
      .find(({ textContent }) => textContent === "Other Wallet").click()`)
    expect(await text(page, "#wallet")).toBe("Pay with Other Wallet")
    await page.click("#wallet")
    await page.until(isStatus("paid"))
    expect(asked.every((method) => method.startsWith("other "))).toBe(true)
  })
})

describe("while a wallet signs", () => {
  it("nothing else on the page leads to a payment, and a refused payment may be tried again", async () => {
    const { base } = stage().sandbox
    const terms = await order("base", "1")
    let confirm: () => void = () => undefined
    const held = new Promise<void>((done) => (confirm = done))
    const asking = baseWallet(async (method) => {
      if (method === "eth_requestAccounts") return [base.accounts.deployer.address]
      if (method === "eth_signTypedData_v4") await held
    })
    const page = await open(asking, BASE_WALLET)
    await page.view(DESKTOP)
    await page.goto(terms.url)
    await page.until(canPay)
    await page.click("#wallet")
    await page.until(saysHint("Please confirm in your wallet"))
    await page.until(isUnderWay)
    await shoot(page, "base-confirming")
    // Signed by another than it names: the service refuses it for good.
    confirm()
    await page.until(saysHint("was refused and nothing was charged"))
    await page.until(canPay)
    expect(await page.read("localStorage.length")).toBe(0)
    await shoot(page, "base-refused")
    expect(await statusOf(terms.url)).toBe("open")
  })
})

describe("on a phone without a wallet", () => {
  it("Solana is paid by a link that opens the wallet, or by the wallets' own browsers", async () => {
    const terms = await order("solana", "1")
    const page = await open()
    await page.view(PHONE)
    await page.goto(terms.url)
    expect(await page.read(isHidden(".qr svg"))).toBe(true)
    const links = String(
      await page.read(`[...document.querySelectorAll(".touch a")].map(({ href }) => href).join("\\n")`)
    ).split("\n")
    expect(links[0]).toMatch(/^solana:/)
    for (const wallet of ["phantom.app", "solflare.com", "backpack.app"])
      expect(
        links.some((link) => new URL(link).host === wallet && link.includes(encodeURIComponent(terms.url)))
      ).toBe(true)
    expect(await page.read("document.documentElement.scrollWidth <= innerWidth")).toBe(true)
  })
})

describe("states the page is told of", () => {
  it("settling: offers nothing new to sign, says that the chain is waited for", async () => {
    const terms = await order("base", "1")
    const page = await open(baseWallet(), BASE_WALLET)
    await page.view(DESKTOP)
    await page.goto(terms.url)
    await page.until(canPay)
    await page.read(await showing(terms.url, { status: "processing" }))
    expect(await text(page, "#status")).toBe("Payment received, waiting for the chain")
    expect(await page.read(isUnderWay)).toBe(true)
    await shoot(page, "base-processing")
  })

  it("the clock has run out: nothing more is offered, whatever the buyer's clock says", async () => {
    const terms = await order("solana", "1")
    const clock = `const real = performance.now.bind(performance); window.__later = 0;
      performance.now = () => real() + window.__later; Date.now = () => 0;`
    const page = await open(solanaWallet, `${SOLANA_WALLET} ${clock}`)
    await page.goto(terms.url)
    await page.until(canPay)
    await page.read("window.__later = 7200000")
    await page.until(isHidden("#pay"))
    expect(await text(page, "#status")).toContain("The time to pay is over.")
  })

  it("money that came too late, or twice, is not passed over: the buyer reads whom to ask", async () => {
    const { solana } = stage().sandbox
    const terms = await order("solana", "1")
    const named = { reference: referenceOf(terms.checkoutId), memo: memoCodeOf(terms.checkoutId) }
    await Effect.runPromise(walletPays(solana, { ...named, amount: 1_000_000n }))
    const page = await open()
    await page.view(DESKTOP)
    await page.goto(terms.url)
    await page.until(isStatus("paid"))
    solana.ledger.clock.advance(10)
    await Effect.runPromise(walletPays(solana, { ...named, amount: 400_000n }))
    const paidTwice = async () => (await (await fetch(terms.url)).json()).payments.length === 2
    await expect.poll(paidTwice, { timeout: 20_000 }).toBe(true)
    await page.reload()
    // The page may be loading itself anew, because it was told of the same transfer.
    await page.until(`document.getElementById("missing").textContent.trim() !== ""`)
    expect(await text(page, "#missing")).toBe(
      "0.40 USDC arrived beyond the price. Please ask the merchant to send it back."
    )
    await shoot(page, "solana-extra")
  })
})
