import { Effect } from "effect"
import QRCode from "qrcode"
import { takesPlainTransfers } from "../checkout/base/plain-amount.ts"
import { requirementsOf } from "../checkout/checkout.ts"
import { memoOfTerms, solanaPayUrl } from "../checkout/solana/solana-pay.ts"
import { atLeastZero } from "../domain/bigint.ts"
import type { Network } from "../domain/chain.ts"
import { BASE_NETWORK, chainOf, SOLANA_NETWORK } from "../domain/chain.ts"
import { formatUsd } from "../domain/money.ts"
import type { CheckoutStatus, CheckoutStatusName, TransferKind } from "../domain/checkout.ts"
import type { MerchantSettings } from "../domain/merchant.ts"
import { checkoutScript } from "./checkout-script.ts"
import { checkoutStyle } from "./checkout-style.ts"
import type { Markup, Page } from "./page.ts"
import { html, jsonForScript, page, trusted } from "./page.ts"

/** What the buyer reads about each state; the script uses the same words. */
const WORDS: Readonly<Record<CheckoutStatusName, string>> = {
  open: "Waiting for your payment",
  processing: "Payment received, waiting for the chain",
  paid: "Paid. You can close this page.",
  expired: "Expired. Please do not pay any more.",
  cancelled: "The merchant cancelled this checkout. Please do not pay."
}

const CHAIN = { solana: "Solana", base: "Base" } as const

const row = (label: string, value: Markup): Markup =>
  html`<div>
    <dt>${label}</dt>
    <dd>${value}</dd>
  </div> `

const svgOf = (text: string) =>
  Effect.map(
    Effect.promise(() => QRCode.toString(text, { type: "svg", errorCorrectionLevel: "L", margin: 0 })),
    trusted
  )

const walletLink = (name: string, url: string): Markup =>
  html`<a class="choice" href="${url}" rel="noreferrer">${name}</a>`

