import type { Operation } from "../domain/catalog.ts"
import { EXAMPLE_TOKEN } from "../domain/catalog.ts"

const DRAFT = "https://json-schema.org/draft/2020-12/schema"

const tokenSchema = {
  type: "object",
  properties: {
    chain: { type: "string", enum: ["base", "solana"] },
    address: { type: "string", minLength: 32, maxLength: 44 }
  },
  required: ["chain", "address"]
}

const objectOf = (properties: Record<string, unknown>) => ({
  type: "object",
  properties,
  required: Object.keys(properties)
})

/** Registries want one; the whole stands in the OpenAPI document, and would not fit into a header. */
const OUTPUT_SCHEMA = { properties: { example: { type: "object" } } }

const output = (operation: Operation) => ({ type: "json", example: operation.example })

/**
 * `extensions.bazaar` of a challenge: input, with the JSON Schema that describes it, and an answer, so that crawlers can
 * list the service. Short, because it stands in a header. Source: x402 bazaar extension; readers take the schema from
 * exactly this place.
 */
export const bazaar = (operation: Operation, method: "GET" | "POST") => {
  const input =
    method === "GET"
      ? { type: "http", method, queryParams: EXAMPLE_TOKEN }
      : { type: "http", method, bodyType: "json", body: EXAMPLE_TOKEN }
  const inputSchema =
    method === "GET"
      ? { type: { const: "http" }, method: { const: method }, queryParams: tokenSchema }
      : { type: { const: "http" }, method: { const: method }, bodyType: { const: "json" }, body: tokenSchema }
  return {
    info: { input, output: output(operation) },
    schema: { $schema: DRAFT, ...objectOf({ input: objectOf(inputSchema), output: OUTPUT_SCHEMA }) }
  }
}

/** The same for the operation as a tool of the MCP endpoint. */
export const bazaarTool = (operation: Operation) => ({
  info: {
    input: {
      type: "mcp",
      toolName: operation.id,
      transport: "streamable-http",
      inputSchema: tokenSchema,
      example: EXAMPLE_TOKEN
    },
    output: output(operation)
  },
  schema: {
    $schema: DRAFT,
    ...objectOf({
      input: objectOf({
        type: { const: "mcp" },
        toolName: { const: operation.id },
        inputSchema: { type: "object" }
      }),
      output: OUTPUT_SCHEMA
    })
  }
})
