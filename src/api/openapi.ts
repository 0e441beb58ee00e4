import { OpenApi } from "@effect/platform"
import { type Operation, operationOf, soldUnder } from "../domain/catalog.ts"
import { NO_POOLS, REPEAT } from "../domain/errors.ts"
import { withoutGeneratedNames } from "../domain/json-schema.ts"
import { formatUsd } from "../domain/money.ts"
import { makeApi } from "./api.ts"
import { VERIFY_CHECKOUT } from "./checkout.ts"
import { exampleOf } from "./openapi-examples.ts"
import { describeWebhooks } from "./webhooks.ts"
import { isRecord } from "../domain/json.ts"
import type { Json, JsonObject } from "../domain/json.ts"

/** What only the running service knows of its own description. */
export interface Deployment {
  readonly serverUrl: string
  /** Path segment of the checkout flow. */
  readonly checkoutService: string
  /** Smallest units of USDC per call. */
  readonly prices: { readonly ping: bigint; readonly deep: bigint }
  /** `mailto:` or `https:` address of the operator. */
  readonly contact?: string | undefined
}

const SCHEMAS = "#/components/schemas/"

const objectOr = (value: Json | undefined): JsonObject => (isRecord(value) ? value : {})

const mapObject = (object: JsonObject, f: (value: Json, key: string) => Json): JsonObject =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, f(value, key)]))

const textHeader = (description: string) => ({ description, schema: { type: "string" } })

/** What an operation does with payments: `sold` or `fetched` again for one of ours, `passed` on to a merchant. */
type Payments = "none" | "sold" | "fetched" | "passed"

const RECEIPT: Readonly<Record<Payments, JsonObject>> = {
  none: {},
  sold: { "PAYMENT-RESPONSE": textHeader("The receipt as base64 of its JSON; absent on free calls.") },
  fetched: { "PAYMENT-RESPONSE": textHeader("The receipt as base64 of its JSON.") },
  passed: { "PAYMENT-RESPONSE": textHeader("The settlement as base64 of its JSON.") }
}

const UNSENT = textHeader("There where it is certain that the payment was not sent: why, as base64 of JSON.")

/** Headers a schema cannot declare, by status. */
const headersOf = (status: string, payments: Payments): JsonObject => {
  if (status === "402")
    return {
      "PAYMENT-REQUIRED": textHeader("The challenge as base64 of its JSON."),
      "PAYMENT-RESPONSE": textHeader("Why the payment that came along was refused, as base64 of JSON.")
    }
  if (status === "200") return RECEIPT[payments]
  const retry = { "Retry-After": textHeader("Seconds to wait.") }
  if (status === "429" && payments === "passed") return { ...retry, "PAYMENT-RESPONSE": UNSENT }
  return status === "429" || status === "503" ? retry : {}
}

/** What an error of this status says, for instance. */
const ERROR_TEXT: Readonly<Record<string, string>> = {
  "400": 'chain: must be "solana" or "base"',
  "404": "no such path, or nothing under this id",
  "408": "the body took too long to arrive",
  "409": "in conflict with an earlier request",
  "410": "expired",
  "413": "body: must be at most 65536 bytes",
  "415": "content-type must be application/json",
  "429": "too many requests",
  "500": "internal error",
  "503": `a required data source is down, nothing was charged: ${REPEAT}`
}

/** HttpApi documents its own decoding error beside ours; the error boundary only ever answers ours. */
const DECODE_ERROR = `${SCHEMAS}HttpApiDecodeError`

/** A response's schema without alternatives that are never answered. */
const answered = (schema: Json): Json => {
  const { anyOf } = objectOr(schema)
  if (!Array.isArray(anyOf)) return schema
  const ours = anyOf.filter((one: Json) => objectOr(one)["$ref"] !== DECODE_ERROR)
  return ours.length === 1 ? (ours[0] ?? {}) : { ...objectOr(schema), anyOf: ours }
}

const withExample = (
  content: Json | undefined,
  schemas: JsonObject,
  adapt: (example: Json) => Json = (example) => example
): JsonObject =>
  mapObject(objectOr(content), (media) => {
    const { schema = {} } = objectOr(media)
    const ours = answered(schema)
    return { ...objectOr(media), schema: ours, example: adapt(exampleOf(ours, schemas)) }
  })