/** Addresses under which wallets' own browsers open a page. Source: the wallets' documentation of universal links. */
const walletBrowsers = (network: Network, pageUrl: string): Markup => {
  const encoded = encodeURIComponent(pageUrl)
  const origin = encodeURIComponent(new URL(pageUrl).origin)
  return network === SOLANA_NETWORK
    ? html`${walletLink("Phantom", `https://phantom.app/ul/browse/${encoded}?ref=${origin}`)}
      ${walletLink("Solflare", `https://solflare.com/ul/v1/browse/${encoded}?ref=${origin}`)}
      ${walletLink("Backpack", `https://backpack.app/ul/v1/browse/${encoded}?ref=${origin}`)}`
    : html`${walletLink("Coinbase Wallet", `https://go.cb-w.com/dapp?cb_url=${encoded}`)}
      ${walletLink("MetaMask", `https://metamask.app.link/dapp/${pageUrl.replace(/^https?:\/\//, "")}`)}
      ${walletLink("Trust Wallet", `https://link.trustwallet.com/open_url?coin_id=60&url=${encoded}`)}`
}

/** What a phone's camera or wallet scans: on Solana the payment itself, on Base the page for the wallet's browser. */
const code = (svg: Markup, is: string, says: string): Markup =>
  html`<div class="mouse">
    <div class="qr" role="img" aria-label="${is}">${svg}</div>
    <p>${says}</p>
  </div>`

const waysOnSolana = (payUrl: string, pageUrl: string, svg: Markup): Markup =>
  html`${code(svg, "Solana Pay code of this payment", "Scan with a Solana wallet on your phone.")}
    <div class="touch">
      <a class="button" href="${payUrl}" id="solana-pay">Open in wallet</a>
      <p>Or open this page in</p>
      <div class="choices">${walletBrowsers(SOLANA_NETWORK, pageUrl)}</div>
    </div>`

/**
 * Any wallet or exchange can pay by itself: on Solana with the order's memo, on Base, where the merchant takes plain
 * transfers, by the exact amount alone.
 */
const byHand = ({ missing, terms }: CheckoutStatus): Markup => {
  if (terms.network === SOLANA_NETWORK)
    return html`<p id="by-hand">
      Or send <strong>${formatUsd(BigInt(missing))} USDC</strong> on Solana to the address under “Pay to”,
      with the memo <code>${memoOfTerms(terms)}</code>. Without the memo it is not recognised.
    </p>`
  return takesPlainTransfers(terms)
    ? html`<p id="by-hand">
        Or send exactly <strong>${formatUsd(BigInt(terms.amount))} USDC</strong> on Base, in one transfer, to
        the address under “Pay to”. Any other amount is not recognised.
      </p>`
    : html``
}

const waysOnBase = (pageUrl: string, svg: Markup): Markup =>
  html`${code(svg, "Code with the address of this page", "Scan with the phone that has your wallet.")}
    <div class="touch">
      <p>Open this page in your wallet</p>
      <div class="choices">${walletBrowsers(BASE_NETWORK, pageUrl)}</div>
    </div>`

/** A wallet of this browser comes first; without one, the ways to a wallet elsewhere. */
const payment = (checkout: CheckoutStatus): Effect.Effect<Markup> => {
  const { missing, status, terms } = checkout
  const payUrl = solanaPayUrl(terms, status === "open" ? BigInt(missing) : undefined)
  return Effect.map(
    svgOf(payUrl ?? terms.url),
    (svg) =>
      html`<button class="button" id="wallet" type="button" hidden>Pay with wallet</button>
        <div class="choices" id="wallets" role="group" aria-label="Wallets"></div>
        <p class="hint" id="hint" role="status"></p>
        <div id="open-in" data-wallet="none" ${trusted(status === "open" ? "" : " hidden")}>
          ${payUrl === undefined ? waysOnBase(terms.url, svg) : waysOnSolana(payUrl, terms.url, svg)}
          ${byHand(checkout)}
        </div>`
  )
}

/** The clock ran out, and the chain was not looked through past its end: money that comes now comes too late. */
const LATE =
  "The time to pay is over. A payment that was sent in time is still looked for. Please do not send any more."

/** The script alone follows a payment; whoever has none must not take an old page for an unpaid order. */
const STANDING_STILL = html`<noscript
  ><p class="sub">
    Without JavaScript this page shows what was known when it was loaded. After paying, load it again, and do
    not pay twice.
  </p></noscript
>`

const isLate = ({ status, terms }: CheckoutStatus, now: number): boolean =>
  status === "open" && now >= Date.parse(terms.expiresAt)

/**
 * What the time on the page is called: when the clock runs out, or how the checkout ended; the script uses the same
 * words.
 */
const TIMES: Readonly<Record<CheckoutStatusName, string>> = {
  open: "Expires",
  processing: "Expires",
  paid: "Paid",
  expired: "Expired",
  cancelled: "Cancelled"
}

/** The page's title, which a tab shows in the background: what became of the payment. */
const titlesOf = (amount: string): Readonly<Record<CheckoutStatusName, string>> => ({
  open: `Pay ${amount}`,
  processing: `Pay ${amount}`,
  paid: `Paid: ${amount}`,
  expired: `Expired: ${amount}`,
  cancelled: `Cancelled: ${amount}`
})

const timeRow = ({ status, terms, timeline }: CheckoutStatus): Markup => {
  const at = timeline.find(
    (moment) => moment.status === status && status !== "open" && status !== "processing"
  )
  const time = at?.at ?? terms.expiresAt
  return html`<div>
    <dt id="time-name">${TIMES[status]}</dt>
    <dd><time id="time" datetime="${time}">${time}</time></dd>
  </div> `
}

/** The merchant wrote the memo: it is shown as a quotation, escaped, and never as our own words. */
const details = (checkout: CheckoutStatus): Markup => {
  const { receipt, terms } = checkout
  return html`<dl>
    ${row("Pay to", html`<code>${terms.payTo}</code>`)}
    ${row("Network", html`${CHAIN[chainOf(terms.network)]}, USDC`)}
    ${terms.memo === "" ? "" : row("Order reference, written by the merchant", html`<q>${terms.memo}</q>`)}
    ${timeRow(checkout)} ${row("Checkout", html`<code>${terms.checkoutId}</code>`)}
    <div id="transaction" ${trusted(receipt === null ? " hidden" : "")}>
      <dt>Transaction</dt>
      <dd><code>${receipt?.transaction ?? ""}</code></dd>
    </div>
  </dl>`
}

/** The merchant chose its own name; only the address was proven, and the page says so. */
const seller = (merchant: MerchantSettings | null): Markup =>
  merchant === null || merchant.displayName === null
    ? html``
    : html`<p class="seller">
        ${merchant.logoText === null ? "" : html`<span class="logo">${merchant.logoText}</span>`}
        <span>Calls itself <q>${merchant.displayName}</q></span>
      </p>`

/** The way back is shown once the checkout is paid, the way out while it may still be. */
const links = (merchant: MerchantSettings | null, { status }: CheckoutStatus): Markup => {
  const [back, out] = [merchant?.successUrl ?? null, merchant?.cancelUrl ?? null]
  const isPaid = status === "paid"
  return html`${
    back === null
      ? ""
      : html`<a class="button" id="back" href="${back}" rel="noreferrer" ${trusted(isPaid ? "" : "hidden")}
          >Back to the shop</a
        >`
  }${out === null || isPaid ? "" : html`<a class="choice" id="out" href="${out}" rel="noreferrer">Cancel</a>`}`
}

/** People write cents: `12.5` reads as a slip of the pen. Digits beyond cents stay. */
const asMoney = (amountUsd: string): string => {
  const [whole = "0", cents = ""] = amountUsd.split(".")
  return `${whole}.${cents.padEnd(2, "0")}`
}

const usdc = (units: bigint): string => `${asMoney(formatUsd(units))} USDC`

/** Money that came and does not pay the checkout: it is the merchant's to send back. */
const STRANDED: ReadonlyArray<TransferKind> = ["short", "late", "extra"]

const sumOf = (payments: CheckoutStatus["payments"], kinds: ReadonlyArray<TransferKind>): bigint =>
  payments.reduce((sum, { amount, kind }) => (kinds.includes(kind) ? sum + BigInt(amount) : sum), 0n)

/** What a buyer reads when the money came in part, too late or twice, or went back. */
const notice = ({ missing, payments, status, terms }: CheckoutStatus): string => {
  const inTime = BigInt(terms.amount) - BigInt(missing)
  if (status === "processing") return ""
  if (status === "open")
    return inTime > 0n ? `${usdc(inTime)} arrived. ${usdc(BigInt(missing))} are still missing.` : ""
  const back = sumOf(payments, ["refunded"])
  const isPaid = status === "paid"
  // Parts that together are more than the price all pay the checkout. Below zero where what paid it was never kept.
  const overpaid = atLeastZero(sumOf(payments, ["paid"]) - BigInt(terms.amount))
  const stranded = overpaid + sumOf(payments, STRANDED) - back
  const kept = isPaid
    ? "arrived beyond the price."
    : "arrived, and did not pay this checkout: too late, or too little."
  return [
    ...(stranded > 0n ? [`${usdc(stranded)} ${kept} Please ask the merchant to send it back.`] : []),
    ...(back > 0n ? [`The merchant sent ${usdc(back)} back.`] : [])
  ].join(" ")
}

/** The hosted page of a checkout. `now`: Unix milliseconds. */
export const checkoutPage = (
  status: CheckoutStatus,
  merchant: MerchantSettings | null,
  now: number
): Effect.Effect<Page> =>
  Effect.map(payment(status), (pay) => {
    const said = notice(status)
    const late = isLate(status, now)
    const payable = (status.status === "open" && !late) || status.status === "processing"
    const titles = titlesOf(`${asMoney(status.amountUsd)} USDC`)
    const data = {
      titles,
      status: status.status,
      now,
      words: { ...WORDS, signed: "Waiting for the outcome of your payment", late: LATE },
      times: TIMES,
      terms: status.terms,
      requirements: requirementsOf(status.terms),
      successUrl: merchant?.successUrl ?? null,
      missing: status.missing,
      kinds: status.payments.map(({ kind }) => kind).join(" ")
    }
    return page({
      title: titles[status.status],
      style: checkoutStyle,
      script: checkoutScript(status.terms.network),
      body: html`<main>
          <section class="card">
            <h1>${asMoney(status.amountUsd)} <small>USDC</small></h1>
            <p class="sub">
              Checkout on ${CHAIN[chainOf(status.terms.network)]}. The money goes directly to the merchant.
            </p>
            ${seller(merchant)}
            <p class="status" id="status" role="status" data-status="${status.status}">
              ${late ? LATE : WORDS[status.status]}
            </p>
            <p class="missing" id="missing" role="status" ${trusted(said === "" ? "hidden" : "")}>${said}</p>
            ${status.status === "open" || status.status === "processing" ? STANDING_STILL : html``}
            ${links(merchant, status)}
            <div class="split">
              <div class="pay" id="pay" ${trusted(payable ? "" : " hidden")}>${pay}</div>
              ${details(status)}
            </div>
          </section>
          <footer class="before">Check the amount and the address in your wallet before you confirm.</footer>
        </main>
        <script type="application/json" id="data">
          ${trusted(jsonForScript(data))}
        </script>`
    })
  })

/** For an address under which no checkout exists. */
export const missingPage: Page = page({
  title: "No such checkout",
  style: checkoutStyle,
  script: "",
  body: html`<main>
    <section class="card">
      <h1>No such checkout</h1>
      <p class="sub">Please ask the merchant for a new link. Do not pay.</p>
    </section>
  </main>`
})
