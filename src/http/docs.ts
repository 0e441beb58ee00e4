import { createHash } from "node:crypto"
import { promisify } from "node:util"
import { gzip } from "node:zlib"
import { setImmediate as nextRound } from "node:timers/promises"
import { HttpApi, HttpServerRequest, HttpServerResponse, OpenApi } from "@effect/platform"
import { Duration, Effect } from "effect"
import { API_ID, API_TITLE } from "../api/api.ts"
import { cached } from "../domain/cached.ts"
import { siteHeader } from "../web/site/layout.ts"

const compress = promisify(gzip)

/** 2 MB that change with a release only. Private, because it comes compressed or not and no `Vary` says so. */
const CACHE_CONTROL = "private, max-age=3600"

/** The menu's style: the library's page is light in every colour scheme, and the menu with it. */
const MENU_STYLE = `<style>
header nav { display: flex; flex-wrap: wrap; gap: .25rem 1.1rem; padding: .75rem 1rem; border-bottom: 1px solid #dfe3ea; font: 16px/1.55 system-ui, sans-serif }
header a { color: #5b6472; text-decoration: none } header a[aria-current] { color: #1652f0; font-weight: 600 }
header a:focus-visible { outline: 3px solid #1652f0; outline-offset: 2px }
body { margin: 0; background: #fff }
/* The library's own colours do not stand out enough to be read (WCAG AA: 4.5 to 1). */
html .swagger-ui .opblock.opblock-post .opblock-summary-method { background: #0a7d45 }
html .swagger-ui .opblock.opblock-get .opblock-summary-method { background: #1652f0 }
html .swagger-ui .opblock.opblock-patch .opblock-summary-method { background: #0f6b5c }
html .swagger-ui .opblock.opblock-delete .opblock-summary-method { background: #b3261e }
html .swagger-ui .info .title small, html .swagger-ui .info .title small.version-stamp { background: #5b6472 }
html .swagger-ui .info a.link, html .swagger-ui a.link { color: #1652f0 }
html .swagger-ui .json-schema-2020-12-expand-deep-button { color: #5b6472 }
</style>`

const ICON = `<link rel="icon" type="image/svg+xml" href="/favicon.svg">`

/** JSON that cannot end the script element it stands in. */
const inScript = (value: unknown): string => JSON.stringify(value).replaceAll("<", "\\u003c")

/** Allows exactly the page's own script; Swagger sets styles inline. Requests go to this origin only ("try it out"). */
const securityPolicy = (html: string): string => {
  const scripts = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    ([, code = ""]) => `'sha256-${createHash("sha256").update(code).digest("base64")}'`
  )
  return [
    "default-src 'none'",
    `script-src ${scripts.join(" ")}`,
    "style-src 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'"
  ].join("; ")
}

/**
 * The platform's Swagger page, everything inline, with our described document in place of the one it derives: that
 * one has no prices, no payment headers and no server address.
 */
const renderPage = async (openapi: unknown): Promise<string> => {
  const [HttpApiSwagger, HttpLayerRouter] = await Promise.all([
    import("@effect/platform/HttpApiSwagger"),
    import("@effect/platform/HttpLayerRouter")
  ])
  // The document is replaced; of the interface the page shows nothing but its title.
  const api = HttpApi.make(API_ID).annotate(OpenApi.Title, API_TITLE)
  const swagger = HttpApiSwagger.layerHttpLayerRouter({ api, path: "/docs" })
  const { dispose, handler } = HttpLayerRouter.toWebHandler(swagger, { disableLogger: true })
  const html = await (await handler(new Request("http://localhost/docs"))).text()
  await dispose()
  const document = `<script id="swagger-spec" type="application/json">${inScript(openapi)}</script>`
  return html
    .replace(/<script id="swagger-spec"[\s\S]*?<\/script>/, () => document)
    .replace("</title>", () => `</title>${ICON}${MENU_STYLE}`)
    .replace("<body>", () => `<body>${siteHeader("/docs/api").markup}`)
}

/** The page plain and compressed, with its policy: two megabytes, so each step leaves the event loop to others. */
const preparePage = async (openapi: unknown) => {
  const text = await renderPage(openapi)
  await nextRound()
  const html = Buffer.from(text)
  await nextRound()
  const policy = securityPolicy(text)
  return { html, policy, zipped: await compress(html) }
}

/**
 * `/docs/api`: the description for people. Works offline. Made on the first request, whether or not its caller waits for
 * it, then kept; what failed is made anew.
 */
export const makeDocsPage = (openapi: unknown) =>
  Effect.map(
    cached(
      Effect.promise(() => preparePage(openapi)),
      Duration.infinity
    ),
    (page) =>
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const { html, policy, zipped } = yield* page
        const acceptsGzip = /\bgzip\b/.test(request.headers["accept-encoding"] ?? "")
        return HttpServerResponse.uint8Array(acceptsGzip ? zipped : html, {
          contentType: "text/html; charset=utf-8",
          headers: {
            "cache-control": CACHE_CONTROL,
            "content-security-policy": policy,
            "x-content-type-options": "nosniff",
            "referrer-policy": "no-referrer",
            ...(acceptsGzip ? { "content-encoding": "gzip" } : {})
          }
        })
      })
  )

/** A shield with a tick, in one path; registries and browsers ask for it. */
export const FAVICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path fill="#0b5" fill-rule="evenodd" ' +
  'd="M16 1 28 6v9c0 8-5 13-12 16C9 28 4 23 4 15V6zM9 16l5 5 9-10-2.4-2.2L14 16.3l-2.6-2.6z"/></svg>'
