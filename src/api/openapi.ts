import { OpenApi } from "@effect/platform"
import { makeApi } from "./api.ts"

/** What only the running service knows of its own description. */
export interface Deployment {
  readonly serverUrl: string
  /** Path segment of the checkout flow. */
  readonly checkoutService: string
  /** Decimal USD per call. */
  readonly prices: { readonly ping: string; readonly deep: string }
  /** `mailto:` or `https:` address of the operator. */
  readonly contact?: string | undefined
}

type Json = string | number | boolean | null | ReadonlyArray<Json> | { readonly [key: string]: Json }
type JsonObject = { readonly [key: string]: Json }

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const mapObject = (object: JsonObject, f: (value: Json, key: string) => Json): JsonObject =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, f(value, key)]))

const textHeader = (description: string) => ({ description, schema: { type: "string" } })

/** Headers a schema cannot declare, by status. Only paid operations carry the payment ones. */
const headersOf = (status: string, paid: boolean): JsonObject => {
  if (status === "402") return { "PAYMENT-REQUIRED": textHeader("The challenge as base64 of its JSON.") }
  if (status === "200" && paid)
    return { "PAYMENT-RESPONSE": textHeader("The receipt as base64 of its JSON; absent on free calls.") }
  if (status === "405") return { Allow: textHeader("Methods of this path.") }
  if (status === "429" || status === "503") return { "Retry-After": textHeader("Seconds to wait.") }
  return {}
}

/** HttpApi documents its own decoding error beside ours; the error boundary only ever answers ours. */
const onlyOurErrors = (response: JsonObject): JsonObject =>
  JSON.parse(
    JSON.stringify(response).replace(
      /\{"anyOf":\[\{"\$ref":"#\/components\/schemas\/HttpApiDecodeError"\},(\{"\$ref":"[^"]+"\})\]\}/g,
      "$1"
    )
  )

const describeResponse =
  (paid: boolean) =>
  (response: Json, status: string): Json => {
    if (!isObject(response)) return response
    const headers = headersOf(status, paid)
    const described =
      status === "400"
        ? { ...onlyOurErrors(response), description: "Invalid request. Nothing is charged." }
        : response
    return Object.keys(headers).length === 0 ? described : { ...described, headers }
  }

/** `x-payment-info` in the form x402scan reads: decimal USD here, atomic units in the live challenge. */
const paymentInfo = (amount: string): JsonObject => ({
  price: { mode: "fixed", currency: "USD", amount },
  protocols: [{ x402: {} }]
})

const priceOf = (operationId: Json | undefined, { prices }: Deployment): string | undefined => {
  if (typeof operationId !== "string") return undefined
  if (operationId.startsWith("check_token_safety_ping")) return prices.ping
  return operationId.startsWith("check_token_risk_deep") ? prices.deep : undefined
}

const describeOperation =
  (deployment: Deployment) =>
  (operation: Json): Json => {
    if (!isObject(operation) || !isObject(operation["responses"])) return operation
    const price = priceOf(operation["operationId"], deployment)
    return {
      ...operation,
      ...(price === undefined ? {} : { "x-payment-info": paymentInfo(price) }),
      responses: mapObject(operation["responses"], describeResponse(price !== undefined))
    }
  }

const UNUSED = new Set(["HttpApiDecodeError", "Issue", "PropertyKey"])

/** For agents that read the description only. Registries cut it when it is long. */
const GUIDANCE =
  "Ping every candidate token first; run deep on tokens that pass, or that back an order above 100 USD. Treat safe=null " +
  "and verdict=caution as position size zero. Pay with any x402 v2 client in USDC on Base or Solana. On 503 repeat the " +
  "same request with the same payment. Errors are not charged."

const contactInfo = (contact: string | undefined): JsonObject => {
  if (contact === undefined) return {}
  return {
    contact: contact.startsWith("mailto:") ? { email: contact.slice("mailto:".length) } : { url: contact }
  }
}

/** The OpenAPI 3.1 document of a deployment. Pure: the same deployment gives the same bytes. */
export const describeApi = (deployment: Deployment): JsonObject => {
  const spec: JsonObject = JSON.parse(JSON.stringify(OpenApi.fromApi(makeApi(deployment.checkoutService))))
  const paths = isObject(spec["paths"]) ? spec["paths"] : {}
  // No operation needs a login: an empty list of schemes would make readers offer one.
  const { securitySchemes: _none, ...components } = isObject(spec["components"]) ? spec["components"] : {}
  const schemas = isObject(components["schemas"]) ? components["schemas"] : {}
  return {
    ...spec,
    info: {
      ...(isObject(spec["info"]) ? spec["info"] : {}),
      ...contactInfo(deployment.contact),
      "x-guidance": GUIDANCE
    },
    servers: [{ url: deployment.serverUrl }],
    paths: mapObject(paths, (item) =>
      isObject(item) ? mapObject(item, describeOperation(deployment)) : item
    ),
    components: {
      ...components,
      schemas: Object.fromEntries(Object.entries(schemas).filter(([name]) => !UNUSED.has(name)))
    }
  }
}
