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
import { decodePaymentRequiredHeader } from "@x402/core/http"
import { appendPaymentIdentifierToExtensions, generatePaymentId } from "@x402/extensions/payment-identifier"
import { createSIWxPayload, encodeSIWxHeader, wrapFetchWithSIWx } from "@x402/extensions/sign-in-with-x"
import type { KeyPairSigner } from "@solana/kit"
import { createSignableMessage } from "@solana/kit"
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import type { PrivateKeyAccount } from "viem/accounts"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { ask, challengeOf, encode, pay, paymentFor, receiptOf, screen, toHttp } from "../support/calls.ts"
import type { Buyer } from "../../scripts/sandbox/buyer.ts"
import { MCP_PATH } from "../../src/domain/catalog.ts"
import { baseBuyer, solanaBuyer } from "../support/sandbox.ts"
import { newBasePayer, newSolanaPayer, useSharedService } from "../support/stage.ts"

const EVM = "eip155:8453"

const { service, stage } = useSharedService()
const token = () => stage().sandbox.base.tokens.clean.address
const deep = () => ({ method: "GET", operation: "deep", chain: "base", address: token() }) as const

/** A payment that names itself, made by the official client. */
const name = async ({ client }: Buyer, terms: ReturnType<typeof challengeOf>, id: string) => {
  const extensions = appendPaymentIdentifierToExtensions({ ...terms.extensions }, id)
  return { ...(await client.createPaymentPayload({ ...terms, extensions })), extensions }
}
const namedBy = async (buyer: Buyer, id: string): Promise<string> =>
  encode(await name(buyer, challengeOf(await screen(service().url, deep())), id))
const named = (account: PrivateKeyAccount, id: string) => namedBy(baseBuyer(account), id)

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

describe("a payer on Solana", () => {
  const buyer = (signer: KeyPairSigner) => solanaBuyer(signer, stage().sandbox.solana.url)
  /** The kit's signer in the shape the official client names. */
  const asWallet = (signer: KeyPairSigner) => ({
    address: signer.address,
    signMessages: async (messages: ReadonlyArray<{ readonly content: Uint8Array }>) => [
      ...(await signer.signMessages(messages.map(({ content }) => createSignableMessage(content))))
    ]
  })

  /** The official wrapper signs in on the first network of the terms only, which is Base: a Solana wallet picks its own. */
  const signIn = async (signer: KeyPairSigner) => {
    const declared = Object(challengeOf(await ask(purchases())).extensions)["sign-in-with-x"]
    const chain = declared.supportedChains.find(({ type }: { readonly type: string }) => type === "ed25519")
    const payload = await createSIWxPayload({ ...declared.info, ...chain }, asWallet(signer), purchases())
    return ask(purchases(), { headers: { "sign-in-with-x": encodeSIWxHeader(payload) } })
  }

  it("names a payment, has its receipt signed, and fetches again what it bought, by the official clients", async () => {
    const signer = await newSolanaPayer(stage())
    const id = generatePaymentId()
    const payment = await namedBy(buyer(signer), id)
    const sold = await pay(service().url, deep(), payment)
    expect(sold.status).toBe(200)
    expect((await pay(service().url, deep(), payment)).text).toBe(sold.text)
    expect((await pay(service().url, deep(), await namedBy(buyer(signer), id))).status).toBe(409)
    expect(await stage().run(stage().sandbox.solana.usdcBalance(signer.address))).toBe(10_000_000n - 40_000n)

    const receipt = extractReceiptFromResponse(new Response("", { headers: sold.headers }))
    if (receipt === undefined || !isJWSSignedReceipt(receipt)) throw new Error("no receipt")
    const confirmed = await verifyReceiptSignatureJWS(receipt)
    expect(confirmed).toMatchObject({ payer: signer.address, transaction: receiptOf(sold).transaction })
    expect(confirmed.network).toMatch(/^solana:/)

    const again = await signIn(signer)
    expect([again.status, again.text]).toEqual([200, sold.text])
    expect((await signIn(await newSolanaPayer(stage(), 0n))).status).toBe(404)
  })
})

describe("a payer over MCP", () => {
  it("has a signed offer, names a payment, has a signed receipt, and fetches again what it bought", async () => {
    const payer = await newBasePayer(stage())
    const client = new Client({ name: "buyer", version: "1" })
    await client.connect(new StreamableHTTPClientTransport(new URL(service().url + MCP_PATH)))
    const call = (payment?: unknown) =>
      client.callTool({
        name: "check_token_risk_deep",
        arguments: { chain: "base", address: token() },
        ...(payment === undefined ? {} : { _meta: { "x402/payment": payment } })
      })
    const terms = decodePaymentRequiredHeader(encode((await call()).structuredContent))
    const offer = extractOffersFromPaymentRequired(terms).find(isJWSSignedOffer)
    if (offer === undefined) throw new Error("no offer")
    expect(await verifyOfferSignatureJWS(offer)).toMatchObject({
      network: EVM,
      resourceUrl: terms.resource.url
    })

    const id = generatePaymentId()
    const paid = await call(await name(baseBuyer(payer), terms, id))
    expect(paid.structuredContent).toMatchObject({ verdict: "allow", free: false })
    const header = encode(paid._meta?.["x402/payment-response"])
    const receipt = extractReceiptFromResponse(new Response("", { headers: { "payment-response": header } }))
    if (receipt === undefined || !isJWSSignedReceipt(receipt)) throw new Error("no receipt")
    expect(await verifyReceiptSignatureJWS(receipt)).toMatchObject({ resourceUrl: terms.resource.url })

    const other = await call(await name(baseBuyer(payer), terms, id))
    expect(other.isError).toBe(true)
    expect(JSON.stringify(other.content)).toContain("nothing was charged")
    expect(await spent(payer)).toBe(40_000n)

    const again = await ask(purchases(), {}, wrapFetchWithSIWx(fetch, payer))
    expect([again.status, again.body]).toEqual([200, paid.structuredContent])
    await client.close()
  })
})