/** The example of a challenge, as this operation's own: whoever mocks us from it asks for the price we ask for. */
const challengeOf =
  ({ prices, serverUrl }: Deployment, { description, path, priceKey }: Operation) =>
  (example: Json): Json => {
    const { accepts, resource, ...rest } = objectOr(example)
    const amount = prices[priceKey].toString()
    return {
      ...rest,
      resource: { ...objectOr(resource), url: `${serverUrl}${path}`, description },
      accepts: (Array.isArray(accepts) ? accepts : []).map((one) => ({ ...objectOr(one), amount }))
    }
  }

const describeResponse =
  (payments: Payments, schemas: JsonObject, challenge: ((example: Json) => Json) | undefined) =>
  (response: Json, status: string): Json => {
    if (!isRecord(response)) return response
    const headers = headersOf(status, payments)
    const text = status === "404" && payments === "sold" ? NO_POOLS : ERROR_TEXT[status]
    return {
      ...response,
      ...(status === "400" ? { description: "Invalid request. Nothing is charged." } : {}),
      ...(Object.keys(headers).length === 0 ? {} : { headers }),
      content: withExample(
        response["content"],
        schemas,
        text === undefined ? (status === "402" ? challenge : undefined) : () => ({ error: text })
      )
    }
  }

/** `x-payment-info` in the form x402scan reads: decimal USD here, atomic units in the live challenge. */
const paymentInfo = (amount: string): JsonObject => ({
  price: { mode: "fixed", currency: "USD", amount },
  protocols: [{ x402: {} }]
})

/** A parameter's own example stands beside its schema, where generators look for it. */
const withParameterExample = (parameter: Json): Json => {
  const { examples, ...schema } = objectOr(objectOr(parameter)["schema"])
  return Array.isArray(examples)
    ? { ...objectOr(parameter), schema, example: examples[0] ?? null }
    : parameter
}

const bodyWithExample = (body: JsonObject, schemas: JsonObject): JsonObject => ({
  ...body,
  content: withExample(body["content"], schemas)
})

const describeWebhook =
  (schemas: JsonObject) =>
  (operation: Json): Json => ({
    ...objectOr(operation),
    requestBody: bodyWithExample(objectOr(objectOr(operation)["requestBody"]), schemas)
  })

const paymentsOf = (operationId: string): Payments => {
  if (operationOf(operationId) !== undefined) return "sold"
  if (soldUnder(operationId) !== undefined) return "fetched"
  return operationId === VERIFY_CHECKOUT ? "passed" : "none"
}

const describeOperation =
  (deployment: Deployment, schemas: JsonObject) =>
  (operation: Json): Json => {
    if (!isRecord(operation)) return operation
    const id = String(operation["operationId"])
    const sold = operationOf(id)
    const terms = sold ?? soldUnder(id)
    const challenge = terms === undefined ? undefined : challengeOf(deployment, terms)
    const payments = paymentsOf(id)
    const { parameters, requestBody, responses, ...rest } = operation
    return {
      ...rest,
      ...(sold === undefined
        ? {}
        : { "x-payment-info": paymentInfo(formatUsd(deployment.prices[sold.priceKey])) }),
      parameters: Array.isArray(parameters) ? parameters.map(withParameterExample) : [],
      ...(isRecord(requestBody) ? { requestBody: bodyWithExample(requestBody, schemas) } : {}),
      responses: mapObject(objectOr(responses), describeResponse(payments, schemas, challenge))
    }
  }

/** What we answer may grow members; only what we are sent must not have unknown ones. */
const REQUESTS = /^(?:TokenReference|CreateCheckout|VerifyCheckout)$/
const open = (schema: Json): Json => {
  if (Array.isArray(schema)) return schema.map(open)
  if (!isRecord(schema)) return schema
  const { additionalProperties, ...rest } = mapObject(schema, open)
  return additionalProperties === undefined || additionalProperties === false
    ? rest
    : { ...rest, additionalProperties }
}

