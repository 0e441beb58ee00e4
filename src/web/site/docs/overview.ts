import type { Markup } from "../../page.ts"
import { html } from "../../page.ts"
import type { Deployment } from "../deployment.ts"
import { code, section, table } from "../layout.ts"

const EXTENSIONS = section(
  "x402 extensions",
  html`<p>All three are of the official package ${code("@x402/extensions")}, and none is needed.</p>`,
  table(
    ["Extension", "What it gives"],
    [
      [
        code("payment-identifier"),
        "your own id for a payment: the same id with another payment is 409 and costs nothing"
      ],
      [
        code("offer-receipt"),
        html`the offer in the 402 and the receipt in PAYMENT-RESPONSE, signed with the key of
          <a href="/.well-known/did.json">/.well-known/did.json</a>`
      ],
      [
        code("sign-in-with-x"),
        html`a wallet fetches again what it bought: GET ${code("/api/token-risk/v1/purchases/ping")} or
        ${code("/deep")} with chain and address. ${code("wrapFetchWithSIWx")} signs for the first network of
        the terms, which is Base; on Solana give ${code("createSIWxPayload")} the entry of
        ${code("supportedChains")} that is yours`
      ]
    ]
  )
)

/** `/docs`: what the service is, what it costs, how it is to be used. */
export const overview = ({ freeTier, prices, publicUrl }: Deployment): Markup =>
  html`<section class="card">
      <h1>Token risk, pay per call</h1>
      <p>
        Trading agents ask before they buy. They pay a fraction of a cent in USDC over HTTP 402 (x402 version
        2: no account, no key) and get a verdict they can act on, for tokens on Solana and Base.
      </p>
      <p>
        Nothing is charged that is not delivered, nothing is delivered twice for one payment, and no token is
        called safe on missing evidence.
      </p>
    </section>
    ${section(
      "Operations",
      table(
        ["Call", "Price", "Answer"],
        [
          [
            code("POST /api/token-risk/v1/ping"),
            `${prices.ping} USD`,
            "safe (true, false, null), mintAuthorityOff, lpLocked, pairs, priceUsd"
          ],
          [
            code("POST /api/token-risk/v1/deep"),
            freeTier === undefined ? `${prices.deep} USD` : `${prices.deep} USD; ${freeTier} free`,
            "verdict, score, band, reasons, every signal, attestation"
          ]
        ]
      ),
      html`<p>
        The body is ${code('{"chain": "base" | "solana", "address": "…"}')}; GET with the same two query
        parameters does the same. This service: ${code(publicUrl)}.
      </p>`
    )}
    ${section(
      "Spending rules",
      html`<ul>
        <li>Ping every candidate first.</li>
        <li>Run deep on tokens that pass the ping, or that back an order above 100 USD.</li>
        <li>Treat ${code("safe: null")} and ${code("verdict: caution")} as position size zero.</li>
        <li>
          A 400 and a 404 cost nothing. After a 503 or a lost reply the outcome may be open: send the same
          request with the same payment again, and never sign a second one.
        </li>
      </ul>`
    )}
    ${EXTENSIONS}`
