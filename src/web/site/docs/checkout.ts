import type { Markup } from "../../page.ts"
import { html } from "../../page.ts"
import { CheckoutReceipt, CheckoutTransfer } from "../../../domain/checkout.ts"
import { ORDER_OF_EVENT, WEBHOOK_VERIFIER } from "../../verifiers.ts"
import type { Deployment } from "../deployment.ts"
import { code, section, table } from "../layout.ts"
import { type Snippet, snippet } from "./quickstart/snippet.ts"

const createAt = (path: string): Snippet => ({
  id: "create",
  caption:
    "MERCHANT is where the money goes: an address on Base, or a wallet on Solana that has a USDC account",
  text: `curl -s "$TOKEN_RISK_URL${path}/checkout/create" -H 'content-type: application/json' \\
  -d '{"network":"base","merchantPayTo":"'"$MERCHANT"'","amountUsd":"12.50","memo":"order-1042"}'`
})

/** The same on Solana is `signMessage`, in base58. */
const tokenAt = (path: string): Snippet => ({
  id: "token",
  file: "token.mjs",
  caption: "a merchant token for the account of MERCHANT_KEY; needs viem, shown once",
  text: `import { privateKeyToAccount } from "viem/accounts"

const wallet = privateKeyToAccount(process.env.MERCHANT_KEY)
const ask = async (path, body) => {
  const url = process.env.TOKEN_RISK_URL + "${path}/merchant" + path
  const headers = { "content-type": "application/json" }
  return (await fetch(url, { method: "POST", headers, body: JSON.stringify(body) })).json()
}
const { message } = await ask("/challenge", { network: "base", merchantPayTo: wallet.address })
const signature = await wallet.signMessage({ message })
console.log((await ask("/token", { message, signature, label: "shop" })).token)`
})

const WEBHOOK: Snippet = {
  id: "webhook",
  file: "webhook.mjs",
  caption: "whether an event is this service's own, and of the last five minutes",
  text: WEBHOOK_VERIFIER
}

const ORDER: Snippet = {
  id: "order",
  file: "order.mjs",
  caption: "which of your orders a genuine event says is paid; none for a stranger's checkout",
  text: ORDER_OF_EVENT
}

const flow = (path: string): Markup =>
  section(
    "The flow",
    table(
      ["Call", "Answer"],
      [
        [code(`POST ${path}/checkout/create`), "the terms with checkoutId; show the buyer the page at url"],
        [code(`POST ${path}/checkout/simulate`), "every step, marked simulated; touches no chain"],
        [
          code(`POST ${path}/checkout/{id}/verify`),
          "receipt with status paid and the transaction; the same payment always gets the same receipt"
        ],
        [code(`GET ${path}/checkout/{id}`), "status, transfers and timeline; the page for browsers"]
      ]
    ),
    snippet(createAt(path)),
    html`<p>
      Buyers pay with any x402 client at ${code("url")} with ${code("/verify")} appended; on the page, with
      the wallet of their browser or phone, or on Solana with its Solana Pay code; and by a plain transfer on
      Base where the merchant asked for ${code("plainTransfers")}.
    </p>`
  )

const STATES = section(
  "States",
  table(
    ["Status", "Meaning"],
    [
      ["open", "waits for a payment, or for what is missing"],
      ["processing", "a payment is being settled"],
      [
        "paid",
        "paid in full, once; a reorganisation that certainly takes the payment back leads to open again"
      ],
      ["expired", "the clock ran out, and the chain was looked through past its end"],
      ["cancelled", "ended by the merchant"]
    ]
  ),
  html`<p>
    Money that comes late, in part or twice is never lost from sight: ${code("payments")} lists each transfer
    as paid, short, late, extra, refunded or lost.
  </p>`
)

const ANSWERS = section(
  "What verify answers",
  table(
    ["Status", "When", "What to do"],
    [
      ["200", "paid by this payment, now or before", "deliver"],
      ["402", "no payment, or one that does not fit; preview.reason says why", "pay the terms"],
      [
        "409",
        "paid by another payment, cancelled, this payment was used before, or the time is over",
        "sign nothing more; error says whether money may have moved"
      ],
      ["410", "expired", "create a new checkout"],
      [
        "429",
        "a limit was reached; with PAYMENT-RESPONSE nothing was sent",
        "the same payment after Retry-After"
      ],
      [
        "503",
        "the outcome is open, or another payment is being settled",
        "the same payment after Retry-After; never sign a second one"
      ]
    ]
  )
)

