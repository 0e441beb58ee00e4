import { createHash } from "node:crypto"
import { promisify } from "node:util"
import { gzip } from "node:zlib"
import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { makeApi } from "../api/api.ts"

const compress = promisify(gzip)

/** 2 MB that change with a release only. Private: it comes compressed or not, and `Vary` is the CORS layer's to set. */
const CACHE_CONTROL = "private, max-age=3600"

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
const renderPage = async (checkoutService: string, openapi: unknown): Promise<string> => {
  const [HttpApiSwagger, HttpLayerRouter] = await Promise.all([
    import("@effect/platform/HttpApiSwagger"),
    import("@effect/platform/HttpLayerRouter")
  ])
  const swagger = HttpApiSwagger.layerHttpLayerRouter({ api: makeApi(checkoutService), path: "/docs" })
  const { dispose, handler } = HttpLayerRouter.toWebHandler(swagger, { disableLogger: true })
  const html = await (await handler(new Request("http://localhost/docs"))).text()
  await dispose()
  const document = `<script id="swagger-spec" type="application/json">${inScript(openapi)}</script>`
  return html
    .replace(/<script id="swagger-spec"[\s\S]*?<\/script>/, () => document)
    .replace("</title>", () => `</title>${ICON}`)
}

/** `/docs`: the description for people. Works offline. Made on the first request, then kept, plain and compressed. */
export const makeDocsPage = (checkoutService: string, openapi: unknown) =>
  Effect.map(
    Effect.cached(
      Effect.promise(async () => {
        const html = await renderPage(checkoutService, openapi)
        return { html: Buffer.from(html), zipped: await compress(html), policy: securityPolicy(html) }
      })
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
