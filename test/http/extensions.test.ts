/** The x402 extensions, with the official clients against the running service. */
import { describe, expect, it } from "@effect/vitest"
import {
  decodeSignedOffers,
  extractOffersFromPaymentRequired,
  extractReceiptFromResponse,
  isJWSSignedOffer,
  isJWSSignedReceipt,
  verifyOfferSignatureJWS,
  verifyReceiptMatchesOffer,
  verifyReceiptSignatureJWS
} from "@x402/extensions/offer-receipt"
import { appendPaymentIdentifierToExtensions, generatePaymentId } from "@x402/extensions/payment-identifier"
import { wrapFetchWithSIWx } from "@x402/extensions/sign-in-with-x"
import type { PrivateKeyAccount } from "viem/accounts"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { ask, challengeOf, encode, pay, paymentFor, receiptOf, screen, toHttp } from "../support/calls.ts"
import { baseBuyer } from "../support/sandbox.ts"
import { newBasePayer, useService } from "../support/stage.ts"

const EVM = "eip155:8453"

const { service, stage } = useService(() => ({ PUBLIC_URL: undefined }))
const token = () => stage().sandbox.base.tokens.clean.address
const deep = () => ({ method: "GET", operation: "deep", chain: "base", address: token() }) as const

/** A payment that names itself, made by the official client. */
const named = async (account: PrivateKeyAccount, id: string): Promise<string> => {
  const terms = challengeOf(await screen(service().url, deep()))
  const extensions = appendPaymentIdentifierToExtensions({ ...terms.extensions }, id)
  const payment = await baseBuyer(account).client.createPaymentPayload({ ...terms, extensions })
  return encode({ ...payment, extensions })
}

const spent = async (account: PrivateKeyAccount): Promise<bigint> =>
  10_000_000n - (await stage().run(stage().sandbox.base.usdcBalance(account.address)))

const screenAndPay = async (payer: PrivateKeyAccount) => {
  const sold = await pay(service().url, deep(), await paymentFor(service().url, deep(), baseBuyer(payer)))
  expect(sold.status).toBe(200)
  return sold
}

const purchases = () => {
  const query = new URLSearchParams({ chain: "base", address: token() }).toString()
  return `${service().url}/api/token-risk/v1/purchases/deep?${query}`
}

