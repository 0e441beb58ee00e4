/** The hosted page in a real browser, paid on local chains by wallets that sign with the sandbox's keys. */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { usdc } from "../../scripts/sandbox/base/abi.ts"
import { decodeAuthorized, hex, transferArguments } from "../../scripts/sandbox/base/eip3009.ts"
import { memoCodeOf, referenceOf } from "../../src/checkout/solana/solana-pay.ts"
import { BASE_USDC } from "../../src/domain/chain.ts"
import { WalletRefusal } from "../support/browser/devtools.ts"
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

/** The page of a new order for one dollar, and how many payments its wallet has signed. */
const openCounting = async () => {
  const terms = await order("base", "1")
  let signed = 0
  const counting = baseWallet(async (method) => {
    if (method === "eth_signTypedData_v4") signed += 1
  })
  const page = await open(counting, BASE_WALLET)
  await page.view(DESKTOP)
  await page.goto(terms.url)
  await page.until(canPay)
  return { page, signatures: () => signed, terms }
}

describe("the page on Base", () => {
  it("is paid by a wallet that arrives late, and the merchant has the money", async () => {
    const { base } = stage().sandbox
    const terms = await order("base")
    const page = await open(baseWallet(), BASE_WALLET)
    await page.view(DESKTOP)
    await page.goto(terms.url)
    await page.until(canPay)
    expect(await text(page, "#wallet")).toBe("Pay with Test Wallet")
    await shoot(page, "base-wallet")
    const before = await Effect.runPromise(base.usdcBalance(base.accounts.shop.address))
    await page.click("#wallet")
    await page.until(isStatus("paid"))
    expect(await page.read("document.getElementById('pay').hidden")).toBe(true)
    expect(await page.read("document.title")).toBe("Paid: 12.50 USDC")
    // What is paid expires no more: the page names the time of payment, now and when it is opened again.
    expect(await text(page, "#time-name")).toBe("Paid")
    await page.reload()
    expect(await text(page, "#time-name")).toBe("Paid")
    expect(await page.read("document.querySelector('footer').getClientRects().length")).toBe(0)
    await shoot(page, "base-paid")
    expect((await Effect.runPromise(base.usdcBalance(base.accounts.shop.address))) - before).toBe(12_500_000n)
  })

  it("claims nothing it cannot know, keeps the signed payment over a reload, and pays once", async () => {
    const { base } = stage().sandbox
    const { page, signatures } = await openCounting()
    const before = await Effect.runPromise(base.usdcBalance(base.accounts.shop.address))
    for (const status of [500, 502, 504, 429, 400, 402, 409, 410]) {
      await page.answer("/verify", status)
      if (signatures() === 0) await page.click("#wallet")
      else await page.reload()
      await page.until(saysHint("outcome is not known yet"))
      expect(await text(page, "#hint")).not.toContain("charged")
    }
    expect(await text(page, "#status")).toBe("Waiting for the outcome of your payment")
    // Nothing on the page leads to a second payment.
    expect(
      await page.read(`[...document.querySelectorAll("#pay a, #pay button, #pay svg")]
      .every((element) => element.getClientRects().length === 0)`)
    ).toBe(true)
    await shoot(page, "base-unknown")
    await page.answer("/verify", undefined)
    await page.until(isStatus("paid"))
    expect(signatures()).toBe(1)
    expect((await Effect.runPromise(base.usdcBalance(base.accounts.shop.address))) - before).toBe(1_000_000n)
    expect(await page.read("localStorage.length")).toBe(0)
  })

  it("asks to ask the merchant where somebody else has sent what was signed: nothing was charged is not said", async () => {
    const { base } = stage().sandbox
    const { page } = await openCounting()
    await page.answer("/verify", 503)
    await page.click("#wallet")
    await page.until(saysHint("outcome is not known yet"))
    const { authorization, signature } = decodeAuthorized(
      await page.read("JSON.parse(atob(localStorage.getItem(localStorage.key(0)))).payload")
    )
    await base.devnet.write(base.accounts.trader.address, BASE_USDC, usdc, "transferWithAuthorization", [
      ...transferArguments(authorization, hex(signature))
    ])
    await page.answer("/verify", undefined)
    await page.until(saysHint("ask the merchant before you pay again"))
    expect(await text(page, "#hint")).not.toContain("charged")
    expect(await page.read("localStorage.length")).toBe(0)
  })

  it("says that nothing was sent where the service proves it, and when to try again; one payment is made", async () => {
    const { page, signatures, terms } = await openCounting()
    const said = { success: false, errorReason: "checkout_limited", transaction: "", network: terms.network }
    const proof = { "payment-response": Buffer.from(JSON.stringify(said), "utf8").toString("base64") }
    await page.answer("/verify", 429, { ...proof, "retry-after": "7200" })
    await page.click("#wallet")
    await page.until(saysHint("This checkout ends before that is over"))
    await page.until(canPay)
    await page.answer("/verify", 429, { ...proof, "retry-after": "600" })
    await page.click("#wallet")
    await page.until(saysHint("was not sent and nothing was charged"))
    expect(await text(page, "#hint")).toMatch(/Please try again after \d/)
    expect(await page.read("localStorage.length")).toBe(0)
    await page.until(canPay)
    await shoot(page, "base-limited")
    // What is soon possible is tried again with what is signed.
    await page.answer("/verify", 429, { ...proof, "retry-after": "1" })
    await page.click("#wallet")
    await page.until(saysHint("It is tried again at"))
    expect(await page.read("localStorage.length")).toBe(1)
    await page.answer("/verify", undefined)
    await page.until(isStatus("paid"))
    expect(signatures()).toBe(3)
  })

  it.each([
    ["a refusal", 4001, "You declined in the wallet"],
    ["a locked wallet", 4100, "did not give access"],
    ["a request that waits", -32002, "already has a request open"],
    ["a wallet without a word", -32603, "did not sign"]
  ])("says in plain words what %s means", async (_name, code, words) => {
    const terms = await order("base", "1")
    const refusing = baseWallet(async (method) => {
      if (method === "eth_requestAccounts") throw new WalletRefusal(code)
    })
    const page = await open(refusing, BASE_WALLET)
    await page.goto(terms.url)
    await page.until(canPay)
    await page.click("#wallet")
    await page.until(saysHint(words))
    await page.until(canPay)
    expect(await page.read("localStorage.length")).toBe(0)
    // Whoever pays by the keyboard tries again where he was.
    await page.until("document.activeElement.id === 'wallet'")
  })

  it("adds the network to a wallet that does not know it (4902), and says so when it is refused", async () => {
    const terms = await order("base", "1")
    const asked: Array<string> = []
    const elsewhere = baseWallet(async (method) => {
      asked.push(method)
      if (method === "eth_chainId") return "0x1"
      if (method === "wallet_switchEthereumChain") throw new WalletRefusal(4902)
      if (method === "wallet_addEthereumChain" && asked.filter((one) => one === method).length === 1)
        throw new WalletRefusal(4902)
      return method === "wallet_addEthereumChain" ? null : undefined
    })
    const page = await open(elsewhere, BASE_WALLET)
    await page.goto(terms.url)
    await page.until(canPay)
    await page.click("#wallet")
    await page.until(saysHint("does not know the Base network"))
    await page.until(canPay)
    await page.click("#wallet")
    await page.until(isStatus("paid"))
    expect(asked).toContain("wallet_addEthereumChain")
  })

  it("without a wallet shows the ways to one: a code on a desktop, links on a phone", async () => {
    const terms = await order("base", "1")
    const page = await open()
    await page.view(DESKTOP)
    await page.goto(terms.url)
    expect(await page.read("document.querySelector('.qr svg').getClientRects().length")).toBe(1)
    await page.view(PHONE)
    expect(await page.read("document.querySelector('.qr svg').getClientRects().length")).toBe(0)
    expect(await page.read("document.querySelector('.touch a').getClientRects().length")).toBe(1)
    await shoot(page, "base-no-wallet")
  })
})

