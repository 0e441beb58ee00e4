import type { Markup, Page } from "../page.ts"
import { html, page } from "../page.ts"
import { siteStyle } from "./style.ts"

/** The pages of the site, in the order of its menu: where, its name there, and what it is for whoever is shown a link. */
export const SITE = [
  ["/", "token-risk", "Try a token on Base or Solana: is it safe to buy? Screened on the chain itself."],
  [
    "/docs",
    "Overview",
    "Pre-trade token safety for trading agents on Solana and Base, paid per call in USDC over x402."
  ],
  [
    "/docs/quickstart",
    "Quick starts",
    "Code to copy for curl, TypeScript, Python, MCP and the command line, on both chains."
  ],
  ["/docs/answer", "The answer", "What a safety ping and a deep report say about a token, field by field."],
  [
    "/docs/signals",
    "Signals",
    "Every signal that is read of a token, where it comes from and what it weighs in the score."
  ],
  [
    "/docs/errors",
    "Errors",
    "Every status and every reason for a refused payment: what is charged, and what to do."
  ],
  [
    "/docs/attestation",
    "Verify it",
    "How a signed report is verified offline, with verifiers to copy and a test vector."
  ],
  [
    "/docs/checkout",
    "Checkout",
    "How merchants get paid exactly once, directly by the buyer, in USDC on Base or Solana."
  ],
  [
    "/docs/operations",
    "Operations",
    "Health, metrics and the documents for machines, and how a deployment is examined."
  ],
  [
    "/docs/speed",
    "Speed",
    "How fast a paid call is answered, how that was measured, and what helped or did not."
  ],
  ["/docs/api", "API", "The whole API as OpenAPI describes it, to read and to try."]
] as const
export type SitePath = (typeof SITE)[number][0]

const entryOf = (path: SitePath) => SITE.find(([href]) => href === path)

/** A page's name in the menu. */
export const nameOf = (path: SitePath): string => entryOf(path)?.[1] ?? "token-risk"

export const join = (parts: ReadonlyArray<Markup>): Markup => ({
  markup: parts.map(({ markup }) => markup).join("")
})

/** The menu as it stands on top of every page. */
export const siteHeader = (path?: SitePath): Markup => {
  const links = SITE.map(([href, name]) =>
    href === path
      ? html`<a href="${href}" aria-current="page">${name}</a>`
      : html`<a href="${href}">${name}</a>`
  )
  return html`<header><nav aria-label="Pages">${join(links)}</nav></header>`
}

/** What is shown of a page where somebody links to it. Source: the Open Graph protocol, https://ogp.me. */
const preview = (title: string, path: SitePath, publicUrl: string): Markup => {
  const description = entryOf(path)?.[2] ?? ""
  return html`<meta name="description" content="${description}" />
    <meta property="og:type" content="website" />
    <meta property="og:site_name" content="token-risk" />
    <meta property="og:title" content="${title}" />
    <meta property="og:description" content="${description}" />
    <meta property="og:url" content="${publicUrl}${path}" />`
}

/** One page of the site: menu, content, and what style and script it has of its own. */
export const sitePage = ({ body, place, script = "", style = "", title }: SitePageParts): Page =>
  page({
    title,
    style: siteStyle + style,
    script,
    indexed: place !== undefined,
    head: place === undefined ? html`` : preview(title, place.path, place.publicUrl),
    body: html`<a class="skip" href="#main">Skip to the content</a>
      ${siteHeader(place?.path)}
      <main id="main">${body}</main>
      <footer>
        Finding nothing wrong does not prove that a token is safe. What could not be proven is unknown: treat
        it as position size zero.
      </footer>`
  })

interface SitePageParts {
  /** Where it stands, for the menu and for links; none for one that stands everywhere and nowhere. */
  readonly place?: { readonly path: SitePath; readonly publicUrl: string }
  readonly title: string
  readonly body: Markup
  readonly style?: string
  readonly script?: string
}

/** Columns that a phone has room for; of a table with more each row stands there as a block, its cells under their heads. */
const NARROW = 2

const cells = (head: ReadonlyArray<string>, row: ReadonlyArray<string | Markup>): Markup =>
  join(
    row.map((cell, at) =>
      head.length > NARROW && at > 0
        ? html`<td data-head="${head[at] ?? ""}">${cell}</td>`
        : html`<td>${cell}</td>`
    )
  )

/** A table; cells are escaped unless they are markup. `label` is what a screen reader calls it: one of its own on a page. */
export const table = (
  head: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string | Markup>>,
  label: string = head.join(", ")
): Markup =>
  html`<div class="scroll" tabindex="0" role="group" aria-label="${label}">
    <table class="${head.length > NARROW ? "wide" : ""}">
      <thead>
        <tr>
          ${join(head.map((cell) => html`<th scope="col">${cell}</th>`))}
        </tr>
      </thead>
      <tbody>
        ${join(
          rows.map(
            (row) =>
              html`<tr>
                ${cells(head, row)}
              </tr>`
          )
        )}
      </tbody>
    </table>
  </div>`

export const code = (text: string): Markup => html`<code>${text}</code>`

/** Lines as they are: the formatter must not touch what stands in a pre. */
export const pre = (text: string): Markup => html`<pre tabindex="0"><code>${text}</code></pre>`

/** One card with a title of its own. */
export const section = (title: string, ...parts: ReadonlyArray<Markup>): Markup =>
  html`<section class="card">
    <h2>${title}</h2>
    ${join(parts)}
  </section>`
