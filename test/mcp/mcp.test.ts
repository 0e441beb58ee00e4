import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { PaymentRejected, PaymentUnresolved, UnknownToken } from "../../src/domain/errors.ts"
import { normalizeEvmAddress } from "../../src/domain/address.ts"
import type { OperationError, ScreeningRequest } from "../../src/operations/operations.ts"
import type { FakeChannel } from "../support/channels.ts"
import { MCP_URL, openMcp } from "../support/mcp/in-process.ts"

const WETH = "0x4200000000000000000000000000000000000006"
const PING = "check_token_safety_ping"
const token = { chain: "base", address: WETH }

const connect = async (channel: FakeChannel = {}) => {
  const { dispose, handler } = openMcp(channel)
  const fetch = (input: string | URL, init?: RequestInit) => handler(new Request(input, init))
  const client = new Client({ name: "test", version: "1" })
  await client.connect(new StreamableHTTPClientTransport(MCP_URL, { fetch }))
  return { client, dispose: () => client.close().then(dispose) }
}

const call = async (
  channel: FakeChannel,
  meta: Record<string, unknown> = {},
  args: Record<string, unknown> = token,
  name = PING
) => {
  const { client, dispose } = await connect(channel)
  const result = await client.callTool({ name, arguments: args, _meta: meta })
  await dispose()
  return result
}

const textOf = (result: { content?: unknown }, index = 0): string => {
  const block: unknown = Array.isArray(result.content) ? result.content[index] : undefined
  return typeof block === "object" && block !== null && "text" in block ? String(block.text) : ""
}

const payment = { "x402/payment": { x402Version: 2, accepted: {}, payload: {} } }
const failing = (error: OperationError): FakeChannel => ({ outcome: Effect.fail(error) })

const post = (body: unknown, headers: Record<string, string> = {}) =>
  new Request(MCP_URL, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers }
  })

const initialize = (protocolVersion: string) => ({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion, capabilities: {}, clientInfo: { name: "old", version: "1" } }
})

const rpcResult = async (response: Response) => {
  const text = await response.text()
  const data = text.startsWith("{") ? text : (text.match(/^data: (.*)$/m)?.[1] ?? "null")
  return JSON.parse(data)
}

