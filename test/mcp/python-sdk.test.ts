/**
 * What the official Python SDK (`mcp` 1.x) puts on the wire, byte for byte, and what it demands of the answers: it lists
 * tools before it reads a result, and validates structured content of every result that is no error.
 */
import { describe, expect, it } from "@effect/vitest"
import { Ajv2020 } from "ajv/dist/2020.js"
import { Effect } from "effect"
import type { FakeChannel } from "../support/channels.ts"
import { MCP_URL, openMcp } from "../support/mcp/in-process.ts"

const PING = "check_token_safety_ping"
const WETH = "0x4200000000000000000000000000000000000006"
const HEADERS = {
  accept: "application/json, text/event-stream",
  "accept-encoding": "gzip, deflate",
  connection: "keep-alive",
  "user-agent": "python-httpx/0.28.1",
  "content-type": "application/json"
}

/** Messages as pydantic writes them: method and params first, ids from 0, nothing that is unset. */
const INITIALIZE =
  '{"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"mcp","version":"0.1.0"}},"jsonrpc":"2.0","id":0}'
const INITIALIZED = '{"method":"notifications/initialized","jsonrpc":"2.0"}'
const LIST = '{"method":"tools/list","jsonrpc":"2.0","id":1}'
const CALL = `{"method":"tools/call","params":{"name":"${PING}","arguments":{"chain":"base","address":"${WETH}"}},"jsonrpc":"2.0","id":2}`
const PAID = `{"method":"tools/call","params":{"_meta":{"x402/payment":{"x402Version":2,"accepted":{},"payload":{}}},"name":"${PING}","arguments":{"chain":"base","address":"${WETH}"}},"jsonrpc":"2.0","id":3}`

const ANSWER = {
  safe: true,
  mintAuthorityOff: true,
  lpLocked: null,
  pairs: 3,
  priceUsd: 0.42,
  fetchedAt: 1795291478407,
  cacheHit: false
}

/** A session: the handshake, then messages with the version that was agreed upon. */
const session = async (channel: FakeChannel = {}) => {
  const { dispose, handler } = openMcp(channel)
  const send = (body: string, headers: Readonly<Record<string, string>> = {}) =>
    handler(new Request(MCP_URL, { method: "POST", headers: { ...HEADERS, ...headers }, body }))
  const resultOf = async (response: Response) => {
    expect(response.status).toBe(200)
    // The SDK reads these two kinds and fails on any other.
    expect(response.headers.get("content-type")).toMatch(/^(?:application\/json|text\/event-stream)/)
    const text = await response.text()
    const message = JSON.parse(text.startsWith("{") ? text : (/^data: (.*)$/m.exec(text)?.[1] ?? "null"))
    expect(message).toMatchObject({ jsonrpc: "2.0" })
    return message
  }
  const started = await send(INITIALIZE)
  // Without a session the SDK neither opens a stream of its own nor ends one.
  expect(started.headers.get("mcp-session-id")).toBeNull()
  const { id, result } = await resultOf(started)
  expect([id, result.protocolVersion]).toEqual([0, "2025-11-25"])
  const version = { "mcp-protocol-version": String(result.protocolVersion) }
  expect((await send(INITIALIZED, version)).status).toBe(202)
  return { ask: async (body: string) => resultOf(await send(body, version)), dispose }
}

const outputSchema = (tools: ReadonlyArray<{ readonly name: string; readonly outputSchema: object }>) =>
  tools.find(({ name }) => name === PING)?.outputSchema ?? {}

describe("a client of the official Python SDK", () => {
  it("lists the tools, and reads the terms of an unpaid call as an error it does not validate", async () => {
    const { ask, dispose } = await session()
    const { id, result } = await ask(LIST)
    expect(id).toBe(1)
    for (const tool of result.tools)
      expect(tool).toMatchObject({ inputSchema: { type: "object" }, outputSchema: { type: "object" } })
    const unpaid = await ask(CALL)
    expect([unpaid.id, unpaid.result.isError]).toEqual([2, true])
    const terms = JSON.parse(unpaid.result.content[0].text)
    expect(terms).toMatchObject({ x402Version: 2, error: "Payment Required" })
    expect(unpaid.result.structuredContent).toEqual(terms)
    expect(unpaid.result._meta["x402/error"]).toEqual(terms)
    await dispose()
  })

  it("gets a paid result whose structured content fits the schema that was listed", async () => {
    const { ask, dispose } = await session({ outcome: Effect.succeed(JSON.stringify(ANSWER)) })
    const { tools } = (await ask(LIST)).result
    const { id, result } = await ask(PAID)
    expect(id).toBe(3)
    expect(result.isError ?? false).toBe(false)
    expect(result.structuredContent).toEqual(ANSWER)
    const fits = new Ajv2020({ strict: false }).compile(outputSchema(tools))
    expect([fits(result.structuredContent), fits.errors]).toEqual([true, null])
    await dispose()
  })
})