const merchants = (path: string): Markup =>
  section(
    "Merchants with a token",
    html`<p>
      A checkout needs no account. Whoever signs with the wallet that receives the money gets a token: own
      limits and keys, a name on the page, notes, a list, cancel, refunds, and plain transfers on Base. It is
      sent as ${code("Authorization: Bearer trm_…")}.
    </p>`,
    snippet(tokenAt(path)),
    table(
      ["Call", "What"],
      [
        [code(`PATCH ${path}/merchant`), "displayName, logoText, successUrl, cancelUrl, webhookUrl"],
        [
          code(`GET ${path}/merchant/checkouts`),
          "newest first, by status and memo; next is before of the next page"
        ],
        [code(`GET ${path}/merchant/transfers`), "money that came and counts for no order"],
        [code(`POST ${path}/checkout/{id}/cancel`), "ends an open checkout"],
        [
          code(`POST ${path}/checkout/{id}/events/{webhook-id}/replay`),
          "sends an event once more, also one that was given up"
        ],
        [
          code(`DELETE ${path}/merchant/tokens/{id}`),
          "ends a token; sign in anew before, so that you have one (GET lists them)"
        ],
        [
          code(`POST ${path}/checkout/{id}/refund`),
          "a refund for your wallet to sign: never more than came, and not twice"
        ]
      ]
    ),
    html`<p>
      A refund goes to the owner of the tokens that came. Where a buyer may have paid from an exchange, ask
      before sending back. Send its transaction or its call, not both.
    </p>`
  )

/** Members of a message, as they are sent. */
const namesOf = ({ fields }: { readonly fields: object }): string => Object.keys(fields).join(", ")

const events = (path: string): Markup =>
  section(
    "Events",
    html`<p>
      ${code("webhookUrl")}, of one checkout or of all, is told of ${code("checkout.paid")},
      ${code("checkout.expired")} and ${code("checkout.transfer.short")}, ${code(".late")}, ${code(".extra")},
      ${code(".refunded")} and ${code(".lost")}. Standard Webhooks, signed with the published Ed25519 key:
      there is no secret. An event comes at least once, with the same ${code("webhook-id")}, up to 11 times in
      three days, until your server answers 2xx within ten seconds; 410 ends it, and ${code("Retry-After")}
      makes the next one later. One that had to be sent again comes after later ones: how an order stands now,
      ${code(`GET ${path}/checkout/{id}`)} says.
    </p>`,
    snippet(WEBHOOK),
    html`<p>
      <strong>Genuine is not yours.</strong> Anybody can create a checkout with your ${code("webhookUrl")},
      the memo of your order, and an amount of a cent or an account of his own, and pay it: its event is as
      genuine as yours. Keep the ${code("checkoutId")} that create answered beside your order, and deliver for
      no other.
    </p>`,
    snippet(ORDER),
    html`<p>
      The body is ${code('{"type", "timestamp", "data"}')}. Amounts are strings of smallest units: 1 USDC is
      ${code('"1000000"')}.
    </p>`,
    table(
      ["Type", "Members of data"],
      [
        ["checkout.paid", namesOf(CheckoutReceipt)],
        ["checkout.expired", "status, checkoutId, terms"],
        [
          "checkout.transfer.…",
          `checkoutId, terms, received, missing, and transfer: ${namesOf(CheckoutTransfer)}`
        ]
      ]
    )
  )

/** `/docs/checkout`: how a merchant gets paid. */
export const checkout = ({ checkoutService }: Deployment): Markup => {
  const path = `/api/${checkoutService}/v1`
  return html`<section class="card">
      <h1>Checkout for merchants</h1>
      <p>
        The buyer pays the merchant directly, in USDC on Base or Solana; this service binds one payment to one
        order and settles it exactly once. Free, without sign-up. Every field:
        <a href="/docs/api">the API</a>.
      </p>
    </section>
    ${flow(path)} ${STATES} ${ANSWERS} ${merchants(path)} ${events(path)}`
}
