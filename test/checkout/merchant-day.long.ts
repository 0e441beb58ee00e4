/** A merchant's first day: the README word for word, then a token, a plain transfer, and its refund. */
import { execFile } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Hex } from "viem"
import { parseAbi, parseTransaction } from "viem"
import { evmKey } from "../../scripts/sandbox/accounts.ts"
import { BASE_USDC } from "../../src/domain/chain.ts"
import { openBrowser } from "../support/browser/devtools.ts"
import { DESKTOP, shoot } from "../support/browser/shots.ts"
import { run } from "../support/cli/run.ts"
import { snippetsOf } from "../support/snippets.ts"
import { useService } from "../support/stage.ts"

const ROOT = fileURLToPath(new URL("../..", import.meta.url))
const usdc = parseAbi(["function transfer(address to, uint256 value) returns (bool)"])

const { service, stage } = useService(() => ({ PUBLIC_URL: undefined }))

const execute = async (command: string, args: ReadonlyArray<string>, env: Readonly<Record<string, string>>) =>
  (
    await promisify(execFile)(command, args, {
      encoding: "utf8",
      cwd: folder,
      env: { ...process.env, ...env }
    })
  ).stdout.trim()

let folder = ""
let browser: ReturnType<typeof openBrowser>
beforeAll(() => {
  // Inside the checkout, where the libraries of the snippets are.
  folder = mkdtempSync(join(ROOT, ".dist-merchant-"))
  browser = openBrowser()
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await browser.close()
})

const ask = async (path: string, { body, token }: { body?: unknown; token?: string } = {}) => {
  const answer = await fetch(`${service().url}/api/checkout/v1${path}`, {
    ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
    headers: {
      "content-type": "application/json",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` })
    }
  })
  expect(answer.status).toBe(200)
  return answer.json()
}

const hexOf = (text: unknown): Hex => `0x${String(text).slice(2)}`

describe("the quick start of the checkout's README", () => {
  it("is paid as it stands there", async () => {
    const readme = readFileSync(join(ROOT, "src/checkout/README.md"), "utf8")
    const [shell = "", script = ""] = ["sh", "js"].map(
      (language) => new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(readme)?.[1] ?? ""
    )
    const url = await execute("bash", ["-ec", shell], { TOKEN_RISK_URL: service().url })
    writeFileSync(join(folder, "pay.mjs"), script)
    const receipt = await execute(process.execPath, ["pay.mjs"], {
      URL: url,
      TOKEN_RISK_BASE_KEY: evmKey("payer")
    })
    expect(receipt).toContain("status: 'paid'")
    expect(await (await fetch(url)).json()).toMatchObject({ status: "paid", received: "12500000" })
  })
})

describe("the snippets of the page about the checkout", () => {
  it("create an order, and give the wallet's token, as they stand there", async () => {
    const page = await (await fetch(`${service().url}/docs/checkout`)).text()
    const snippets = snippetsOf(page)
    const { address } = stage().sandbox.base.accounts.shop
    const environment = { TOKEN_RISK_URL: service().url, MERCHANT: address, MERCHANT_KEY: evmKey("shop") }
    const terms = await execute("bash", ["-ec", snippets.get("create")?.text ?? "false"], environment)
    expect(JSON.parse(terms)).toMatchObject({ payTo: address, amount: "12500000", memo: "order-1042" })
    const { file = "", text = "" } = snippets.get("token") ?? {}
    writeFileSync(join(folder, file), text)
    const token = await execute(process.execPath, [file], environment)
    const authorization = `Bearer ${token}`
    const merchant = await fetch(`${service().url}/api/checkout/v1/merchant`, { headers: { authorization } })
    expect(await merchant.json()).toMatchObject({ merchantPayTo: address.toLowerCase() })
  })
})

describe("a merchant with a token on Base", () => {
  it("is paid by a plain transfer, and gives it back by the command line over HTTP", async () => {
    const { base } = stage().sandbox
    const { payer, shop } = base.accounts
    const account = { network: "base", merchantPayTo: shop.address }
    const { message } = await ask("/merchant/challenge", { body: account })
    const signature = await shop.signMessage({ message })
    const { token } = await ask("/merchant/token", { body: { message, signature, label: "till" } })
    const body = { ...account, amountUsd: "3", memo: "Order 7", plainTransfers: true }
    const terms = await ask("/checkout/create", { body, token })

    const page = await browser.page()
    await page.view(DESKTOP)
    await page.goto(terms.url)
    expect(await page.read("document.getElementById('by-hand').textContent")).toContain("in one transfer")
    await shoot(page, "base-by-hand")
    await base.devnet.write(payer.address, BASE_USDC, usdc, "transfer", [shop.address, BigInt(terms.amount)])
    await page.until(`document.getElementById("status").dataset.status === "paid"`)

    const refund = () =>
      Effect.runPromise(
        run(["refund", terms.checkoutId, "--url", service().url, "--json"], {
          environment: { TOKEN_RISK_MERCHANT_TOKEN: token }
        })
      )
    const prepared = JSON.parse((await refund()).out)
    expect(prepared).toMatchObject({ from: shop.address, to: payer.address, amount: terms.amount })
    await base.devnet.setBalance(shop.address, 10n ** 18n)
    const signed = await shop.signTransaction(parseTransaction(hexOf(prepared.transaction)))
    await base.devnet.client.sendRawTransaction({ serializedTransaction: signed })
    const again = await refund()
    expect([again.code, again.out]).toEqual([3, expect.stringContaining("was refunded")])
    const { payments, status } = await (
      await fetch(terms.url, { headers: { accept: "application/json" } })
    ).json()
    expect([status, ...payments.map(({ kind }: { kind: string }) => kind)]).toEqual([
      "paid",
      "paid",
      "refunded"
    ])
  })
})
