import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { ask, ATTACKER, openMany, readAll } from "../support/hostile/clients.ts"
import { Served, served } from "../support/hostile/served.ts"

const deep = (levels: number): string => `${"[".repeat(levels)}${"]".repeat(levels)}`

describe("a body", () => {
  const paths = ["/api/token-risk/v1/ping", "/api/token-risk/v1/deep", "/api/token-risk/mcp"]

  it.scopedLive("nested 5,000 deep is 400 everywhere, with a payment or without", () =>
    Effect.gen(function* () {
      const { port } = yield* Served
      for (const path of paths) {
        for (const body of [
          deep(5_000),
          `{"chain":${deep(5_000)},"address":"x"}`,
          `{"a":`.repeat(5_000),
          `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{"x402/payment":${deep(5_000)}}}}`
        ]) {
          for (const headers of [{}, { "payment-signature": "signed" }]) {
            const reply = yield* ask(port, { path, body, headers })
            expect([path, reply.status]).toEqual([path, 400])
            expect(Object.keys(JSON.parse(reply.text))).toEqual(["error"])
          }
        }
      }
    }).pipe(Effect.provide(served()))
  )

  it.scopedLive("of a named JSON type is read as the JSON it is, and not waited for again", () =>
    Effect.gen(function* () {
      const { port } = yield* Served
      const body = JSON.stringify({ chain: "base", address: "0x4200000000000000000000000000000000000006" })
      const headers = { "content-type": "application/problem+json" }
      for (const path of paths.slice(0, 2))
        expect((yield* ask(port, { path, body, headers })).status).toBe(402)
    }).pipe(Effect.provide(served()))
  )

  it.scopedLive("of declared or undeclared size above 64 KB is 413, and is not kept", () =>
    Effect.gen(function* () {
      const { port } = yield* Served
      const body = JSON.stringify({ filler: "x".repeat(100_000) })
      for (const headers of [{}, { "transfer-encoding": "chunked" }])
        expect((yield* ask(port, { path: "/api/token-risk/v1/ping", body, headers })).status).toBe(413)
      const [socket] = yield* openMany(1, port, ATTACKER)
      if (socket === undefined) return expect.fail("no connection")
      socket.write("POST /api/token-risk/v1/ping HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n")
      socket.write(`400000\r\n${"x".repeat(0x400000)}\r\n0\r\n\r\n`)
      expect(yield* readAll(socket)).toMatch(/^(?:HTTP\/1\.1 413 |$)/)
    }).pipe(Effect.provide(served()))
  )

  it.scopedLive("in chunks of one byte ends with its connection, long before all of it was read", () =>
    Effect.gen(function* () {
      const { port } = yield* Served
      const [socket] = yield* openMany(1, port, ATTACKER)
      if (socket === undefined) return expect.fail("no connection")
      socket.write("POST /api/token-risk/v1/ping HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n")
      // No end: only the service can end this connection.
      socket.write("1\r\nx\r\n".repeat(10_000))
      expect(yield* readAll(socket)).toMatch(
        /^HTTP\/1\.1 413 [^]*connection: close[^]*in more than 2048 pieces/i
      )
    }).pipe(Effect.provide(served()))
  )
})
