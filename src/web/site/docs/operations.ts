import type { Markup } from "../../page.ts"
import { html } from "../../page.ts"
import { code, section, table } from "../layout.ts"

/** `/docs/operations`: for whoever runs this service. */
export const operations = (): Markup =>
  html`<section class="card">
      <h1>Operations</h1>
      <p>
        ${code("/healthz")} says that the process lives, ${code("/readyz")} that it can sell,
        ${code("/metrics")} how it does (loopback, or with a token). ${code("npx token-risk doctor URL")}
        checks a deployment from outside.
      </p>
    </section>
    ${section(
      "Documents for machines",
      table(
        ["Path", "What"],
        [
          [html`<a href="/openapi.json">/openapi.json</a>`, "OpenAPI 3.1, with prices and examples"],
          [html`<a href="/docs/api">/docs/api</a>`, "the same to read and try"],
          [
            html`<a href="/.well-known/x402">/.well-known/x402</a>`,
            "manifest for x402 indexes; also at /.well-known/x402.json"
          ],
          [
            html`<a href="/.well-known/jwks.json">/.well-known/jwks.json</a>`,
            "keys of the attestations and events"
          ],
          [
            html`<a href="/.well-known/did.json">/.well-known/did.json</a>`,
            "key of signed offers and receipts"
          ],
          [html`<a href="/llms.txt">/llms.txt</a>`, "what a model must know"],
          [
            html`<a href="/.well-known/mcp-server-card">/.well-known/mcp-server-card</a>`,
            "MCP server card; also at /.well-known/mcp.json and /.well-known/mcp/server-card.json"
          ],
          [
            html`<a href="/.well-known/security.txt">/.well-known/security.txt</a>`,
            "whom to tell of a weakness, where the operator names somebody"
          ]
        ]
      )
    )}`
