import type { Operation } from "../domain/catalog.ts"
import { EXAMPLE_TOKEN } from "../domain/catalog.ts"

const DRAFT = "https://json-schema.org/draft/2020-12/schema"

const tokenSchema = {
  type: "object",
  properties: {
    chain: { type: "string", enum: ["base", "solana"], example: EXAMPLE_TOKEN.chain },
    address: { type: "string", minLength: 32, maxLength: 44, example: EXAMPLE_TOKEN.address }
  },
  required: ["chain", "address"]
}

const objectOf = (properties: Record<string, unknown>) => ({
  type: "object",
  properties,
  required: Object.keys(properties)
})

const output = (operation: Operation) => ({ type: "json", example: operation.example })

/** The answer's fields with their types, read off the example, so that both can never drift apart. */
const exampleSchema = (example: Operation["example"]) => ({
  type: "object",
  properties: Object.fromEntries(
    Object.entries(example).map(([name, value]) => [
      name,
      { type: Array.isArray(value) ? "array" : typeof value }
    ])
  )
})

/**
 * `extensions.bazaar` of a challenge: input and output with the JSON Schema that describes them, so that crawlers can
 * list the service. Source: x402 bazaar extension; readers take the schemas from exactly these places.
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
    schema: {
      $schema: DRAFT,
      ...objectOf({
        input: objectOf(inputSchema),
        output: objectOf({ type: { const: "json" }, example: exampleSchema(operation.example) })
      })
    }
  }
}

/** The same for the operation as a tool of the MCP endpoint. */
export const bazaarTool = (operation: Operation) => ({
  info: {
    input: {
      type: "mcp",
      toolName: operation.id,
      description: operation.description,
      transport: "streamable-http",
      inputSchema: tokenSchema,
      example: EXAMPLE_TOKEN
    },
    output: output(operation)
  },
  schema: {
    $schema: DRAFT,
    ...objectOf({
      input: {
        type: "object",
        properties: {
          type: { const: "mcp" },
          toolName: { const: operation.id },
          description: { type: "string" },
          transport: { const: "streamable-http" },
          inputSchema: { type: "object" },
          example: tokenSchema
        },
        required: ["type", "toolName", "inputSchema"]
      },
      output: objectOf({ type: { const: "json" }, example: exampleSchema(operation.example) })
    })
  }
})
