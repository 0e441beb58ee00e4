import { type Context, JSONSchema, type Schema } from "effect"
import { withoutGeneratedNames } from "../domain/json-schema.ts"
import { META } from "../domain/mcp-meta.ts"
import { TokenRef } from "../domain/token.ts"
import { PaymentRequired } from "../domain/x402.ts"
import { ALL_OPERATIONS } from "../domain/catalog.ts"
import type { Offers } from "../operations/offers.ts"

/** MCP wants `type: "object"` at the root, where a named schema has a reference to its definition. */
const objectSchema = (schema: Schema.Schema.Any): { type: "object"; [key: string]: unknown } => {
  const generated = withoutGeneratedNames(JSONSchema.make(schema, { target: "jsonSchema2020-12" }))
  const { $schema, $defs = {}, ...root } = generated
  const name = "$ref" in root ? root.$ref.split("/").at(-1) : undefined
  const body = name === undefined ? root : $defs[name]
  const others = Object.fromEntries(Object.entries($defs).filter(([key]) => key !== name))
  return {
    $schema,
    ...body,
    type: "object",
    ...(Object.keys(others).length === 0 ? {} : { $defs: others })
  }
}

const inputSchema = objectSchema(TokenRef)

const membersOf = (schema: { [key: string]: unknown }) => {
  const { $defs = {}, properties = {}, required = [] } = schema
  return { $defs, properties, required }
}

/**
 * The schema of everything that can stand in `structuredContent`: the result, or the terms of payment. Clients of the
 * first SDK generation check error results against it too, and an unpaid call must not look like a broken server to
 * them. Both shapes share no name, so one list of members and two lists of required ones say it.
 */
const outputSchema = (result: Schema.Schema.Any): { type: "object"; [key: string]: unknown } => {
  const answer = membersOf(objectSchema(result))
  const terms = membersOf(objectSchema(PaymentRequired))
  return {
    type: "object",
    properties: Object.assign({}, answer.properties, terms.properties),
    anyOf: [
      { title: "Result", required: answer.required },
      { title: "Terms of payment, when the call carries none", required: terms.required }
    ],
    $defs: Object.assign({}, answer.$defs, terms.$defs)
  }
}

const HOW_TO_PAY =
  'Payment is x402 v2: USDC on Base (eip155:8453) or Solana, in _meta["x402/payment"] (the PaymentPayload as an object). ' +
  "Without payment the result is an error that carries the payment requirements. When a call fails or its reply is lost, " +
  "repeat it with the SAME payment: a payment buys one answer, and repeating it returns that answer."

const FREE_CALLS = ' A few calls a day are free for callers who send a stable _meta["token-risk/client-id"].'

/** One tool per operation, named like it. Prices are decimal USD per call. */
export const toolsFor = ({
  freeTier,
  priceUsd
}: Pick<Context.Tag.Service<Offers>, "freeTier" | "priceUsd">) =>
  ALL_OPERATIONS.map((operation) => ({
    name: operation.id,
    title: operation.title,
    description: `${operation.description} Price: ${priceUsd(operation.id)} USD per call.${operation.hasFreeCalls && freeTier !== undefined ? FREE_CALLS : ""} ${HOW_TO_PAY}`,
    inputSchema,
    outputSchema: outputSchema(operation.result),
    annotations: {
      title: operation.title,
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: true
    },
    _meta: { [META.cloudflarePaid]: true, [META.cloudflarePrice]: Number(priceUsd(operation.id)) }
  }))
