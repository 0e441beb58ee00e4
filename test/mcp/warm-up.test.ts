import { createMcpHandler, Server } from "@modelcontextprotocol/server"
import { Effect, Fiber, TestClock } from "effect"
import { describe, expect, it } from "@effect/vitest"
import { warmUp } from "../../src/mcp/warm-up.ts"

const factory = () => {
  const server = new Server({ name: "test", version: "1" }, { capabilities: { tools: {} } })
  server.setRequestHandler("tools/list", () => ({ tools: [] }))
  return server
}

describe("warming up", () => {
  it.effect("asks what the library understands, one request at a time, of both eras", () =>
    Effect.gen(function* () {
      const handler = createMcpHandler(factory, {})
      const answers: Array<string> = []
      const fetch = async (request: Request) => {
        const response = await handler.fetch(request)
        answers.push(`${response.status} ${await response.clone().text()}`)
        return response
      }
      const fiber = yield* Effect.fork(warmUp({ fetch }))
      yield* TestClock.adjust("499 millis")
      expect(answers).toEqual([])
      yield* TestClock.adjust("1 milli")
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(fiber)
      expect(answers).toHaveLength(7)
      const lists = answers.filter((answer) => answer.includes('"tools":[]'))
      expect(lists).toHaveLength(2)
      expect(lists.filter((answer) => answer.includes('"resultType":"complete"'))).toHaveLength(1)
      expect(answers.filter((answer) => answer.includes("-32601"))).toHaveLength(2)
    })
  )

  it.effect("disturbs nobody when it fails", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.fork(warmUp({ fetch: () => Promise.reject(new Error("no")) }))
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(fiber)
    })
  )
})