/** For agents that read the description only. Registries cut it when it is long. */
const GUIDANCE =
  "Ping every candidate token first; run deep on tokens that pass, or that back an order above 100 USD. Treat safe=null " +
  "and verdict=caution as position size zero. Pay with any x402 v2 client in USDC on Base or Solana. A 400 or 404 is " +
  "not charged. On 503 repeat the same request with the same payment: its outcome may be open."

const contactInfo = (contact: string | undefined): JsonObject => {
  if (contact === undefined) return {}
  return {
    contact: contact.startsWith("mailto:") ? { email: contact.slice("mailto:".length) } : { url: contact }
  }
}

const referencesIn = (value: Json | undefined): ReadonlyArray<string> => {
  if (Array.isArray(value)) return value.flatMap(referencesIn)
  if (!isRecord(value)) return []
  const { $ref } = value
  const own = typeof $ref === "string" && $ref.startsWith(SCHEMAS) ? [$ref.slice(SCHEMAS.length)] : []
  return [...own, ...Object.values(value).flatMap(referencesIn)]
}

/** The named schemas that are reached from these; the generator names some that nothing uses. */
const usedSchemas = (schemas: JsonObject, from: JsonObject): JsonObject => {
  const used = new Set<string>()
  const visit = (names: ReadonlyArray<string>): void => {
    for (const name of names.filter((one) => !used.has(one))) {
      used.add(name)
      visit(referencesIn(schemas[name]))
    }
  }
  visit(referencesIn(from))
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => used.has(name)))
}

/** Answers of a path and not of one of its operations, so that no operation lists them. */
const PATH_RESPONSES: JsonObject = mapObject(
  {
    MethodNotAllowed: "The path has other methods; see Allow.",
    Forbidden: "This web origin is not allowed."
  },
  (description, name) => ({
    description,
    ...(name === "MethodNotAllowed"
      ? { headers: { Allow: textHeader("The methods of this path, comma-separated.") } }
      : {}),
    content: {
      "application/json": {
        schema: { type: "object", required: ["error"], properties: { error: { type: "string" } } },
        example: {
          error:
            name === "MethodNotAllowed"
              ? "method not allowed: this path takes GET, HEAD, OPTIONS, POST"
              : "origin is not allowed"
        }
      }
    }
  })
)

/** What the platform's generator cannot know: payment, prices, examples, and which of its schemas are in use. */
const describe =
  (deployment: Deployment) =>
  (generated: JsonObject): JsonObject => {
    const spec = withoutGeneratedNames(generated)
    // No operation needs a login: an empty list of schemes would make readers offer one.
    const { securitySchemes: _none, ...components } = objectOr(spec["components"])
    const events = withoutGeneratedNames<{ readonly [key: string]: Json }>(
      JSON.parse(JSON.stringify(describeWebhooks()))
    )
    const schemas = mapObject(
      { ...objectOr(components["schemas"]), ...objectOr(events["schemas"]) },
      (schema, name) => (REQUESTS.test(name) ? schema : open(schema))
    )
    const webhooks = mapObject(objectOr(events["webhooks"]), (item) =>
      mapObject(objectOr(item), describeWebhook(schemas))
    )
    const paths = mapObject(objectOr(spec["paths"]), (item) =>
      mapObject(objectOr(item), describeOperation(deployment, schemas))
    )
    return {
      ...spec,
      info: {
        ...objectOr(spec["info"]),
        license: { name: "MIT", identifier: "MIT" },
        ...contactInfo(deployment.contact),
        "x-guidance": GUIDANCE
      },
      paths,
      webhooks,
      components: {
        ...components,
        schemas: usedSchemas(schemas, { paths, webhooks }),
        responses: PATH_RESPONSES
      }
    }
  }

/** The OpenAPI 3.1 document of a deployment. Pure: the same deployment gives the same bytes. */
export const describeApi = (deployment: Deployment): OpenApi.OpenAPISpec =>
  OpenApi.fromApi(
    makeApi(deployment.checkoutService)
      .annotate(OpenApi.Servers, [{ url: deployment.serverUrl }])
      .annotate(OpenApi.Transform, describe(deployment))
  )
