import { Effect, Option, Schema } from "effect"
import { EXAMPLE_TOKEN, MCP_PATH, OPERATIONS } from "../../domain/catalog.ts"
import { PaymentRequired } from "../../domain/x402.ts"
import type { CheckResult } from "./check-result.ts"
import { fail, ok } from "./check-result.ts"
import type { SiteReply, NoAnswer, Site } from "./site.ts"
import { isRecord } from "../../domain/json.ts"
import { postJson } from "./site.ts"

const LEGACY = "2025-11-25"
const MODERN = "2026-07-28"

/** The result of a JSON-RPC answer, which may come as JSON or as one server-sent event. */
const resultOf = ({ json, text }: SiteReply): Readonly<Record<string, unknown>> | undefined => {
  const parse = Schema.decodeUnknownOption(Schema.parseJson())
  const message = isRecord(json) ? json : Option.getOrUndefined(parse(/^data: (.*)$/m.exec(text)?.[1] ?? ""))
  const result = isRecord(message) ? message["result"] : undefined
  return isRecord(result) ? result : undefined
}

const ACCEPT = { accept: "application/json, text/event-stream" }

const legacy = (site: Site, method: string, params: unknown) =>
  site
    .ask(
      MCP_PATH,
      postJson({ jsonrpc: "2.0", id: 1, method, params }, { ...ACCEPT, "mcp-protocol-version": LEGACY })
    )
    .pipe(Effect.map(resultOf))

const modern = (site: Site, method: string, params: Readonly<Record<string, unknown>>, name?: string) => {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": { name: "token-risk doctor", version: "1" }
  }
  const headers = {
    ...ACCEPT,
    "mcp-protocol-version": MODERN,
    "mcp-method": method,
    ...(name === undefined ? {} : { "mcp-name": name })
  }
  return site
    .ask(MCP_PATH, postJson({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta } }, headers))
    .pipe(Effect.map(resultOf))
}

const checking = (name: string, effect: Effect.Effect<CheckResult, NoAnswer>) =>
  Effect.catchAll(effect, () => Effect.succeed(fail(name, "no answer")))

const initialize = (site: Site) =>
  checking(
    `MCP ${LEGACY}`,
    legacy(site, "initialize", {
      protocolVersion: LEGACY,
      capabilities: {},
      clientInfo: { name: "token-risk doctor", version: "1" }
    }).pipe(
      Effect.map((result) =>
        result?.["protocolVersion"] === LEGACY
          ? ok(`MCP ${LEGACY}`, "initialize answered")
          : fail(`MCP ${LEGACY}`, "initialize is not answered in this version")
      )
    )
  )

const discover = (site: Site) =>
  checking(
    `MCP ${MODERN}`,
    modern(site, "server/discover", {}).pipe(
      Effect.map((result) => {
        const versions = result?.["supportedVersions"]
        return Array.isArray(versions) && versions.includes(MODERN)
          ? ok(`MCP ${MODERN}`, "server/discover answered")
          : fail(`MCP ${MODERN}`, "server/discover is not answered in this version")
      })
    )
  )

const TOOLS: ReadonlyArray<string> = Object.keys(OPERATIONS)

const namesIn = (result: Readonly<Record<string, unknown>> | undefined): ReadonlyArray<unknown> => {
  const tools = result?.["tools"]
  return Array.isArray(tools) ? tools.map((tool: unknown) => (isRecord(tool) ? tool["name"] : undefined)) : []
}

const list = (site: Site) =>
  checking(
    "MCP tools",
    Effect.zip(legacy(site, "tools/list", {}), modern(site, "tools/list", {}), { concurrent: true }).pipe(
      Effect.map((answers) =>
        answers.every((answer) => TOOLS.every((tool) => namesIn(answer).includes(tool)))
          ? ok("MCP tools", TOOLS.join(", "))
          : fail("MCP tools", "tools/list does not name both operations in both eras")
      )
    )
  )

const unpaidCall = (site: Site) => {
  const name = OPERATIONS.check_token_safety_ping.id
  return checking(
    "MCP unpaid call",
    modern(site, "tools/call", { name, arguments: EXAMPLE_TOKEN }, name).pipe(
      Effect.map((result) =>
        result?.["isError"] === true && Schema.is(PaymentRequired)(result["structuredContent"])
          ? ok("MCP unpaid call", "answered with the payment terms")
          : fail("MCP unpaid call", "is not answered with the payment terms")
      )
    )
  )
}

/** The tool endpoint in both protocol eras. */
export const checkMcp = (site: Site) =>
  Effect.all([initialize(site), discover(site), list(site), unpaidCall(site)], { concurrency: 2 })
