import { OpenApi } from "@effect/platform"
import { withoutGeneratedNames } from "../domain/json-schema.ts"
import { makeApi } from "./api.ts"
import { exampleOf } from "./openapi-examples.ts"
import { statusesOf } from "./openapi-statuses.ts"

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

const objectOr = (value: Json | undefined): JsonObject => (isObject(value) ? value : {})

const mapObject = (object: JsonObject, f: (value: Json, key: string) => Json): JsonObject =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, f(value, key)]))

const textHeader = (description: string) => ({ description, schema: { type: "string" } })

/** Headers a schema cannot declare, by status. Only paid operations carry the payment ones. */
const headersOf = (status: string, paid: boolean): JsonObject => {
  if (status === "402")
    return {
      "PAYMENT-REQUIRED": textHeader("The challenge as base64 of its JSON."),
      "PAYMENT-RESPONSE": textHeader("Why the payment that came along was refused, as base64 of JSON.")
    }
  if (status === "200" && paid)
    return { "PAYMENT-RESPONSE": textHeader("The receipt as base64 of its JSON; absent on free calls.") }
  if (status === "429" || status === "503") return { "Retry-After": textHeader("Seconds to wait.") }
  return {}
}

/** What an error of this status says, for instance. */
const ERROR_TEXT: Readonly<Record<string, string>> = {
  "400": 'chain: must be "solana" or "base"',
  "404": "no pools found for this token",
  "408": "the body took too long to arrive",
  "409": "in conflict with an earlier request",
  "410": "expired",
  "413": "body is too large",
  "415": "content-type must be application/json",
  "429": "too many requests",
  "500": "internal error",
  "503": "a required data source is down, nothing was charged"
}

/** HttpApi documents its own decoding error beside ours; the error boundary only ever answers ours. */
const DECODE_ERROR =
  /\{"anyOf":\[\{"\$ref":"#\/components\/schemas\/HttpApiDecodeError"\},(\{"\$ref":"[^"]+"\})\]\}/g

/** The document's text with one name for everything: generators make types of these names. */
const withOurNames = (text: string): string =>
  text
    .replace(DECODE_ERROR, "$1")
    .replaceAll("#/components/schemas/PaymentRequiredError", "#/components/schemas/PaymentRequired")
    .replaceAll('"$ref":"#/components/schemas/Int"', '"type":"integer"')
    .replaceAll('"PaymentRequiredError":', '"PaymentRequired":')
    .replaceAll('"x402Version":{"type":"number","enum":[2]}', '"x402Version":{"type":"integer","enum":[2]}')

const withExample = (content: Json | undefined, schemas: JsonObject, given?: Json): JsonObject =>
  mapObject(objectOr(content), (media) => {
    const { schema = {} } = objectOr(media)
    return { ...objectOr(media), example: given ?? exampleOf(schema, schemas) }
  })

const describeResponse =
  (paid: boolean, schemas: JsonObject) =>
  (response: Json, status: string): Json => {
    if (!isObject(response)) return response
    const headers = headersOf(status, paid)
    const text = ERROR_TEXT[status]
    return {
      ...response,
      ...(status === "400" ? { description: "Invalid request. Nothing is charged." } : {}),
      ...(Object.keys(headers).length === 0 ? {} : { headers }),
      content: withExample(response["content"], schemas, text === undefined ? undefined : { error: text })
    }
  }

/** `x-payment-info` in the form x402scan reads: decimal USD here, atomic units in the live challenge. */
const paymentInfo = (amount: string): JsonObject => ({
  price: { mode: "fixed", currency: "USD", amount },
  protocols: [{ x402: {} }]
})

const priceOf = (operationId: string, { prices }: Deployment): string | undefined => {
  if (operationId.startsWith("check_token_safety_ping")) return prices.ping
  return operationId.startsWith("check_token_risk_deep") ? prices.deep : undefined
}

/** The token of a `GET`: HttpApi decodes it from the query but does not describe it. */
const queryParameters = (schemas: JsonObject): ReadonlyArray<Json> => {
  const properties = objectOr(objectOr(schemas["TokenReference"])["properties"])
  return Object.entries(properties).map(([name, member]) => {
    const { description = "", examples = [], ...schema } = objectOr(member)
    const [example = null] = Array.isArray(examples) ? examples : []
    return { name, in: "query", required: true, description, schema, example }
  })
}

const describeOperation =
  (deployment: Deployment, schemas: JsonObject) =>
  (operation: Json, method: string): Json => {
    if (!isObject(operation)) return operation
    const id = String(operation["operationId"])
    const price = priceOf(id, deployment)
    const statuses = statusesOf(id, method)
    const responses = Object.entries(objectOr(operation["responses"])).filter(([status]) => statuses(status))
    const { parameters = [], requestBody, ...rest } = operation
    const named = Array.isArray(parameters) ? parameters : []
    return {
      ...rest,
      ...(price === undefined ? {} : { "x-payment-info": paymentInfo(price) }),
      parameters: price !== undefined && method === "get" ? [...queryParameters(schemas), ...named] : named,
      ...(isObject(requestBody)
        ? { requestBody: { ...requestBody, content: withExample(requestBody["content"], schemas) } }
        : {}),
      responses: mapObject(Object.fromEntries(responses), describeResponse(price !== undefined, schemas))
    }
  }

/** Generated for other purposes than ours, or in use by nothing. */
const UNUSED = new Set(["HttpApiDecodeError", "Issue", "PropertyKey", "Int"])

/** What we answer may grow members; only what we are sent must not have unknown ones. */
const REQUESTS = /^(?:TokenReference|CreateCheckout|VerifyCheckout)$/
const open = (schema: Json): Json => {
  if (Array.isArray(schema)) return schema.map(open)
  if (!isObject(schema)) return schema
  const { additionalProperties, ...rest } = mapObject(schema, open)
  return additionalProperties === undefined || additionalProperties === false
    ? rest
    : { ...rest, additionalProperties }
}

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
  const text = JSON.stringify(OpenApi.fromApi(makeApi(deployment.checkoutService)))
  const spec: JsonObject = withoutGeneratedNames(JSON.parse(withOurNames(text)))
  // No operation needs a login: an empty list of schemes would make readers offer one.
  const { securitySchemes: _none, ...components } = objectOr(spec["components"])
  const named = Object.entries(objectOr(components["schemas"])).filter(([name]) => !UNUSED.has(name))
  const schemas = mapObject(Object.fromEntries(named), (schema, name) =>
    REQUESTS.test(name) ? schema : open(schema)
  )
  return {
    ...spec,
    info: {
      ...objectOr(spec["info"]),
      license: { name: "MIT", identifier: "MIT" },
      ...contactInfo(deployment.contact),
      "x-guidance": GUIDANCE
    },
    servers: [{ url: deployment.serverUrl }],
    paths: mapObject(objectOr(spec["paths"]), (item) =>
      mapObject(objectOr(item), describeOperation(deployment, schemas))
    ),
    components: { ...components, schemas }
  }
}
