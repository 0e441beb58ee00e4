import type { OpenApi } from "@effect/platform"
import type { Context } from "effect"
import { JSONSchema } from "effect"
import { checkoutPath } from "../api/checkout.ts"
import { API_VERSION } from "../api/version.ts"
import { TokenRef } from "../domain/token.ts"
import type { Offers } from "../operations/offers.ts"
import { SITE } from "../web/site/layout.ts"
import { ALL_OPERATIONS, MCP_PATH, OPERATIONS } from "../domain/catalog.ts"

/** An operation of the checkout and every status it answers with. */
export interface CheckoutOperation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly statuses: ReadonlyArray<number>
}

/** The checkout's operations as the API's description has them, so that all documents say the same. */
export const checkoutOperationsOf = (
  { paths }: OpenApi.OpenAPISpec,
  service: string
): ReadonlyArray<CheckoutOperation> =>
  Object.entries(paths)
    .filter(([path]) => path.startsWith(`${checkoutPath(service)}/`))
    .flatMap(([path, item]) =>
      Object.entries(item).map(([method, { operationId, responses }]) => ({
        id: operationId,
        method: method.toUpperCase(),
        path,
        statuses: Object.keys(responses).map(Number)
      }))
    )

/** What the documents need to know of the deployment. */
export interface Publisher {
  readonly offers: Context.Tag.Service<typeof Offers>
  /** `mailto:` or `https:` address for reports and questions; none is published when unset. */
  readonly contact: string | undefined
  /** Path segment of the checkout flow. */
  readonly checkoutService: string
  /** Every operation of the checkout, with the statuses the API's description gives it. */
  readonly checkoutOperations: ReadonlyArray<CheckoutOperation>
  /** Process start, ISO 8601: the documents cannot change before the next one. */
  readonly updated: string
}

const NAME = "Token risk pay-per-call"
const DESCRIPTION =
  "Pre-trade token safety screening for autonomous agents on Solana and Base. Pay per call in USDC with x402 v2. " +
  "Refused calls cost nothing."

/**
 * `/.well-known/x402`: one document that every convention in the field can read. `version` with `resources` as
 * strings is the deployed form, `x402Version` with `kind` the drafted one, `items` the list the indexes use.
 */
export const x402Manifest = ({
  offers,
  checkoutOperations,
  checkoutService,
  contact,
  updated
}: Publisher) => ({
  version: 1,
  x402Version: 2,
  kind: "resource-server",
  name: NAME,
  description: DESCRIPTION,
  resources: ALL_OPERATIONS.map(({ id }) => offers.resourceUrl(id, "POST")),
  items: ALL_OPERATIONS.map((operation) => ({
    resource: offers.resourceUrl(operation.id, "POST"),
    type: "http",
    method: "POST",
    x402Version: 2,
    description: operation.description,
    mimeType: "application/json",
    lastUpdated: updated,
    accepts: offers.accepts(operation.id),
    metadata: {
      priceUsd: offers.priceUsd(operation.id),
      inputSchema: JSONSchema.make(TokenRef),
      outputSchema: JSONSchema.make(operation.result),
      freeTier: operation.hasFreeCalls ? (offers.freeTier ?? null) : null
    }
  })),
  ownershipProofs: [],
  instructions: "Call without payment to read the live 402; the live 402 wins over this file.",
  checkout: {
    description:
      "A merchant gets paid exactly once, directly by the buyer, in USDC on Base or Solana. No sign-up.",
    create: offers.publicUrl + checkoutPath(checkoutService) + "/checkout/create",
    operations: checkoutOperations.map(({ path, ...operation }) => ({
      ...operation,
      url: offers.publicUrl + path
    }))
  },
  mcp: { url: offers.publicUrl + MCP_PATH, transport: "streamable-http" },
  attestation: { type: "ed25519", jwksUrl: `${offers.publicUrl}/.well-known/jwks.json` },
  links: {
    openapi: `${offers.publicUrl}/openapi.json`,
    docs: `${offers.publicUrl}/docs`,
    llmsTxt: `${offers.publicUrl}/llms.txt`,
    jwks: `${offers.publicUrl}/.well-known/jwks.json`,
    mcpServerCard: `${offers.publicUrl}/.well-known/mcp-server-card`,
    ...(contact === undefined ? {} : { securityTxt: `${offers.publicUrl}/.well-known/security.txt` })
  },
  ...(contact === undefined ? {} : { contact }),
  updated
})

