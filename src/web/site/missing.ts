import type { Page } from "../page.ts"
import { html } from "../page.ts"
import { sitePage } from "./layout.ts"

/** For whoever comes with a browser to an address where there is nothing. It repeats nothing of the address. */
export const missing: Page = sitePage({
  title: "No such page · token-risk",
  body: html`<section class="card">
    <h1>There is no page here</h1>
    <p>The address may be mistyped, or the link to it old.</p>
    <ul>
      <li><a href="/">Try a token</a></li>
      <li><a href="/docs">What this service does, and what it costs</a></li>
      <li><a href="/docs/quickstart">Code to copy</a></li>
      <li><a href="/docs/checkout">Checkout</a>. Who looks for an order asks the merchant for a new link.</li>
      <li><a href="/openapi.json">Every operation, for machines</a></li>
    </ul>
  </section>`
})
