import { createHash } from "node:crypto"

/** A rendered page and the policy that allows exactly its own style and script. */
export interface Page {
  readonly html: string
  readonly contentSecurityPolicy: string
}

/** Markup that needs no more escaping. Only `html` and `trusted` make it. */
export interface Markup {
  readonly markup: string
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "")

/** Markup of our own making: static text, or the output of a renderer. Never a caller's text. */
export const trusted = (markup: string): Markup => ({ markup })

/** Template whose every substitution is escaped, unless it is markup already. */
export const html = (strings: TemplateStringsArray, ...values: ReadonlyArray<string | Markup>): Markup => ({
  markup: strings.reduce((text, part, index) => {
    const value = values[index - 1] ?? ""
    return text + (typeof value === "string" ? escape(value) : value.markup) + part
  })
})

const hash = (text: string): string =>
  `'sha256-${createHash("sha256").update(text, "utf8").digest("base64")}'`

/** The element's text is hashed, so not a space may stand between it and its tags. */
const element = (name: "style" | "script", text: string): Markup => trusted(`<${name}>${text}</${name}>`)

/** JSON that is safe inside a script element: nothing in it can end the element or open a comment. */
export const jsonForScript = (value: unknown): string => JSON.stringify(value).replace(/</g, "\\u003c")

/**
 * A whole document. Style and script are static and allowed by their hashes, so nothing injected could ever run; data
 * for the script comes in a JSON element, which browsers do not execute.
 */
export const page = (parts: {
  readonly title: string
  readonly style: string
  readonly script: string
  readonly body: Markup
  /** Whether search engines may list it; pages about one order may not be. */
  readonly indexed?: boolean
  /** Further elements of the head. */
  readonly head?: Markup
}): Page => ({
  html: html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="${parts.indexed === true ? "index" : "noindex"}" />
        <meta name="color-scheme" content="light dark" />
        <title>${parts.title}</title>
        ${parts.head ?? ""} ${element("style", parts.style)}
      </head>
      <body>
        ${parts.body} ${parts.script === "" ? "" : element("script", parts.script)}
      </body>
    </html> `.markup,
  contentSecurityPolicy: [
    "default-src 'none'",
    `style-src ${hash(parts.style)}`,
    parts.script === "" ? "script-src 'none'" : `script-src ${hash(parts.script)}`,
    "connect-src 'self'",
    // A browser asks for the icon of a page by the page's own policy.
    "img-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'"
  ].join("; ")
})