/** The MCP server card (SEP-2127 draft, in the flat form implementations use). */
export const mcpServerCard = ({ offers }: Publisher) => ({
  $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
  name: `${new URL(offers.publicUrl).hostname.split(".").toReversed().join(".")}/token-risk`,
  title: NAME,
  description: "Token safety ping and risk report for Solana and Base, paid per call with x402.",
  version: API_VERSION,
  websiteUrl: `${offers.publicUrl}/docs`,
  remotes: [{ type: "streamable-http", url: offers.publicUrl + MCP_PATH }]
})

/** `/llms.txt`: what a model must know to use the service well, in as few words as possible. */
export const llmsTxt = ({ checkoutOperations, checkoutService, offers }: Publisher): string => {
  const checkout = `${offers.publicUrl}${checkoutPath(checkoutService)}/checkout`
  const statuses = checkoutOperations.map(
    ({ method, path, statuses: all }) => `- ${method} ${path}: ${all.join(", ")}`
  )
  const ping = OPERATIONS.check_token_safety_ping
  const deep = OPERATIONS.check_token_risk_deep
  const free = offers.freeTier === undefined ? "" : `, ${offers.freeTier} free`
  return `# ${NAME}

> ${DESCRIPTION}

- Ping: POST ${offers.publicUrl}${ping.path} {"chain":"base"|"solana","address":"…"}: ${offers.priceUsd(ping.id)} USD. Returns safe (true, false, null).
- Deep: POST ${offers.publicUrl}${deep.path}, same body: ${offers.priceUsd(deep.id)} USD${free}. Returns verdict (allow, caution, avoid), score 0-100 (higher is riskier), reasons, attestation.
- GET with query parameters works the same.

## How to use it
1. Ping every candidate first.
2. Run deep on tokens that pass the ping, or that back an order above 100 USD.
3. Treat safe=null and verdict=caution as position size zero.

## How to pay
Send the request without payment; the 402 carries the terms (header PAYMENT-REQUIRED, base64 JSON, also the body). Sign
one of "accepts" with an x402 v2 client and repeat the identical request with header payment-signature. A 400 or 404 is not
charged. After 503, 429 or a lost reply repeat it with the SAME payment, whose outcome may be open; never sign a second one.

## Checkout: get paid, or pay a merchant
- Create: POST ${checkout}/create {"network":"base"|"solana","merchantPayTo":"…","amountUsd":"12.50","memo":"order-1"}. Free, no sign-up. The answer's url is the buyer's page.
- Pay: POST ${checkout}/<checkoutId>/verify without a body is an x402 resource: 402 with the terms, then the same with payment-signature. 200 is the receipt. 503: send the SAME payment again. 409, 410: it takes no other payment.
- Status: GET ${checkout}/<checkoutId>. Try it without money: POST ${checkout}/simulate, same body as create.

Every operation of the checkout, also for merchants with a token, and the statuses it answers with:
${statuses.join("\n")}

## More
- OpenAPI: ${offers.publicUrl}/openapi.json
- For people: ${offers.publicUrl}/docs, with code to copy in /docs/quickstart and every error in /docs/errors
- MCP (streamable HTTP): ${offers.publicUrl}${MCP_PATH}
- Keys to verify attestations: ${offers.publicUrl}/.well-known/jwks.json
`
}

/** RFC 9309: nothing here is kept from anybody; pages that are nobody's say `noindex` themselves. */
export const robotsTxt = (publicUrl: string): string =>
  `User-agent: *\nDisallow:\n\nSitemap: ${publicUrl}/sitemap.xml\n`

/** Every page of the site. Source: https://www.sitemaps.org/protocol.html */
export const sitemapXml = (publicUrl: string): string => {
  const urls = SITE.map(([path]) => `<url><loc>${publicUrl.replaceAll("&", "&amp;")}${path}</loc></url>`)
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join("")}</urlset>\n`
}

/** RFC 9116. `expires` is required by it. */
export const securityTxt = (contact: string, publicUrl: string, expires: string): string =>
  `Contact: ${contact}\nExpires: ${expires}\nCanonical: ${publicUrl}/.well-known/security.txt\nPreferred-Languages: en\n`
