/** Purchases whose outcome an auditor can read off the payer's own balance: each is one payer's only payment. */
import { Effect, Schema } from "effect"
import { evmAccount, solanaSigner } from "../../scripts/sandbox/accounts.ts"
import type { Buyer } from "../../scripts/sandbox/buyer.ts"
import { baseBuyer, solanaBuyer } from "../../scripts/sandbox/buyer.ts"
import type { Sandbox } from "../../scripts/sandbox/sandbox.ts"
import { USDC_MINT } from "../../scripts/sandbox/solana/addresses.ts"
import { CheckoutTerms } from "../../src/domain/checkout.ts"
import { type Answer, ask, encode, pay, type Screening, signFor } from "../support/calls.ts"

export type Network = "base" | "solana"

/** One signed payment, which may be presented again and again. */
export interface Purchase {
  readonly name: string
  readonly payer: string
  /** Smallest units. */
  readonly price: bigint
  readonly present: (url: string) => Promise<Answer>
  /** What has left the payer's account. */
  readonly spent: () => Promise<bigint>
}

const MONEY = 10_000_000n
const PING_PRICE = 5_000n

interface Payer {
  readonly address: string
  readonly buyer: Buyer
  readonly spent: () => Promise<bigint>
}

const newPayer = async (sandbox: Sandbox, network: Network, label: string): Promise<Payer> => {
  const { base, solana } = sandbox
  if (network === "base") {
    const account = evmAccount(label)
    await Effect.runPromise(base.mintUsdc(account.address, MONEY))
    const spent = async () => MONEY - (await Effect.runPromise(base.usdcBalance(account.address)))
    return { address: account.address.toLowerCase(), buyer: baseBuyer(account), spent }
  }
  const signer = await solanaSigner(label)
  await solana.place.tokenAccount({ mint: USDC_MINT, owner: signer.address, amount: MONEY })
  const spent = async () => MONEY - (await Effect.runPromise(solana.usdcBalance(signer.address)))
  return { address: signer.address, buyer: solanaBuyer(signer, solana.url), spent }
}

/** Signs a payment for what the service at `url` sells, by a new payer who is named by `label`. */
type Buy = (sandbox: Sandbox, network: Network, url: string, label: string) => Promise<Purchase>

/** A ping of the sandbox's honest token. */
export const pingOf: Buy = async (sandbox, network, url, label) => {
  const { address, buyer, spent } = await newPayer(sandbox, network, label)
  const token = sandbox.base.tokens.clean.address
  const screening: Screening = { method: "GET", operation: "ping", chain: "base", address: token }
  const payment = encode(await signFor(url, screening, buyer))
  return {
    name: `ping paid on ${network}`,
    payer: address,
    price: PING_PRICE,
    present: (at) => pay(at, screening, payment),
    spent
  }
}

const post = (body: unknown): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body)
})

const decodeTerms = Schema.decodeUnknownSync(CheckoutTerms)

/** A checkout of the sandbox's shop, verified by its merchant. */
export const checkoutOf: Buy = async (sandbox, network, url, label) => {
  const { address, buyer, spent } = await newPayer(sandbox, network, label)
  const merchantPayTo = sandbox[network].accounts.shop.address
  const created = await ask(
    `${url}/api/checkout/v1/checkout/create`,
    post({ network, merchantPayTo, amountUsd: "0.25", memo: label })
  )
  const terms = decodeTerms(created.body)
  const { amount, asset, extra, maxTimeoutSeconds, payTo, scheme } = terms
  const payment = await buyer.client.createPaymentPayload({
    x402Version: 2,
    resource: { url: terms.url, description: "Checkout", mimeType: "application/json" },
    accepts: [
      { scheme, network: terms.network, amount, asset, payTo, maxTimeoutSeconds, extra: { ...extra } }
    ]
  })
  const verify = post({ paymentSignature: encode(payment) })
  return {
    name: `checkout paid on ${network}`,
    payer: address,
    price: BigInt(amount),
    present: (at) => ask(`${at}/api/checkout/v1/checkout/${terms.checkoutId}/verify`, verify),
    spent
  }
}
