import type { Markup, Page } from "../page.ts"
import { html, page } from "../page.ts"
import { siteStyle } from "./style.ts"

/** The pages of the site, in the order of its menu. */
export const SITE = [
  ["/", "token-risk"],
  ["/docs", "Overview"],
  ["/docs/quickstart", "Quick starts"],
  ["/docs/answer", "The answer"],
  ["/docs/signals", "Signals"],
  ["/docs/errors", "Errors"],
  ["/docs/attestation", "Verify it"],
  ["/docs/checkout", "Checkout"],
  ["/docs/operations", "Operations"],
  ["/docs/speed", "Speed"],
  ["/docs/api", "API"]
] as const
export type SitePath = (typeof SITE)[number][0]

/** A page's name in the menu. */
export const nameOf = (path: SitePath): string => SITE.find(([href]) => href === path)?.[1] ?? "token-risk"

export const join = (parts: ReadonlyArray<Markup>): Markup => ({
  markup: parts.map(({ markup }) => markup).join("")
})

/** The menu as it stands on top of every page. */
export const siteHeader = (path: SitePath): Markup => {
  const links = SITE.map(([href, name]) =>
    href === path
      ? html`<a href="${href}" aria-current="page">${name}</a>`
      : html`<a href="${href}">${name}</a>`
  )
  return html`<header><nav aria-label="Pages">${join(links)}</nav></header>`
}

/** One page of the site: menu, content, and what style and script it has of its own. */
export const sitePage = ({ body, path, script = "", style = "", title }: SitePageParts): Page =>
  page({
    title,
    style: siteStyle + style,
    script,
    indexed: true,
    body: html`<a class="skip" href="#main">Skip to the content</a>
      ${siteHeader(path)}
      <main id="main">${body}</main>
      <footer>
        Finding nothing wrong does not prove that a token is safe. What could not be proven is unknown: treat
        it as position size zero.
      </footer>`
  })

interface SitePageParts {
  readonly path: SitePath
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
