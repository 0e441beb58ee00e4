import { HttpApiBuilder, HttpServerResponse } from "@effect/platform"
import { Clock, Config, Effect, Option } from "effect"
import { describeApi } from "../api/openapi.ts"
import { Attestor } from "../attestation/attestor.ts"
import { checkoutServiceConfig } from "../checkout/config.ts"
import { Offers } from "../operations/offers.ts"
import type { Publisher } from "./discovery.ts"
import { FAVICON, makeDocsPage } from "./docs.ts"
import { llmsTxt, mcpServerCard, securityTxt, x402Manifest } from "./discovery.ts"
import { addSite } from "./site.ts"

/** Documents change with a release or a key rotation, so five minutes in a cache do no harm. */
const CACHED = { "cache-control": "public, max-age=300" }

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

const document = (body: string, contentType: string) =>
  Effect.succeed(HttpServerResponse.text(body, { contentType, headers: CACHED }))

const jsonDocument = (value: unknown, contentType = "application/json") =>
  document(JSON.stringify(value), contentType)

/** Keys, descriptions for machines and crawlers, and health. All computed once: URLs come from `PUBLIC_URL` only. */
export const DocumentsLive = HttpApiBuilder.Router.use((router) =>
  Effect.gen(function* () {
    const attestor = yield* Attestor
    const offers = yield* Offers
    const checkoutService = yield* checkoutServiceConfig
    const contact = Option.getOrUndefined(yield* contactConfig)
    const now = yield* Clock.currentTimeMillis
    const publisher: Publisher = { offers, contact, updated: new Date(now).toISOString() }

    const prices = {
      ping: offers.priceUsd("check_token_safety_ping"),
      deep: offers.priceUsd("check_token_risk_deep")
    }
    const manifest = jsonDocument(x402Manifest(publisher))
    const card = jsonDocument(mcpServerCard(publisher))

    const openapi = describeApi({ serverUrl: offers.publicUrl, checkoutService, prices, contact })
    yield* router.get("/openapi.json", jsonDocument(openapi))
    const site = { publicUrl: offers.publicUrl, prices, freeTier: offers.freeTier, checkoutService }
    yield* addSite(router, site, openapi)
    yield* router.get("/docs/api", yield* makeDocsPage(checkoutService, openapi))
    yield* router.get("/favicon.svg", document(FAVICON, "image/svg+xml"))
    yield* router.get("/.well-known/x402", manifest)
    yield* router.get("/.well-known/x402.json", manifest)
    yield* router.get("/.well-known/jwks.json", jsonDocument(attestor.jwks, "application/jwk-set+json"))
    yield* router.get("/.well-known/mcp-server-card", card)
    yield* router.get("/.well-known/mcp.json", card)
    yield* router.get("/.well-known/mcp/server-card.json", card)
    yield* router.get("/llms.txt", document(llmsTxt(publisher), "text/plain; charset=utf-8"))
    if (contact !== undefined) {
      const expires = new Date(now + SECURITY_TXT_DAYS * 86_400_000).toISOString()
      const text = securityTxt(contact, offers.publicUrl, expires)
      yield* router.get("/.well-known/security.txt", document(text, "text/plain; charset=utf-8"))
    }

    yield* router.get("/healthz", Effect.succeed(HttpServerResponse.unsafeJson({ status: "ok" })))
  })
)
