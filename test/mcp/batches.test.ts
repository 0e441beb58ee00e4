/** Batches, as the protocol's first generation has them, whose messages stand in each other's way. */
import { describe, expect, it } from "vitest"
import type { ScreeningRequest } from "../../src/operations/operations.ts"
import { MCP_URL, openMcp } from "../support/mcp/in-process.ts"

const paidCall = {
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: {
    name: "check_token_safety_ping",
    arguments: { chain: "base", address: "0x4200000000000000000000000000000000000006" },
    _meta: { "x402/payment": { x402Version: 2, accepted: {}, payload: {} } }
  }
}
const request = (id: string | number, method: string) => ({ jsonrpc: "2.0", id, method })
const cancelled = (requestId: string | number) => ({
  jsonrpc: "2.0",
  method: "notifications/cancelled",
  params: { requestId }
})

const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" }

/** What a batch is answered, and the calls that it led to. */
const send = async (messages: ReadonlyArray<unknown>) => {
  const seen: Array<ScreeningRequest> = []
  const { dispose, handler } = openMcp({ onRun: (one) => seen.push(one) })
  const answer = await handler(
    new Request(MCP_URL, { method: "POST", body: JSON.stringify(messages), headers })
  )
  const text = await answer.text()
  await dispose()
  return { status: answer.status, text, calls: seen.length }
}

describe("a batch", () => {
  it.each(["ping", "tools/list", "no/such"])(
    "whose paid call has the id of another message (%s) is refused: one answer of the two would be lost, and it was charged",
    async (method) => {
      for (const messages of [
        [paidCall, request(1, method)],
        [request(1, method), paidCall]
      ])
        expect(await send(messages)).toEqual({
          status: 400,
          text: JSON.stringify({ error: "the ids of a batch's messages must differ" }),
          calls: 0
        })
    }
  )

  it.each([
    ["a paid call", paidCall],
    ["a list", request(1, "tools/list")],
    ["a ping", request(1, "ping")]
  ])(
    "that cancels its own message (%s) is refused: it would wait for an answer that never comes",
    async (_, message) => {
      for (const messages of [
        [message, cancelled(1)],
        [cancelled(1), message]
      ])
        expect(await send(messages)).toEqual({
          status: 400,
          text: JSON.stringify({ error: "a batch may not hold notifications/cancelled beside requests" }),
          calls: 0
        })
    }
  )

  it("whose ids differ, if only as a number and a text, is answered for each message", async () => {
    const { calls, status, text } = await send([paidCall, request("1", "ping"), request(2, "tools/list")])
    expect({ calls, status }).toEqual({ calls: 1, status: 200 })
    expect(text.match(/^data: /gm)).toHaveLength(3)
  })

  it("of notifications alone is taken", async () => {
    expect((await send([cancelled(1), { jsonrpc: "2.0", method: "notifications/initialized" }])).status).toBe(
      202
    )
  })
})