describe("the page on Solana", () => {
  it("is paid by a wallet of the browser; the buyer needs no SOL", async () => {
    const { solana } = stage().sandbox
    const terms = await order("solana")
    const page = await open(solanaWallet, SOLANA_WALLET)
    await page.view(DESKTOP)
    await page.goto(terms.url)
    await page.until(canPay)
    await shoot(page, "solana-wallet")
    const before = await Effect.runPromise(solana.usdcBalance(solana.accounts.shop.address))
    await page.click("#wallet")
    await page.until(isStatus("paid"))
    expect((await Effect.runPromise(solana.usdcBalance(solana.accounts.shop.address))) - before).toBe(
      12_500_000n
    )
  })

  it("sees a wallet that pays by the code, in parts, and shows what is missing", async () => {
    const { solana } = stage().sandbox
    const terms = await order("solana", "2")
    const page = await open()
    await page.view(DESKTOP)
    await page.goto(terms.url)
    await shoot(page, "solana-no-wallet")
    const named = { reference: referenceOf(terms.checkoutId), memo: memoCodeOf(terms.checkoutId) }
    await Effect.runPromise(walletPays(solana, { ...named, amount: 500_000n }))
    await page.until("!document.getElementById('missing').hidden")
    expect(await text(page, "#missing")).toContain("1.50 USDC are still missing")
    expect(await page.read("document.getElementById('solana-pay').href")).toContain("amount=1.5&")
    await shoot(page, "solana-short")
    solana.ledger.clock.advance(10)
    await Effect.runPromise(walletPays(solana, { ...named, amount: 1_500_000n }))
    await page.until(isStatus("paid"))
    await shoot(page, "solana-paid")
  })

  it("polls on after it has expired, and then says that money came", async () => {
    const terms = await order("solana", "1")
    const page = await open()
    await page.goto(terms.url)
    const view = await (await fetch(terms.url)).json()
    // The page hears "expired" once; what it hears next is the truth.
    await page.read(`show({ ...${JSON.stringify(view)}, status: "expired" })`)
    await page.until(isStatus("expired"))
    expect(await text(page, "#time-name")).toBe("Expired")
    await shoot(page, "solana-expired")
    await Effect.runPromise(
      walletPays(stage().sandbox.solana, {
        reference: referenceOf(terms.checkoutId),
        memo: memoCodeOf(terms.checkoutId),
        amount: 1_000_000n
      })
    )
    await page.until(isStatus("paid"))
    expect(await page.read("document.getElementById('pay').hidden")).toBe(true)
  })
})
