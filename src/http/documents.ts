import type { HttpServerRequest } from "@effect/platform"
import { HttpApiBuilder, HttpServerResponse } from "@effect/platform"
import { Clock, Config, Effect, Option } from "effect"
import { NotFound } from "../api/errors.ts"
import { describeApi } from "../api/openapi.ts"
import { Attestor } from "../attestation/attestor.ts"
import { checkoutServiceConfig } from "../checkout/config.ts"
import { pricesConfig } from "../operations/config.ts"
import { Offers } from "../operations/offers.ts"
import { makeSignedStatements } from "../operations/signed-statements.ts"
import type { Publisher } from "./discovery.ts"
import { FAVICON, makeDocsPage } from "./docs.ts"
import {
  checkoutOperationsOf,
  llmsTxt,
  mcpServerCard,
  robotsTxt,
  securityTxt,
  sitemapXml,
  x402Manifest
} from "./discovery.ts"
import { examplesConfig } from "./examples.ts"
import { makePublish } from "./fast/documents.ts"
import { HEALTH } from "./health.ts"
import type { SiteMaterial } from "./site.ts"
import { SITE_PAGES } from "./site.ts"

/** Documents change with a release or a key rotation, so five minutes in a cache do no harm. */
const CACHED = { "cache-control": "public, max-age=300" }

/** Uncached: a cache in front must not report a process that is gone as alive. */
const LIVES = HttpServerResponse.unsafeJson({ status: "ok" }, { headers: { "cache-control": "no-store" } })

/** RFC 9116 asks for less than a year; a service that never restarts for so long has other problems. */
const SECURITY_TXT_DAYS = 180

/** `CONTACT`: `mailto:` or `https:` address for security reports and registries. */
export const contactConfig = Config.option(
  Config.nonEmptyString("CONTACT").pipe(
    Config.validate({
      message: "must be a mailto: or https: address, such as mailto:security@example.com",
      validation: (text) =>
        /^mailto:[^\s@]+@[^\s@]+$/.test(text) || (text.startsWith("https://") && URL.canParse(text))
    })
  )
)

type Response = HttpServerResponse.HttpServerResponse

const document = (body: string, contentType: string): Response =>
  HttpServerResponse.text(body, { contentType, headers: CACHED })

const jsonDocument = (value: unknown, contentType = "application/json") =>
  document(JSON.stringify(value), contentType)

const TEXT = "text/plain; charset=utf-8"
const XML = "application/xml; charset=utf-8"

/** Everything the documents are made of. */
interface Material extends SiteMaterial {
  readonly publisher: Publisher
  readonly checkoutService: string
  readonly jwks: unknown
  readonly didDocument: unknown
  /** Process start, Unix milliseconds. */
  readonly now: number
}

/** What answers at a path; a response is the plainest handler. */
type Handler = Effect.Effect<Response, NotFound, HttpServerRequest.HttpServerRequest>

const icon = () => document(FAVICON, "image/svg+xml")
const manifest = ({ publisher }: Material) => jsonDocument(x402Manifest(publisher))
const serverCard = ({ publisher }: Material) => jsonDocument(mcpServerCard(publisher))

const security = ({ now, publisher: { contact, offers } }: Material): Effect.Effect<Handler> => {
  if (contact === undefined)
    return Effect.succeed(Effect.fail(new NotFound({ error: "no security contact is published here" })))
  const expires = new Date(now + SECURITY_TXT_DAYS * 86_400_000).toISOString()
  return document(securityTxt(contact, offers.publicUrl, expires), TEXT)
}

/**
 * Every document by its path. The one table: routes are registered from it, and `Allow` and the labels of metrics know
 * its paths.
 */
const DOCUMENTS: ReadonlyArray<readonly [`/${string}`, (material: Material) => Effect.Effect<Handler>]> = [
  ...SITE_PAGES,
  ["/docs/api", ({ openapi }) => makeDocsPage(openapi)],
  ["/openapi.json", ({ openapi }) => jsonDocument(openapi)],
  ["/favicon.svg", icon],
  // Where browsers look for the icon of a page that names none.
  ["/favicon.ico", icon],
  ["/robots.txt", ({ publisher }) => document(robotsTxt(publisher.offers.publicUrl), TEXT)],
  ["/sitemap.xml", ({ publisher }) => document(sitemapXml(publisher.offers.publicUrl), XML)],
  ["/llms.txt", ({ publisher }) => document(llmsTxt(publisher), TEXT)],
  ["/.well-known/x402", manifest],
  ["/.well-known/x402.json", manifest],
  ["/.well-known/did.json", ({ didDocument }) => jsonDocument(didDocument, "application/did+json")],
  ["/.well-known/jwks.json", ({ jwks }) => jsonDocument(jwks, "application/jwk-set+json")],
  ["/.well-known/mcp-server-card", serverCard],
  ["/.well-known/mcp.json", serverCard],
  ["/.well-known/mcp/server-card.json", serverCard],
  ["/.well-known/security.txt", security]
]

/** Paths of the documents, as we write them. */
export const DOCUMENT_PATHS: ReadonlyArray<string> = DOCUMENTS.map(([path]) => path)

const readMaterial = Effect.gen(function* () {
  const { jwks } = yield* Attestor
  const offers = yield* Offers
  const { didDocument } = yield* makeSignedStatements(offers.publicUrl)
  const checkoutService = yield* checkoutServiceConfig
  const contact = Option.getOrUndefined(yield* contactConfig)
  const examples = yield* examplesConfig
  const now = yield* Clock.currentTimeMillis
  const { deep, ping } = yield* pricesConfig
  const openapi = describeApi({
    serverUrl: offers.publicUrl,
    checkoutService,
    prices: { ping: ping.amount, deep: deep.amount },
    contact
  })
  const checkoutOperations = checkoutOperationsOf(openapi, checkoutService)
  const updated = new Date(now).toISOString()
  const material: Material = {
    publisher: { offers, checkoutOperations, checkoutService, contact, updated },
    deployment: {
      publicUrl: offers.publicUrl,
      prices: { ping: ping.usd, deep: deep.usd },
      freeTier: offers.freeTier,
      checkoutService,
      examples
    },
    openapi,
    checkoutService,
    jwks,
    didDocument,
    now
  }
  return material
})

/** Keys, pages, descriptions for machines and crawlers, and life. All computed once: URLs come from `PUBLIC_URL` only. */
export const DocumentsLive = HttpApiBuilder.Router.use((router) =>
  Effect.gen(function* () {
    const material = yield* readMaterial
    const publish = yield* makePublish(router)
    for (const [path, make] of DOCUMENTS) yield* publish(path, yield* make(material))
    yield* publish(HEALTH.live, LIVES)
  })
)