describe("payment-identifier", () => {
  it("gives the same payment the same answer, and refuses the id to another payment, which costs nothing", async () => {
    const payer = await newBasePayer(stage())
    const id = generatePaymentId()
    const first = await named(payer, id)
    const sold = await pay(service().url, deep(), first)
    expect(sold.status).toBe(200)
    const again = await pay(service().url, deep(), first)
    expect([again.status, again.text]).toEqual([200, sold.text])
    expect(again.headers.get("payment-response")).toBe(sold.headers.get("payment-response"))
    const other = await pay(service().url, deep(), await named(payer, id))
    expect(other.status).toBe(409)
    expect(other.text).toContain("nothing was charged")
    expect(await spent(payer)).toBe(40_000n)
    const stranger = await newBasePayer(stage())
    expect((await pay(service().url, deep(), await named(stranger, id))).status).toBe(200)
  })

  it("sells to one of two payments that name one id at the same time", async () => {
    const payer = await newBasePayer(stage())
    const id = generatePaymentId()
    const payments = await Promise.all([named(payer, id), named(payer, id)])
    const answers = await Promise.all(payments.map((payment) => pay(service().url, deep(), payment)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(await spent(payer)).toBe(40_000n)
  })

  it("refuses an id that is none, before the payment is touched", async () => {
    const payer = await newBasePayer(stage())
    const terms = challengeOf(await screen(service().url, deep()))
    const payment = await baseBuyer(payer).client.createPaymentPayload(terms)
    const extensions = { "payment-identifier": { info: { required: false, id: "short" } } }
    const refused = await pay(service().url, deep(), encode({ ...payment, extensions }))
    expect(refused.status).toBe(400)
    expect(refused.text).toContain("16 to 128")
    expect(await spent(payer)).toBe(0n)
  })
})

describe("offer-receipt", () => {
  it("signs offer and receipt with the key of the DID document, as the official client verifies them", async () => {
    const payer = await newBasePayer(stage())
    const terms = challengeOf(await screen(service().url, deep()))
    const offer = extractOffersFromPaymentRequired(terms).find(isJWSSignedOffer)
    if (offer === undefined) throw new Error("no offer")
    const promised = await verifyOfferSignatureJWS(offer)
    const [accepted] = terms.accepts
    expect(promised).toMatchObject({ network: EVM, amount: accepted?.amount, payTo: accepted?.payTo })
    const response = await baseBuyer(payer).fetch(...toHttp(service().url, deep()))
    const receipt = extractReceiptFromResponse(response)
    if (receipt === undefined || !isJWSSignedReceipt(receipt)) throw new Error("no receipt")
    const confirmed = await verifyReceiptSignatureJWS(receipt)
    expect(confirmed).toMatchObject({ network: EVM, resourceUrl: terms.resource.url })
    expect(confirmed.payer.toLowerCase()).toBe(payer.address.toLowerCase())
    expect(confirmed.transaction).toMatch(/^0x[0-9a-f]{64}$/)
    const [decoded] = decodeSignedOffers([offer])
    if (decoded === undefined) throw new Error("no payload")
    expect(verifyReceiptMatchesOffer(receipt, decoded, [payer.address])).toBe(true)
    const [head, , signature] = receipt.signature.split(".")
    const forged = { ...confirmed, payer: "0x0000000000000000000000000000000000000001" }
    const payload = Buffer.from(JSON.stringify(forged)).toString("base64url")
    await expect(
      verifyReceiptSignatureJWS({ format: "jws", signature: `${head}.${payload}.${signature}` })
    ).rejects.toThrow()
  })
})

describe("sign-in-with-x", () => {
  it("lets a wallet fetch again what it bought, without paying, by the official client", async () => {
    const payer = await newBasePayer(stage())
    const bought = await screenAndPay(payer)
    const again = await ask(purchases(), {}, wrapFetchWithSIWx(fetch, payer))
    expect([again.status, again.text]).toEqual([200, bought.text])
    expect(receiptOf(again).transaction).toBe(receiptOf(bought).transaction)
    expect(await spent(payer)).toBe(40_000n)
  })

  it("opens nothing to another wallet, to a used sign-in, or to a changed one", async () => {
    const payer = await newBasePayer(stage())
    await screenAndPay(payer)
    const stranger = privateKeyToAccount(generatePrivateKey())
    expect((await ask(purchases(), {}, wrapFetchWithSIWx(fetch, stranger))).status).toBe(404)

    let header = ""
    const listening = async (input: RequestInfo | URL, init?: RequestInit) => {
      const request = new Request(input, init)
      header = request.headers.get("sign-in-with-x") ?? header
      return fetch(request)
    }
    expect((await ask(purchases(), {}, wrapFetchWithSIWx(listening, payer))).status).toBe(200)
    const replayed = await ask(purchases(), { headers: { "sign-in-with-x": header } })
    expect([replayed.status, replayed.text]).toEqual([400, expect.stringContaining("used already")])

    const message: unknown = JSON.parse(Buffer.from(header, "base64").toString("utf8"))
    if (typeof message !== "object") throw new Error("no message")
    for (const change of [
      { nonce: "0".repeat(64) },
      { domain: "evil.example" },
      { issuedAt: new Date().toISOString() },
      { address: stranger.address },
      { chainId: "eip155:1" }
    ]) {
      const changed = await ask(purchases(), {
        headers: { "sign-in-with-x": encode({ ...message, ...change }) }
      })
      expect([change, changed.status]).toEqual([change, 400])
    }
    expect((await ask(purchases(), { headers: { "sign-in-with-x": "rubbish" } })).status).toBe(400)
  })

  it("declares itself in a challenge below 4 KB, and only there: screening knows no accounts", async () => {
    const asked = await ask(purchases())
    expect(asked.status).toBe(402)
    expect((asked.headers.get("payment-required") ?? "").length).toBeLessThan(4_096)
    expect(challengeOf(asked).extensions).toHaveProperty("sign-in-with-x")
    expect(challengeOf(await screen(service().url, deep())).extensions).not.toHaveProperty("sign-in-with-x")
  })
})
