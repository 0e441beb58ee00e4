/** The hosted page in a browser: wallets that tests put into it, and what is read of it. */
import { afterAll, beforeAll, expect } from "@effect/vitest"
import { getTransactionDecoder, getTransactionEncoder, partiallySignTransaction } from "@solana/kit"
import type { BrowserPage, WalletAnswer } from "../browser/devtools.ts"
import { openBrowser, WalletRefusal } from "../browser/devtools.ts"
import { useService } from "../stage.ts"

/** A wallet that announces itself by EIP-6963, later than the page looks for it. */
export const BASE_WALLET = `setTimeout(() => {
  const provider = { request: ({ method, params }) => __ask(method, params) };
  const info = { uuid: "test", name: "Test Wallet", icon: "", rdns: "test.wallet" };
  const announce = () => dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail: { info, provider } }));
  addEventListener("eip6963:requestProvider", announce);
  announce();
}, 400);`

/** A wallet of the Wallet Standard. */
export const SOLANA_WALLET = `(() => {
  const account = { address: "", publicKey: new Uint8Array(), chains: ["solana:mainnet"], features: [] };
  const features = {
    "standard:connect": { version: "1.0.0", connect: async () => {
      account.address = await __ask("connect", []);
      return { accounts: [account] };
    } },
    "solana:signTransaction": { version: "1.0.0", supportedTransactionVersions: [0], signTransaction: async (input) =>
      [{ signedTransaction: Uint8Array.from(await __ask("sign", [...input.transaction])) }] }
  };
  const wallet = { version: "1.0.0", name: "Test Wallet", icon: "", chains: ["solana:mainnet"], features, accounts: [] };
  const register = ({ register }) => register(wallet);
  addEventListener("wallet-standard:app-ready", ({ detail }) => register(detail));
  dispatchEvent(new CustomEvent("wallet-standard:register-wallet", { detail: register }));
})();`

export const text = (page: BrowserPage, selector: string) =>
  page.read(`document.querySelector(${JSON.stringify(selector)}).textContent.trim()`)
export const isStatus = (status: string) => `document.getElementById("status").dataset.status === "${status}"`
export const saysHint = (words: string) =>
  `document.getElementById("hint").textContent.includes(${JSON.stringify(words)})`
export const canPay = `!document.getElementById("wallet").hidden && !document.getElementById("wallet").disabled`

/** A browser, a shop in front of local chains, and wallets that sign with the payer's keys. For a file's tests. */
export const useCheckoutPages = () => {
  const { service, stage } = useService(() => ({ PUBLIC_URL: undefined }))
  let browser: ReturnType<typeof openBrowser>
  beforeAll(() => {
    browser = openBrowser()
  })
  afterAll(() => browser.close())

  const create = async (body: unknown) => {
    const answer = await fetch(`${service().url}/api/checkout/v1/checkout/create`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body)
    })
    expect(answer.status).toBe(200)
    return answer.json()
  }

  const order = (network: "base" | "solana", amountUsd = "12.5") => {
    const { base, solana } = stage().sandbox
    const merchantPayTo = network === "base" ? base.accounts.shop.address : solana.accounts.shop.address
    return create({ network, merchantPayTo, amountUsd, memo: "Order 1042, two coffees" })
  }

  /** Signs whatever the page asks with the payer's key; `changed` answers first. */
  const baseWallet =
    (changed: WalletAnswer = async () => undefined): WalletAnswer =>
    async (method, params) => {
      const answer = await changed(method, params)
      if (answer !== undefined) return answer
      const { payer } = stage().sandbox.base.accounts
      switch (method) {
        case "eth_chainId":
          return "0x2105"
        case "eth_requestAccounts":
          return [payer.address]
        case "eth_signTypedData_v4": {
          const typed = JSON.parse(String(Object(params)[1]))
          return payer.signTypedData(typed)
        }
        default:
          throw new WalletRefusal(4200)
      }
    }

  const solanaWallet: WalletAnswer = async (method, params) => {
    const { payer } = stage().sandbox.solana.accounts
    if (method === "connect") return payer.address
    const bytes = Uint8Array.from(Object.values(Object(params)).map(Number))
    const signed = await partiallySignTransaction([payer.keyPair], getTransactionDecoder().decode(bytes))
    return [...getTransactionEncoder().encode(signed)]
  }

  return {
    stage,
    order,
    baseWallet,
    solanaWallet,
    page: (answer?: WalletAnswer, script?: string) => browser.page(answer, script)
  }
}