describe("the MCP endpoint", () => {
  it("lists both tools with schemas, prices and honest annotations", async () => {
    const { client, dispose } = await connect()
    const { tools } = await client.listTools()
    await dispose()
    expect(tools.map(({ name }) => name)).toEqual([PING, "check_token_risk_deep"])
    for (const tool of tools) {
      expect(tool.inputSchema).toMatchObject({ type: "object", required: ["chain", "address"] })
      expect(tool.outputSchema).toMatchObject({ type: "object" })
      expect(tool.annotations).toMatchObject({
        readOnlyHint: true,
        idempotentHint: true,
        destructiveHint: false
      })
      expect(tool._meta).toMatchObject({ "agents-x402/paymentRequired": true, "agents-x402/priceUSD": 0.005 })
    }
  })

  it("answers an unpaid call with the challenge as data, as text, in plain words and in Cloudflare's place", async () => {
    const result = await call({})
    expect(result.isError).toBe(true)
    expect(JSON.parse(textOf(result))).toEqual(result.structuredContent)
    expect(result.structuredContent).toMatchObject({ x402Version: 2, error: "Payment Required" })
    expect(result._meta?.["x402/error"]).toEqual(result.structuredContent)
    expect(textOf(result, 1)).toContain("https://risk.test/api/token-risk/v1/ping")
  })

  it.each([
    ["an object", payment],
    ["Cloudflare's base64 text", { "x402/payment": "cGF5bWVudA==" }]
  ])("takes a payment as %s and answers structured content, text and a receipt", async (_name, meta) => {
    const result = await call(
      {
        outcome: Effect.succeed(
          '{"safe":null,"mintAuthorityOff":null,"lpLocked":null,"pairs":1,"priceUsd":null,"fetchedAt":1,"cacheHit":false}'
        )
      },
      meta
    )
    expect(result.isError).toBeFalsy()
    expect(result.structuredContent).toMatchObject({ safe: null, pairs: 1 })
    expect(JSON.parse(textOf(result))).toEqual(result.structuredContent)
    expect(result._meta?.["x402/payment-response"]).toMatchObject({ success: true, transaction: "tx" })
  })

  it("gives nothing of the answer away when the payment is refused", async () => {
    const result = await call(failing(new PaymentRejected({ reason: "payment_already_used" })), payment)
    expect(result.isError).toBe(true)
    expect(result.structuredContent).toMatchObject({ error: "Payment Required" })
    expect(result._meta?.["x402/payment-response"]).toMatchObject({
      success: false,
      errorReason: "payment_already_used"
    })
    // Who reads only words would else sign again for what a new signature does not cure.
    expect(JSON.stringify(result.content)).toContain("was refused: payment_already_used")
  })

  it("tells the caller to repeat the same payment when the outcome is unknown", async () => {
    const result = await call(failing(new PaymentUnresolved({ retryAfterSeconds: 3 })), payment)
    expect(result.isError).toBe(true)
    expect(result.structuredContent).toBeUndefined()
    expect(JSON.parse(textOf(result))).toMatchObject({ retryAfterSeconds: 3 })
  })

  it("reports unknown tokens, invalid input and unknown tools as tool errors", async () => {
    const address = normalizeEvmAddress(WETH)
    if (address === undefined) throw new Error("fixture")
    const unknown = await call(failing(new UnknownToken({ token: { chain: "base", address } })), payment)
    expect(textOf(unknown)).toContain("no pools")
    expect((await call({}, payment, { chain: "doge", address: WETH })).isError).toBe(true)
    const none = await call({}, payment, {}, "no_such_tool")
    expect(none.isError).toBe(true)
    for (const name of ["check_token_safety_ping", "check_token_risk_deep"])
      expect(textOf(none)).toContain(name)
  })

  it("counts free calls by the client id in _meta or in the header", async () => {
    const seen: Array<ScreeningRequest> = []
    const channel: FakeChannel = {
      freeFor: "me",
      onRun: (request) => seen.push(request),
      outcome: Effect.succeed('{"verdict":"avoid"}')
    }
    await call(channel, { "token-risk/client-id": "me" }, token, PING)
    expect(seen[0]?.caller).toMatchObject({ value: { clientId: "me", ip: "192.0.2.1" } })
    expect((await call(channel, { "token-risk/client-id": "two words" })).isError).toBe(true)
  })

  it.each(["2025-11-25", "2025-06-18", "2025-03-26"])("still speaks %s with initialize", async (version) => {
    const { dispose, handler } = openMcp()
    const message = await rpcResult(await handler(post(initialize(version))))
    expect(message.result).toMatchObject({ protocolVersion: version, serverInfo: { name: "token-risk" } })
    await dispose()
  })

  it("speaks 2026-07-28 without a handshake: discovery and a tool call, each by itself", async () => {
    const { dispose, handler } = openMcp()
    const modern = (
      method: string,
      params: Record<string, unknown>,
      headers: Record<string, string> = {}
    ) => {
      const _meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": { name: "new", version: "1" }
      }
      const own = { "mcp-protocol-version": "2026-07-28", "mcp-method": method, ...headers }
      return handler(post({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta } }, own)).then(
        rpcResult
      )
    }
    const discovered = await modern("server/discover", {})
    expect(discovered.result.supportedVersions).toContain("2026-07-28")
    const called = await modern("tools/call", { name: PING, arguments: token }, { "mcp-name": PING })
    expect(called.result).toMatchObject({ isError: true, resultType: "complete" })
    const mismatch = await modern("tools/call", { name: PING, arguments: token }, { "mcp-name": "other" })
    expect(mismatch.error.code).toBe(-32020)
    await dispose()
  })

  it("works on one tool call a request: a batch of them would share one slot and one token of its budget", async () => {
    const seen: Array<ScreeningRequest> = []
    const { dispose, handler } = openMcp({ onRun: (request) => seen.push(request) })
    const toolCall = (id: number) => ({
      jsonrpc: "2.0",
      id,
      method: "tools/call",
      params: { name: PING, arguments: token, _meta: payment }
    })
    const list = { jsonrpc: "2.0", id: 3, method: "tools/list" }
    const hidden = `\ufeff ${JSON.stringify([toolCall(1), toolCall(2)]).replaceAll("tools/call", "tools\\u002fcall")}`
    for (const body of [JSON.stringify([toolCall(1), toolCall(2)]), hidden]) {
      const refused = await handler(new Request(post({}), { body, method: "POST" }))
      expect(refused.status).toBe(400)
      expect(await refused.json()).toEqual({ error: "a batch may hold one tools/call" })
    }
    expect(seen).toEqual([])
    expect((await handler(post([toolCall(1), list]))).status).toBe(200)
    await dispose()
  })

  it("answers a few messages together: a long batch would be worked on and answered as if it were one", async () => {
    const { dispose, handler } = openMcp()
    const lists = (count: number) =>
      Array.from({ length: count }, (_, id) => ({ jsonrpc: "2.0", id, method: "tools/list" }))
    expect((await handler(post(lists(8)))).status).toBe(200)
    const refused = await handler(post(lists(9)))
    expect(refused.status).toBe(400)
    expect(await refused.json()).toEqual({ error: "a batch may hold 8 messages" })
    await dispose()
  })

  it("refuses foreign origins, other methods and oversized bodies", async () => {
    const { dispose, handler } = openMcp()
    expect((await handler(post(initialize("2025-11-25"), { origin: "https://evil.test" }))).status).toBe(403)
    expect((await handler(post(initialize("2025-11-25"), { origin: "https://risk.test" }))).status).toBe(200)
    expect((await handler(new Request(MCP_URL))).status).toBe(405)
    expect((await handler(new Request(MCP_URL, { method: "DELETE" }))).status).toBe(405)
    await dispose()
  })
})
